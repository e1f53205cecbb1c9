"""The numbered statements of Rostamizadeh (2010) as checks, in the order of its chapters."""

from kernlearn.papers.checks.figure import figure_of
from kernlearn.papers.mkl2010.statements import concentration, indefinite, rademacher, rational, stability, weights

CHECKS = {
    name: check
    for part in (rational, stability, rademacher, concentration, indefinite, weights)
    for name, check in part.CHECKS.items()
}

points, claims, draw, (_, HEIGHT) = figure_of(CHECKS)
#: In inches; the names are long.
SIZE = (7.5, HEIGHT)
