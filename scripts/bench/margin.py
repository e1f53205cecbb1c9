"""Time relative margin machines and SVMs, by pairs and active sets (`SMOSolver`), against the homotopy and peers.

    python scripts/bench/margin.py path                       # twelve widths, against one SVM and LibSVM's SVR
    python scripts/bench/margin.py svm --n 2000 4000 8000 16000
    python scripts/bench/margin.py bands --n 1000 2000 4000 8000
    python scripts/bench/margin.py peers --n 600 2000
    python scripts/bench/margin.py large --n 12000            # a pair of MNIST's digits, whose matrix is never whole
    python scripts/bench/margin.py all                        # every part, at the sizes it has without --n: minutes

Every row is measured on one thread, in CPU seconds (user and system), from the Gram matrix on, after a first call
that compiles; LibSVM has the matrix, too, but for `large`. Kernels are ((x.z + 1) / 2)^5 on examples of unit norm.
The labels of `svm`, `bands` and `peers` are the digits 0 to 4 against 5 to 9. The data are optdigits and MNIST, found
through KERNLEARN_DATA or downloaded; without them, as is then said, scikit-learn's digits with noise in copies. Growth
is the exponent of n, fitted to all rows. A gap is the relative duality gap, recomputed.

path    B from theta to 1.05, certified to 1e-9: by the homotopy, which starts from its SVM, and by `SMOSolver` from
        nothing, its SVM included, in multiples of one certified SVM of the homotopy and of `SMOSolver`; the least time
        of three runs each; LibSVM's SVR on every example twice, twelve times, to violations of its default 1e-3 and of
        1e-6, where its outputs are nearer ours (C = 1 only: it takes too long for others)
svm     LibSVM's SVC to 1e-3, pairs alone to 1e-3 (KKT), `SMOSolver` to a gap of 1e-9
bands   B1, B2 and B3 = 1 + (theta - 1) / {2, 4, 10}: pairs alone to 1e-3 in multiples of those of the SVM; and
        `SMOSolver` to 1e-9 from nothing, in multiples of its SVM
peers   the quadratic program (2.9) in u, alpha, l and l*, whole, at B2 and C = 1: Clarabel, PIQP, OSQP to 1e-6
large   digits 3 and 5 of MNIST (11,552 examples): LibSVM's SVC with its own kernel, `SMOSolver` with KernelGram, each
        in a process of its own, with its peak of memory
"""

import argparse
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

import one_thread  # noqa: F401  (before numpy is loaded)

# isort: split
import numpy as np
from common import alone, cpu
from scipy import sparse
from sklearn.datasets import load_digits
from sklearn.svm import SVC, SVR

from kernlearn.datasets import load
from kernlearn.errors import UserError
from kernlearn.kernels.matrices.rows import FunctionRows
from kernlearn.memory import in_words, peak
from kernlearn.solvers import BandSolver, KernelGram, SMOSolver, SVMSolver
from kernlearn.solvers.bands.smo import minimise_pairs
from kernlearn.solvers.bands.working_set import Sizes

Array = np.ndarray
DEGREE, PARTS, WIDTHS = 5, (2, 4, 10), 12


def least(function: Callable[..., Any], *arguments: Any) -> tuple[float, Any]:
    """Return the least CPU seconds of three calls, and the value of one."""
    times, values = zip(*(cpu(function, *arguments) for _ in range(3)), strict=True)
    return min(times), values[0]


def row(*cells: Any) -> None:
    """Print a row of a Markdown table."""
    words = (f"{cell:.3g}" if isinstance(cell, float) else str(cell) for cell in cells)
    print("| " + " | ".join(words) + " |", flush=True)


def head(*cells: str) -> None:
    """Print the head of a Markdown table."""
    row(*cells)
    row(*("---" for _ in cells))


def growth(sizes: list[int], seconds: dict[str, list[float]]) -> None:
    """Print the exponents of n that fit best."""
    if len(set(sizes)) > 1:
        fits = (f"{name} {np.polyfit(np.log(sizes), np.log(times), 1)[0]:.2f}" for name, times in seconds.items())
        print("\nGrowth, exponents of n: " + ", ".join(fits) + "\n")


@cache
def digits(name: str) -> tuple[Any, Array]:
    """Return examples, and the digits that they show."""
    try:
        data = load(name)
        X, digit = data.X, data.y
    except UserError as error:
        print(f"{name} is not there ({error}): scikit-learn's digits with noise, each in copies")
        X, digit = load_digits(return_X_y=True)
        random, copies = np.random.default_rng(1), 1 + 16000 // len(digit)
        X, digit = np.tile(X, (copies, 1)), np.tile(digit, copies)
        X = X + random.normal(0.0, 2.0, X.shape)
    return X[:60000], np.asarray(digit)[:60000]


def unit(X: Any) -> Array:
    """Return examples as an array, each of norm 1."""
    X = (X.toarray() if sparse.issparse(X) else np.asarray(X)).astype(np.float64)
    return X / np.maximum(np.linalg.norm(X, axis=1, keepdims=True), 1e-300)


def kernel(X: Array, Z: Array) -> Array:
    """Return the kernel values of all pairs."""
    values = X @ Z.T
    values += 1.0
    values *= 0.5
    return values**DEGREE


def halves(n: int) -> tuple[Array, Array]:
    """Return the Gram matrix and labels of n digits, those below 5 against the others."""
    X, digit = digits("mnist")
    rows = np.random.default_rng(0).permutation(X.shape[0])[:n]
    X = unit(X[rows])
    return kernel(X, X), np.where(digit[rows] < 5, 1.0, -1.0)


def compile_all() -> None:
    """Let numba compile, or load, all that is measured."""
    K, y = halves(100)
    for solver in (SMOSolver(K, y), BandSolver(K, y)):
        solver.solve(1.0, 1.5)
    SMOSolver(KernelGram(FunctionRows(kernel, K)), y, sizes=Sizes(0)).solve(1.0)
    pairs(K, y, 1.0, None)
    SVC(kernel="precomputed").fit(K, y)


def pairs(K: Array, y: Array, C: float, B: float | None) -> int:
    """Move pairs until no condition is broken by more than LibSVM's tolerance of 1e-3; return the steps."""
    ends, far = C * y, np.full(len(y), np.inf)
    levels = np.column_stack([np.minimum(0.0, ends), np.maximum(0.0, ends)])
    targets, sets = y[:, None].copy(), np.where(y > 0, 0, 2)
    if B is not None:
        levels, targets = np.column_stack([-far, levels, far]), np.column_stack([0 * y + B, y, 0 * y - B])
        sets += 2
    u, g = np.zeros(len(y)), np.zeros(len(y))
    return int(minimise_pairs(K, K.diagonal().copy(), levels, targets, sets, u, g, 1e-3, 10**8)[0])


def certify(K: Array, y: Array, C: float, B: float | None = None) -> Any:
    """Return the solution of `SMOSolver` from nothing."""
    return SMOSolver(K, y, 1e-9).solve(C, B)


def along(solver: Any, C: float, widths: Array) -> float:
    """Solve for every width, warm; return the largest gap."""
    return max(abs(solver.solve(C, float(B)).gap) for B in widths)


def regression(K: Array, y: Array, C: float, widths: Array, tol: float) -> None:
    """Solve by LibSVM's SVR to a violation `tol`.

    Targets y (B + 1) and 0 with epsilon B have the kinks at the margin 1, and at B and -B.
    """
    twice, weights = np.tile(K, (2, 2)), np.repeat([C, 1e6], len(y))
    for B in widths:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            svr = SVR(kernel="precomputed", C=1.0, epsilon=B, tol=tol, cache_size=500)
            svr.fit(twice, np.concatenate([y * (B + 1.0), 0.0 * y]), weights)


def path(arguments: argparse.Namespace) -> None:
    """Print times of twelve widths of the band."""
    X, digit = digits("optdigits")
    problems, sizes = [], arguments.n or [500, 1000]
    for one, other in ((3, 8), (4, 9), (1, 7)):
        rows = np.flatnonzero((digit == one) | (digit == other))
        pair = unit(X[rows])
        problems.append((f"optdigits {one}/{other}", kernel(pair, pair), np.where(digit[rows] == one, 1.0, -1.0)))
    problems += [("digits", *halves(n)) for n in sizes]
    for C in arguments.C:
        seconds = {"one SVM": [], "homotopy": [], "SMO": [], "one SVM by SMO": []}
        names = "data|n|C|SVM, homotopy|12 B, homotopy|ratio|12 B, SMO|ratio|to SVM, SMO|gap"
        head(*names.split("|"), "SVR, 1e-3", "by SMO", "SVR, 1e-6", "by SMO")
        for name, K, y in problems:
            one, _ = least(lambda K=K, y=y, C=C: SVMSolver(K, y, 1e-9).solve(C))
            fast, _ = least(certify, K, y, C)
            widths = np.linspace(BandSolver(K, y, 1e-9).theta(C), 1.05, WIDTHS)
            homotopy, _ = cpu(lambda K=K, y=y, C=C, B=widths: along(BandSolver(K, y, 1e-9), C, B))
            smo, gap = least(lambda K=K, y=y, C=C, B=widths: along(SMOSolver(K, y, 1e-9), C, B))
            theirs: list[Any] = []
            for tol in (1e-3, 1e-6):
                svr = cpu(regression, K, y, C, widths, tol)[0] if C == 1.0 and arguments.svr else None
                theirs += ["-", "-"] if svr is None else [svr, svr / smo]
            row(name, len(y), C, one, homotopy, homotopy / one, smo, smo / one, smo / fast, gap, *theirs)
            if name == "digits":
                for times, value in zip(seconds.values(), (one, homotopy, smo, fast), strict=True):
                    times.append(value)
        growth(sizes, seconds)


def svm(arguments: argparse.Namespace) -> None:
    """Print times of the SVM against LibSVM."""
    for C in arguments.C:
        head("n", "C", "LibSVM, 1e-3", "pairs, 1e-3", "ratio", "SMO, gap 1e-9", "ratio", "gap")
        sizes, seconds = [], {"LibSVM": [], "pairs": [], "certified": []}
        for n in arguments.n or [500, 1000]:
            K, y = halves(n)
            theirs, _ = cpu(SVC(kernel="precomputed", C=C, cache_size=1000).fit, K, y)
            ours, _ = cpu(pairs, K, y, C, None)
            certified, solution = cpu(certify, K, y, C)
            row(n, C, theirs, ours, ours / theirs, certified, certified / theirs, solution.gap)
            sizes.append(n)
            for times, value in zip(seconds.values(), (theirs, ours, certified), strict=True):
                times.append(value)
        growth(sizes, seconds)


def bands(arguments: argparse.Namespace) -> None:
    """Print times of the relative margin machine in multiples of the SVM."""
    for C in arguments.C:
        names = [f"B{k}" for k in range(1, len(PARTS) + 1)]
        head("n", "C", "SVM, pairs", *(f"{name} / SVM" for name in names), "SVM, 1e-9", *(f"{n} / SVM" for n in names))
        sizes, seconds = [], {name: [] for name in ["SVM", *names]}
        for n in arguments.n or [500, 1000]:
            K, y = halves(n)
            rough, _ = cpu(pairs, K, y, C, None)
            certified, solution = cpu(certify, K, y, C)
            theta = float(np.abs(K @ solution.x + solution.intercept).max())
            widths = [1.0 + (theta - 1.0) / part for part in PARTS]
            by_pairs = [cpu(pairs, K, y, C, B)[0] for B in widths]
            all_of_it = [cpu(certify, K, y, C, B)[0] for B in widths]
            row(n, C, rough, *(t / rough for t in by_pairs), certified, *(t / certified for t in all_of_it))
            sizes.append(n)
            for times, value in zip(seconds.values(), (certified, *all_of_it), strict=True):
                times.append(value)
        growth(sizes, seconds)


def program(K: Array, y: Array, C: float, B: float) -> tuple[Any, Array, Any, Array, Array]:
    """Return P, q, A, lower and upper bounds of the variables of (2.9) in u, alpha, l, l*, with A z = 0."""
    n, eye, zero = len(y), sparse.eye(len(y)), np.zeros(len(y))
    P = sparse.block_diag([sparse.csc_matrix(K), sparse.csc_matrix((3 * n, 3 * n))], format="csc")
    q = np.concatenate([zero, zero - 1.0, zero + B, zero + B])
    ones = sparse.csc_matrix(np.concatenate([np.ones(n), np.zeros(3 * n)])[None])
    A = sparse.vstack([sparse.hstack([eye, -sparse.diags(y), eye, -eye]), ones], format="csc")
    return (
        P,
        q,
        A,
        np.concatenate([zero - np.inf, zero, zero, zero]),
        np.concatenate([zero + np.inf, zero + C, *2 * [zero + np.inf]]),
    )


def by_clarabel(P: Any, q: Array, A: Any, low: Array, high: Array) -> float:
    """Return the optimal value."""
    import clarabel

    options = clarabel.DefaultSettings()
    options.verbose = False
    options.tol_gap_rel = options.tol_gap_abs = options.tol_feas = 1e-9
    below, above = np.flatnonzero(np.isfinite(low)), np.flatnonzero(np.isfinite(high))
    eye = sparse.eye(len(q), format="csr")
    rows = sparse.vstack([A, -eye[below], eye[above]], format="csc")
    right = np.concatenate([np.zeros(A.shape[0]), -low[below], high[above]])
    cones = [clarabel.ZeroConeT(A.shape[0]), clarabel.NonnegativeConeT(len(below) + len(above))]
    found = clarabel.DefaultSolver(sparse.triu(P, format="csc"), q, rows, right, cones, options).solve()
    return -float(found.obj_val)


def by_piqp(P: Any, q: Array, A: Any, low: Array, high: Array) -> float:
    """Return the optimal value."""
    import piqp

    solver = piqp.SparseSolver()
    solver.settings.eps_abs = solver.settings.eps_rel = 1e-9
    solver.setup(P, q, A, np.zeros(A.shape[0]), x_l=low, x_u=high)
    solver.solve()
    return -float(solver.result.info.primal_obj)


def by_osqp(P: Any, q: Array, A: Any, low: Array, high: Array) -> float:
    """Return the value that is reached."""
    import osqp

    model = osqp.OSQP()
    rows = sparse.vstack([A, sparse.eye(len(q))], format="csc")
    zero = np.zeros(A.shape[0])
    options = {"eps_abs": 1e-6, "eps_rel": 1e-6, "max_iter": 20_000, "polishing": True, "verbose": False}
    bounds = {"l": np.concatenate([zero, low]), "u": np.concatenate([zero, high])}
    model.setup(P=sparse.triu(P, format="csc"), q=q, A=rows, **bounds, **options)
    return -float(model.solve(raise_error=False).info.obj_val)


def peers(arguments: argparse.Namespace) -> None:
    """Print times of general solvers on the whole quadratic program."""
    head("n", "method", "CPU s", "ratio", "distance from the best value")
    sizes, seconds = arguments.n or [150, 300], {}
    for n in sizes:
        K, y = halves(n)
        solver = SMOSolver(K, y, 1e-9)
        B = 1.0 + (solver.theta(1.0) - 1.0) / PARTS[1]
        ours, solution = cpu(certify, K, y, 1.0, B)
        best, data = solution.dual_objective, program(K, y, 1.0, B)
        row(n, "SMO and active sets", ours, 1.0, abs(solution.gap))
        seconds.setdefault("SMO and active sets", []).append(ours)
        for name, method in (("Clarabel", by_clarabel), ("PIQP", by_piqp), ("OSQP", by_osqp)):
            try:
                theirs, value = cpu(method, *data)
            except ImportError as error:
                row(n, name, f'not there ({error}): pip install -e ".[bench]"', "-", "-")
                continue
            row(n, name, theirs, theirs / ours, abs(value - best) / best)
            seconds.setdefault(name, []).append(theirs)
    growth(sizes, seconds)


def part_of_pair(method: str, pair: tuple[int, int], n: int, C: float) -> tuple[float, float, int, float, float, int]:
    """Return CPU seconds, dual objective, the peak of memory, gap, B and how many of n examples two digits have."""
    X, digit = digits("mnist")
    rows = np.flatnonzero((digit == pair[0]) | (digit == pair[1]))[:n]
    X, y = unit(X[rows]), np.where(digit[rows] == pair[0], 1.0, -1.0)
    if method == "LibSVM":
        svc = SVC(kernel="poly", degree=DEGREE, gamma=0.5, coef0=0.5, C=C, cache_size=500)
        seconds, _ = cpu(svc.fit, X, y)
        part = X[svc.support_]
        x = svc.dual_coef_[0]
        value, theta = float(np.abs(x).sum() - 0.5 * x @ kernel(part, part) @ x), float("nan")
        gap = float("nan")
    else:
        compile_all()
        solver = SMOSolver(KernelGram(FunctionRows(kernel, X)), y, 1e-9)
        B = None if method == "SVM" else 1.0 + (solver.theta(C) - 1.0) / PARTS[int(method[1:]) - 1]
        solver = SMOSolver(KernelGram(FunctionRows(kernel, X)), y, 1e-9)
        seconds, solution = cpu(solver.solve, C, B)
        value, gap, theta = solution.dual_objective, abs(solution.gap), B or float("nan")
    return seconds, value, peak() or 0, gap, theta, len(y)


def large(arguments: argparse.Namespace) -> None:
    """Print times and memory of a pair of digits of MNIST."""
    for C in arguments.C:
        head("n", "method", "C", "CPU s", "in LibSVM's", "value of (D)", "gap", "B", "peak of memory")
        sizes, seconds = [*(arguments.n or [1000, 2000])], {name: [] for name in ("LibSVM", "SVM", "B1", "B2", "B3")}
        for place, most_examples in enumerate(sizes):
            for method, times in seconds.items():
                spent, value, most, gap, B, n = alone(part_of_pair, method, (3, 5), most_examples, C)
                times.append(spent)
                sizes[place] = n
                row(n, method, C, spent, spent / seconds["LibSVM"][-1], f"{value:.8g}", gap, B, in_words(most))
        growth(sizes, seconds)


def main() -> None:
    """Print one table or more."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = {part.__name__: part for part in (path, svm, bands, peers, large)}
    parser.add_argument("part", choices=[*parts, "all"])
    parser.add_argument("--n", type=int, nargs="+", help="numbers of examples")
    parser.add_argument("--C", type=float, nargs="+", default=[1.0], help="weights of the loss")
    parser.add_argument("--no-svr", dest="svr", action="store_false", help="path: without LibSVM's SVR")
    arguments = parser.parse_args()
    if arguments.part != "large":
        compile_all()
    for name, part in parts.items():
        if arguments.part in (name, "all"):
            print(f"\n## {name}\n")
            part(arguments)


if __name__ == "__main__":
    main()
