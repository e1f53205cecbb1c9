"""Match the words for kernels with the methods, if a command line has several methods."""

from collections.abc import Sequence

from kernlearn.algorithms import ALGORITHMS, Method
from kernlearn.algorithms.core.method import CHAINS, KERNELS
from kernlearn.errors import UserError
from kernlearn.kernels.families.registry import KERNEL_PARAMETERS
from kernlearn.kernels.families.vectors import FEATURES


class Inputs:
    """The words for kernels that suit each method, if a command line has several methods.

    A method may not learn from kernels but from its own inputs, such as stumps. Words for the group ``kernel`` then
    apply to the other methods. A word that suits no method is kept, and so are all words if only one method is given:
    their errors are reported in the usual way.

    Raises `UserError` if only some of the methods have a given parameter; the message lists them.

    Parameters
    ----------
    values : sequence of list
        The overrides that every word of the command line stands for.
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
        """One line for each method to which some words do not apply."""
        return [
            f"algo={name} learns from {self._methods[name].inputs}: {' '.join(sorted(out))} only for the others"
            for name, out in self._left_out.items()
            if out
        ]

    def suited(self, combination: Sequence[str]) -> tuple[str, ...]:
        """Return a combination without the words for kernels that do not suit its method."""
        name = next((word.removeprefix("algo=") for word in combination if _is(word, "algo")), "")
        out = self._left_out.get(name, set())
        if any(_is(word, "kernel") for word in out & set(combination)):  # the parameters belong to that kernel
            return tuple(word for word in combination if not word.startswith(("kernel=", "kernel.")))
        return tuple(word for word in combination if word not in out)

    def _require(self, key: str) -> None:
        parameter = key.removeprefix("algo.")
        able = [name for name, method in self._methods.items() if parameter in method.parameters]
        unable = [name for name in self._methods if name not in able]
        if able and unable:
            raise UserError(
                f"{key}: is a parameter of {' and '.join(able)}, but not of {' and '.join(unable)}; run them separately"
            )


def _is(word: str, group: str) -> bool:
    return word.startswith(f"{group}=")


def _suits(word: str, method: Method) -> bool:
    """Return whether a word for the group ``kernel``, a name or a parameter, applies to a method."""
    key, _, value = word.partition("=")
    others = {CHAINS} | {other.inputs for other in ALGORITHMS.values()} - {KERNELS}
    able = set(method.choices)
    if method.inputs == KERNELS:
        able |= {name for name in KERNEL_PARAMETERS if name not in others} | ({FEATURES} if method.weighs else set())
    if key == "kernel":
        return value in able or value not in KERNEL_PARAMETERS  # composing reports unknown names
    parameter = key.removeprefix("kernel.")
    return any(parameter in KERNEL_PARAMETERS.get(name, {}) for name in able)
