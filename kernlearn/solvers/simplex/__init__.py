"""The same problem and that of the squared hinge by vertices: a dual simplex method, HiGHS, coordinate descent."""
