"""The methods of a comparison: those that fit the data, and the reasons why others do not."""

from collections.abc import Mapping, Sequence
from math import isfinite

from kernlearn.algorithms import ALGORITHMS, Method
from kernlearn.datasets import Dataset
from kernlearn.errors import UserError, closest
from kernlearn.runner.cell.cell import CLASSIFICATION
from kernlearn.runner.plan.speed import FAST, seconds_of

#: The words for a choice of methods that depends on the data.
QUICK, ALL = "fast", "all"


def named_methods(text: str) -> list[str] | None:
    """Return the methods that ``algos=`` names, or None for `QUICK` and `ALL`.

    Raises `UserError` if there is no such method.
    """
    if text in (QUICK, ALL):
        return None
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in ALGORITHMS:
            known = (QUICK, ALL, *ALGORITHMS)
            raise UserError(f"algos={name}: must be {QUICK}, {ALL} or methods of kernlearn list{closest(name, known)}")
    return list(dict.fromkeys(names))


def candidates(text: str, dataset: Dataset, task: str) -> tuple[list[str], dict[str, str]]:
    """Return the methods for some data, fast ones first, and the reasons why others are left out, by their names.

    Parameters
    ----------
    text : str
        ``fast``, ``all`` or the names of methods, separated by commas.
    dataset : Dataset
    task : str
    """
    asked = named_methods(text) or sorted(ALGORITHMS, key=lambda name: (seconds_of(name, task), name))
    reasons: dict[str, list[str]] = {}
    chosen = []
    for name in asked:
        reason = unsuited(ALGORITHMS[name], dataset, task)
        if not reason and text == QUICK and seconds_of(name, task) > FAST:
            known = isfinite(seconds_of(name, task))
            reason = (
                f"slower than the others; algos={ALL} has all" if known else f"of unknown time; algos={ALL} has all"
            )
        if reason:
            reasons.setdefault(reason, []).append(name)
        else:
            chosen.append(name)
    return chosen, _by_names(reasons)


def _by_names(reasons: Mapping[str, Sequence[str]]) -> dict[str, str]:
    return {", ".join(names): reason for reason, names in reasons.items()}


def unsuited(method: Method, dataset: Dataset, task: str) -> str:
    """Return why a method cannot be compared with others on some data; empty if it can."""
    if not method.takes(sequential=False):
        return "for labels of sequences only"
    if task not in method.tasks:
        return f"for {' and '.join(method.tasks)} only"
    if method.sees_all:
        return "transductive: they see the test rows, and predict no others"
    if method.joint and task == CLASSIFICATION and len(dataset.classes) == 2:
        return "for more than two classes"
    if method.universum and dataset.universum is None:
        return "for data with examples of neither class (a Universum)"
    return ""
