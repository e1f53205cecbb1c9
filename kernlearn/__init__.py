"""kernlearn: kernel-learning research re-run, certified and usable.

Its public names are the estimators of `kernlearn.estimators`, `save` and `load` of their models, and `certify` of
anyone's solutions. They are imported when one is first asked for, so that ``import kernlearn`` and ``kernlearn --help``
stay fast.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

#: Public functions, and the modules that have them.
_FUNCTIONS = {
    "certify": "kernlearn.certificates.foreign",
    "certify_arrays": "kernlearn.certificates.foreign",
    "load": "kernlearn.models",
    "save": "kernlearn.models",
}

if TYPE_CHECKING:  # for type checkers and editors, what `__getattr__` does at run time
    from kernlearn.certificates.foreign import certify as certify
    from kernlearn.certificates.foreign import certify_arrays as certify_arrays
    from kernlearn.estimators import *  # noqa: F403
    from kernlearn.models import load as load
    from kernlearn.models import save as save
else:  # they would take every misspelled name for Any

    def __getattr__(name: str) -> Any:
        if name in _FUNCTIONS:
            return getattr(import_module(_FUNCTIONS[name]), name)
        if name == "__all__" or name[:1].isupper():  # an estimator; other names may be modules, which Python imports
            from kernlearn import estimators

            if name == "__all__":
                return ["__version__", *_FUNCTIONS, *estimators.__all__]
            if name in estimators.__all__:
                return getattr(estimators, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    from kernlearn import estimators

    return sorted(["__version__", *_FUNCTIONS, *dir(estimators)])
