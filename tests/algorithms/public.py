"""The public estimators: those that learn, and those that choose the parameters of another one."""

import kernlearn
from kernlearn.estimators.common.search import PathSearch

CLASSES = [one for name in kernlearn.__all__ if hasattr(one := getattr(kernlearn, name), "fit")]
SEARCHES = [one for one in CLASSES if issubclass(one, PathSearch)]
PLAIN = [one for one in CLASSES if one not in SEARCHES]
