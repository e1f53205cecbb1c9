"""The public estimators: those that learn, and those that choose the parameters of another one."""

import kernlearn
from kernlearn.estimators.common.search import PathSearch

CLASSES = [one for name in kernlearn.__all__ if isinstance(one := getattr(kernlearn, name), type)]
SEARCHES = [one for one in CLASSES if issubclass(one, PathSearch)]
PLAIN = [one for one in CLASSES if one not in SEARCHES]
