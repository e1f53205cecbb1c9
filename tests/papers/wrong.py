"""What checks of statements find where what they are about is made wrong."""

from dataclasses import replace

import pytest

from kernlearn.solvers import Solution


def scaled(function, factor):
    """Return a function whose value, or the matrix or objective that it begins with, is times a factor."""

    def other(*arguments, **options):
        value = function(*arguments, **options)
        if isinstance(value, Solution):
            return replace(value, objective=factor * value.objective)
        return (factor * value[0], *value[1:]) if isinstance(value, tuple) else factor * value

    return other


def found(check, module, name, spoil):
    """Return what a check finds with another function of a module; nothing that a module keeps outlives it."""
    _forget(module)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, name, spoil(getattr(module, name)))
        value = check.compute()
    _forget(module)
    return value


def _forget(module):
    for one in vars(module).values():
        if hasattr(one, "cache_clear") and one.__module__ == module.__name__:
            one.cache_clear()
