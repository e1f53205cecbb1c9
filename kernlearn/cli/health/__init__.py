"""What ``kernlearn check`` looks at: packages, solvers, data, this machine and clusters."""
