"""What is found of one thing that kernlearn needs, or can use."""

from typing import Literal, TypedDict


class Finding(TypedDict):
    """What was found of one thing."""

    #: What it is about, such as "packages" or "solvers".
    about: str
    #: "ok"; "note" for an optional thing that is missing; "problem" for something wrong.
    state: Literal["ok", "note", "problem"]
    #: What was found.
    words: str
    #: What to do; null if there is nothing to do.
    hint: str | None


class Solved(TypedDict):
    """A tiny problem that was solved."""

    method: str
    #: The value of ``algo.solver``; null if the method has one solver.
    solver: str | None
    #: "optimal", or where the solver stopped; null after an error.
    status: str | None
    #: The largest relative gap, computed from the data and the solutions; null after an error.
    gap: float | None
    seconds: float
    #: Null if there was none.
    error: str | None


def ok(about: str, words: str) -> Finding:
    """Return that something is as it should be."""
    return {"about": about, "state": "ok", "words": words, "hint": None}


def note(about: str, words: str, hint: str | None = None) -> Finding:
    """Return that something optional is missing."""
    return {"about": about, "state": "note", "words": words, "hint": hint}


def problem(about: str, words: str, hint: str | None = None) -> Finding:
    """Return that something is wrong."""
    return {"about": about, "state": "problem", "words": words, "hint": hint}
