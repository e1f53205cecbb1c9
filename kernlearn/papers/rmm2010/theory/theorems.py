"""The numbered statements of Shivaswamy (2010), and what is said of programs and algorithms, as checks."""

from kernlearn.papers.checks.figure import figure_of
from kernlearn.papers.rmm2010.theory import complexities, landmarks, margins, spectra, structures, variances

CHECKS = margins.CHECKS | complexities.CHECKS | landmarks.CHECKS | structures.CHECKS | spectra.CHECKS | variances.CHECKS

points, claims, draw, SIZE = figure_of(CHECKS)
