"""Support vector machines: homotopy, descent, OSQP, LibSVM, the linear kernel, all classes at once, online."""
