"""Several methods on one command line: which words for kernels suit which of them."""

from collections.abc import Sequence

from kernlearn.algorithms import ALGORITHMS, Method
from kernlearn.algorithms.core.method import CHAINS, KERNELS
from kernlearn.errors import UserError
from kernlearn.kernels.families.parameters import KERNEL_PARAMETERS
from kernlearn.kernels.families.registry import FEATURES


class Inputs:
    """Which of the words for kernels suit which method, where a command line has several methods.

    A method that learns from something else than kernels, such as stumps, brings it along: words for the group
    ``kernel`` are for the others then. A word that suits none of them stays, and so do all where one method is given:
    what is wrong with them is said in the usual way.

    Parameters
    ----------
    values : sequence of list
        The overrides that every word of the command line stands for.

    Raises
    ------
    UserError
        If only some of the methods have a parameter that is given; it says which.
    """

    def __init__(self, values: Sequence[Sequence[str]]) -> None:
        named = dict.fromkeys(word.removeprefix("algo=") for options in values for word in options if _is(word, "algo"))
        self._methods = {name: ALGORITHMS[name] for name in named if name in ALGORITHMS} if len(named) > 1 else {}
        keys = [options[0].partition("=")[0] for options in values]
        for key in keys:
            if key.startswith("algo."):
                self._require(key)
        kernels = [word for options in values for word in options if word.startswith(("kernel=", "kernel."))]
        suiting = {name: {w for w in kernels if _suits(w, method)} for name, method in self._methods.items()}
        any_suits = set().union(*suiting.values())
        self._left_out = {name: any_suits - suited for name, suited in suiting.items()}

    @property
    def notes(self) -> list[str]:
        """A line for every method that some words are not for."""
        return [
            f"algo={name} learns from {self._methods[name].inputs}: {' '.join(sorted(out))} for the others"
            for name, out in self._left_out.items()
            if out
        ]

    def suited(self, combination: Sequence[str]) -> tuple[str, ...]:
        """Return a combination without the words for kernels that do not suit its method."""
        name = next((word.removeprefix("algo=") for word in combination if _is(word, "algo")), "")
        out = self._left_out.get(name, set())
        if any(_is(word, "kernel") for word in out & set(combination)):  # parameters are those of that kernel
            return tuple(word for word in combination if not word.startswith(("kernel=", "kernel.")))
        return tuple(word for word in combination if word not in out)

    def _require(self, key: str) -> None:
        parameter = key.removeprefix("algo.")
        able = [name for name, method in self._methods.items() if parameter in method.parameters]
        unable = [name for name in self._methods if name not in able]
        if able and unable:
            raise UserError(
                f"{key}: is a parameter of {' and '.join(able)}, and not of {' and '.join(unable)}; run them apart"
            )


def _is(word: str, group: str) -> bool:
    return word.startswith(f"{group}=")


def _suits(word: str, method: Method) -> bool:
    """Return whether a word for the group ``kernel``, NAME or a parameter, is for a method."""
    key, _, value = word.partition("=")
    others = {CHAINS} | {other.inputs for other in ALGORITHMS.values()} - {KERNELS}
    able = set(method.choices)
    if method.inputs == KERNELS:
        able |= {name for name in KERNEL_PARAMETERS if name not in others} | ({FEATURES} if method.weighs else set())
    if key == "kernel":
        return value in able or value not in KERNEL_PARAMETERS  # what is unknown here is said to be so by others
    parameter = key.removeprefix("kernel.")
    return any(parameter in KERNEL_PARAMETERS.get(name, {}) for name in able)
