"""HiGHS as this project uses it: silent, one thread, every call checked, whole arrays instead of single rows.

HiGHS reports a wrong option or a refused matrix by a return value, not by an exception, and calls a problem solved on
its own scaled tolerances. Hence the two rules of this layer: `check` every return value, and never use a number of the
solver as a certificate.
"""

from math import inf
from time import perf_counter

import highspy
import numpy as np
from highspy import HighsBasisStatus, HighsModelStatus, HighsStatus
from numpy.typing import NDArray

from kernlearn.solvers.core.solution import SolverError
from kernlearn.types import Array

#: Simplex iterations for every row and column, after which HiGHS is stopped: with singular bases it may not end.
ITERATIONS = 100


def check(status: HighsStatus, step: str) -> None:
    """Raise `SolverError` unless HiGHS accepted the call (a warning, e.g. of a dropped tiny entry, is accepted)."""
    if status == HighsStatus.kError:
        raise SolverError(f"HiGHS refused to {step}")


class Highs(highspy.Highs):
    """HiGHS without a word on standard output, which belongs to whoever runs this.

    Parameters
    ----------
    **options
        Options of HiGHS by name.

    Raises
    ------
    SolverError
        If HiGHS does not know an option, or not its value.
    """

    def __init__(self, **options: object):
        super().__init__()
        for name, value in options.items():
            check(self.setOptionValue(name, value), f"set the option {name}={value}")

    def enableCallbacks(self) -> None:
        """Turn the output off first: HiGHS 1.16 prints its name here, while it is made."""
        self.silent()
        super().enableCallbacks()


class BoundedMaximiser:
    """``max sum(x)`` subject to ``|G x| <= t`` row by row and ``0 <= x <= u``, rows added and removed as needed.

    The dual simplex method runs on it warm: after new rows and after any change of `t` and `u` the last basis is
    still dual feasible.

    Parameters
    ----------
    n_columns : int
        Length of x.
    """

    OPTIONS = {
        "threads": 1,
        "presolve": "off",
        "solver": "simplex",
        "simplex_strategy": 1,  # dual
        "simplex_scale_strategy": 0,  # rows come scaled
        "primal_feasibility_tolerance": 1e-9,
        "dual_feasibility_tolerance": 1e-9,
        "small_matrix_value": 1e-12,  # the default 1e-9 drops entries that matter to the duality gap
    }

    def __init__(self, n_columns: int):
        self.highs = Highs(**self.OPTIONS)
        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = n_columns, 0
        lp.col_cost_ = np.full(n_columns, -1.0)
        lp.col_lower_, lp.col_upper_ = np.zeros(n_columns), np.ones(n_columns)
        lp.a_matrix_.start_ = np.zeros(n_columns + 1, dtype=np.int32)
        check(self.highs.passModel(lp), "take the model")
        self.n_columns = n_columns
        self.n_rows = 0

    def set_bounds(self, upper: Array, t: Array) -> None:
        """Set ``u``, shape (n_columns,), and ``t``, shape (n_rows,)."""
        columns, zeros = np.arange(self.n_columns, dtype=np.int32), np.zeros(self.n_columns)
        check(self.highs.changeColsBounds(self.n_columns, columns, zeros, upper), "change column bounds")
        if self.n_rows:
            rows = np.arange(self.n_rows, dtype=np.int32)
            check(self.highs.changeRowsBounds(self.n_rows, rows, -t, t), "change row bounds")

    def add_rows(self, G: Array, t: Array) -> None:
        """Append the rows of the dense matrix `G`, shape (len(t), n_columns)."""
        n_new = len(t)
        starts = np.arange(n_new, dtype=np.int32) * self.n_columns
        index = np.tile(np.arange(self.n_columns, dtype=np.int32), n_new)
        check(self.highs.addRows(n_new, -t, t, G.size, starts, index, np.ascontiguousarray(G).ravel()), "add rows")
        self.n_rows += n_new

    def keep_active_rows(self) -> NDArray[np.bool_]:
        """Delete the rows that the last solution leaves slack; return the mask of those kept.

        Slack rows are basic, so what is left of the basis is a basis.
        """
        if not self.n_rows:
            return np.zeros(0, dtype=bool)
        basis = self.highs.getBasis()
        active = np.array([status != HighsBasisStatus.kBasic for status in basis.row_status], dtype=bool)
        slack = np.flatnonzero(~active).astype(np.int32)
        if len(slack):
            check(self.highs.deleteRows(len(slack), slack), "delete rows")
            basis.row_status = [s for s, keep in zip(basis.row_status, active, strict=True) if keep]
            check(self.highs.setBasis(basis), "set the basis")
            self.n_rows = int(active.sum())
        return active

    def run(self, seconds: float = inf) -> int:
        """Solve from the present basis; return the number of simplex iterations.

        Raises `SolverError` if HiGHS stops anywhere but at an optimal solution, also after a second attempt from a new
        start.

        Parameters
        ----------
        seconds : float
            Wall time that it may take.
        """
        iterations, end = 0, perf_counter() + seconds
        most = ITERATIONS * (self.n_rows + self.n_columns)
        check(self.highs.setOptionValue("simplex_iteration_limit", most), "limit the iterations")
        for attempt in range(2):
            if attempt:
                check(self.highs.clearSolver(), "start anew")
            left = max(0.0, end - perf_counter())  # its time limit counts from its first run
            check(self.highs.setOptionValue("time_limit", self.highs.getRunTime() + left), "limit the time")
            self.highs.run()
            iterations += max(self.highs.getInfo().simplex_iteration_count, 0)
            if self.highs.getModelStatus() == HighsModelStatus.kOptimal:
                return iterations
        name = self.highs.modelStatusToString(self.highs.getModelStatus())
        raise SolverError(f"HiGHS stopped with status '{name}' on {self.n_rows} rows x {self.n_columns} columns")

    def point(self) -> tuple[Array, Array]:
        """Return x and the row multipliers (>= 0 on rows at their upper bound t), shapes (n_columns,), (n_rows,)."""
        solution = self.highs.getSolution()
        # HiGHS minimises -sum(x): the reduced cost of a row at its upper bound comes out <= 0.
        return np.array(solution.col_value), -np.array(solution.row_dual)

    def basis(self) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        """Return codes of columns and rows: 0 basic, -1 nonbasic at the lower bound, +1 at the upper bound."""
        basis = self.highs.getBasis()
        code = {HighsBasisStatus.kBasic: 0, HighsBasisStatus.kLower: -1, HighsBasisStatus.kUpper: 1}
        columns = np.array([code.get(s, -1) for s in basis.col_status], dtype=np.int8)
        rows = np.array([code.get(s, -1) for s in basis.row_status], dtype=np.int8)
        return columns, rows


class CuttingPlanes:
    """The minimum over ``0 <= mu <= u, sum(mu) = radius`` of the largest of the planes ``c_i - mu.w_i`` added so far.

    Parameters
    ----------
    radius : float > 0
    upper : array of shape (n_weights,), optional
        The bounds u, whose sum is at least the radius; by default there are none.
    """

    def __init__(self, n_weights: int, radius: float, upper: Array | None = None):
        options = {key: value for key, value in BoundedMaximiser.OPTIONS.items() if key != "simplex_scale_strategy"}
        self.highs = Highs(**options)
        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = n_weights + 1, 1
        lp.col_cost_ = np.append(np.zeros(n_weights), 1.0)
        lp.col_lower_ = np.append(np.zeros(n_weights), -highspy.kHighsInf)
        lp.col_upper_ = np.append(np.full(n_weights, highspy.kHighsInf) if upper is None else upper, highspy.kHighsInf)
        lp.row_lower_ = lp.row_upper_ = np.array([radius])
        lp.a_matrix_.start_ = np.append(np.arange(n_weights + 1), n_weights).astype(np.int32)
        lp.a_matrix_.index_, lp.a_matrix_.value_ = np.zeros(n_weights, dtype=np.int32), np.ones(n_weights)
        check(self.highs.passModel(lp), "take the model")
        self.n_weights, self.scale, self.iterations = n_weights, 0.0, 0

    def add(self, constant: float, w: Array) -> tuple[Array, Array]:
        """Add a plane; return the minimising mu and the multipliers of all planes, which sum to 1.

        The planes are divided by the size of the first, which changes neither.
        """
        return self.add_all(np.array([constant]), w[None])

    def add_all(self, constants: Array, W: Array) -> tuple[Array, Array]:
        """Add a plane for every row of W, and return as `add` does."""
        self.scale = self.scale or max(float(np.abs(constants).max()), float(np.abs(W).max()), 1e-300)
        rows = np.column_stack([W / self.scale, np.ones(len(W))])
        starts = np.arange(len(rows), dtype=np.int32) * rows.shape[1]
        index = np.tile(np.arange(rows.shape[1], dtype=np.int32), len(rows))
        infinite = np.full(len(rows), highspy.kHighsInf)
        sizes = len(rows), constants / self.scale, infinite, rows.size
        check(self.highs.addRows(*sizes, starts, index, rows.ravel()), "add planes")
        self.highs.run()
        self.iterations += max(self.highs.getInfo().simplex_iteration_count, 0)
        if self.highs.getModelStatus() != HighsModelStatus.kOptimal:
            name = self.highs.modelStatusToString(self.highs.getModelStatus())
            raise SolverError(f"HiGHS stopped with status '{name}' on {self.n_weights} weights")
        solution = self.highs.getSolution()
        mu = np.maximum(np.array(solution.col_value)[:-1], 0.0)
        multipliers = np.maximum(np.array(solution.row_dual)[1:], 0.0)
        return mu, multipliers / multipliers.sum()
