"""What solvers of several rooms use: the shape of a solution, clocks, factors, and linear and quadratic programs."""
