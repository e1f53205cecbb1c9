"""Hold the conditional random field against CRFsuite: the same features, the same objective, one thread.

Sentences are drawn from the training part of a data set; features are those of ``kernel=chains``, and CRFsuite is given
them with all pairs of a feature and a label, and of labels, so that both minimise the same function, of which it counts
``1 / C`` of ours. It is stopped by a small change of that over ten iterations (``delta``), we by the gap. Reported are
CPU seconds of training alone, the least of some repetitions, their ratio, and by how much CRFsuite's value and ours are
above the lower bound that our certificate proves, relative to it.

    KERNLEARN_DATA=DIR python scripts/bench/structured.py                # both sets, 240 and 960 sentences
    KERNLEARN_DATA=DIR python scripts/bench/structured.py --sets treebank --sentences 240 --Cs 1 10

It needs python-crfsuite (``pip install -e ".[dev]"``).
"""

import argparse
import tempfile
from pathlib import Path
from time import process_time
from typing import NamedTuple

import one_thread  # noqa: F401  (before numpy is loaded)

# isort: split
import numpy as np
import pycrfsuite

from kernlearn.algorithms.structured.crf import CRFSolver
from kernlearn.datasets import Chains, load
from kernlearn.kernels import make_family

HEADER = ("set", "sentences", "labels", "weights", "C", "ours s", "CRFsuite s", "ratio", "ours above", "CRFsuite above")


class Trained(NamedTuple):
    """CPU seconds, the value reached, in units of ours, and the lower bound, if there is one."""

    seconds: float
    value: float
    bound: float = float("nan")


def problem(name: str, sentences: int) -> tuple[Chains, np.ndarray]:
    """Return windows of words, and labels numbered as far as there are some."""
    data = load(name)
    rows = np.sort(np.random.default_rng(0).permutation(data.n_train or len(data.X))[:sentences])
    windows = make_family("chains", window=3).fit(data.X[rows])
    return windows.chains, np.unique(data.y[rows].values, return_inverse=True)[1]


def ours(chains: Chains, labels: np.ndarray, C: float, tol: float) -> Trained:
    """Train from zero to a relative gap."""
    begin = process_time()
    solution = CRFSolver(chains, labels, int(labels.max()) + 1, tol).solve(C)
    seconds = process_time() - begin
    assert solution.status == "optimal"
    return Trained(seconds, solution.objective, solution.dual_objective)


def crfsuite(chains: Chains, labels: np.ndarray, C: float, delta: float) -> Trained:
    """Train until the value changes by less than a part of it in ten iterations."""
    trainer, X = pycrfsuite.Trainer(verbose=False), chains.values
    for a, b in zip(chains.starts, chains.starts[1:], strict=False):
        places = [{str(j): 1.0 for j in X.indices[X.indptr[t] : X.indptr[t + 1]]} for t in range(a, b)]
        trainer.append(pycrfsuite.ItemSequence(places), [str(label) for label in labels[a:b]])
    trainer.select("lbfgs")
    every = {"feature.possible_states": 1, "feature.possible_transitions": 1}
    trainer.set_params({"c1": 0, "c2": 1 / (2 * C), "epsilon": 1e-9, "delta": delta, "max_iterations": 10_000, **every})
    with tempfile.TemporaryDirectory() as folder:
        begin = process_time()
        trainer.train(str(Path(folder, "model")))
        seconds = process_time() - begin
    return Trained(seconds, C * trainer.logparser.last_iteration["loss"])


def main() -> None:
    """Print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sets", nargs="+", default=["conll2002", "treebank"])
    parser.add_argument("--sentences", nargs="+", type=int, default=[240, 960])
    parser.add_argument("--Cs", nargs="+", type=float, default=[1.0])
    parser.add_argument("--tol", type=float, default=1e-6, help="our relative gap")
    parser.add_argument("--delta", type=float, default=1e-6, help="CRFsuite's change over ten iterations")
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    print(f"| {' | '.join(HEADER)} |\n|{'---|' * len(HEADER)}")
    for name in options.sets:
        for sentences in options.sentences:
            chains, labels = problem(name, sentences)
            k = int(labels.max()) + 1
            ours(chains[np.arange(2)], labels[: chains.starts[2]], 1.0, 1e-1)  # compiles
            for C in options.Cs:
                mine = min(ours(chains, labels, C, options.tol) for _ in range(options.repeat))
                theirs = min(crfsuite(chains, labels, C, options.delta) for _ in range(options.repeat))
                above = [f"{one.value / mine.bound - 1:.1e}" for one in (mine, theirs)]
                times = f"{mine.seconds:.2f}", f"{theirs.seconds:.2f}", f"{theirs.seconds / mine.seconds:.1f}"
                cells = (name, len(chains), k, chains.shape[1] * k + k * k, f"{C:g}", *times, *above)
                print(f"| {' | '.join(map(str, cells))} |", flush=True)


if __name__ == "__main__":
    main()
