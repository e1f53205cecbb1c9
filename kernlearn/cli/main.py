"""``kernlearn VERB ...``: find the verb, run it, turn a mistake into one line."""

import logging
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from importlib import import_module

from kernlearn import __version__
from kernlearn.errors import PartFailed, UserError, closest, complain, one_line

#: Verbs: the module whose ``main(arguments)`` does it, and one line for the help.
VERBS = {
    "run": ("kernlearn.cli.run", "run one experiment: kernlearn run algo=vkr dataset=ionosphere"),
    "sweep": (
        "kernlearn.cli.sweep",
        "run many as one, here or on a cluster: kernlearn sweep algo=vkr,l1_svm dataset=all",
    ),
    "status": ("kernlearn.cli.status", "tell how far sweeps are"),
    "reproduce": ("kernlearn.cli.reproduce", "reproduce a table: kernlearn reproduce vkr2015/table1"),
    "list": ("kernlearn.cli.list", "list algorithms, kernels, data sets and protocols"),
    "data": ("kernlearn.cli.data", "list, describe, fetch and verify data sets"),
}

HELP = """\
kernlearn {version}: kernel-learning research re-run, certified and usable.

usage: kernlearn VERB [ARGUMENTS]

{verbs}

options:
  -h, --help     this text; kernlearn VERB --help for a verb's own
  --version      the version
  --debug        show the traceback of an error

tab completion: eval "$(kernlearn -sc install=bash)", or install=zsh; kernlearn -sc install=fish | source
"""

INTERRUPTED = 130
#: What went wrong is nobody's mistake but ours.
DEFECT = 3


def main(argv: Sequence[str] | None = None) -> int:
    """Run a verb and return the exit code: 0; 1: part of the work failed; 2: a mistake of the user; 3: one of ours."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    debug = "--debug" in arguments
    arguments = [argument for argument in arguments if argument != "--debug"]
    if hasattr(sys.stdout, "reconfigure"):  # a name that the terminal's encoding lacks is shown all the same
        sys.stdout.reconfigure(errors="backslashreplace")
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        verbs = "\n".join(f"  {verb:<9} {line}" for verb, (_, line) in VERBS.items())
        print(HELP.format(version=__version__, verbs=verbs), end="")
        return 0
    if arguments[0] == "--version":
        print(f"kernlearn {__version__}")
        return 0
    with _tracebacks() if debug else nullcontext():
        return _do(*arguments, debug=debug)


def _do(verb: str, *rest: str, debug: bool) -> int:
    """Do what a verb says; turn what goes wrong into one line and an exit code."""
    try:
        if verb in ("-sc", "--shell-completion"):
            return import_module("kernlearn.cli.complete").main(list(rest), VERBS)
        if verb not in VERBS:
            near = closest(verb, VERBS)
            raise UserError(f"{verb}: no such verb, choose one of {', '.join(VERBS)} (kernlearn --help){near}")
        return import_module(VERBS[verb][0]).main(list(rest))
    except (UserError, PartFailed) as error:
        if debug:
            raise
        return complain(error)
    except KeyboardInterrupt:
        if debug:
            raise
        print("kernlearn: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # the reader of a pipe went away; nothing more can be said to it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:  # the last line of defence
        if debug:
            raise
        if isinstance(error, OSError) and error.filename is not None:
            return complain(UserError(f"{error.filename}: {error.strerror}"))
        print(f"kernlearn: unexpected {one_line(error)} (--debug shows where; please report it)", file=sys.stderr)
        return DEFECT


@contextmanager
def _tracebacks() -> Iterator[None]:
    """Let the log say what it says for ``--debug`` only: the tracebacks of errors that are told in one line."""
    log, handler = logging.getLogger("kernlearn"), logging.StreamHandler()
    before = log.level
    log.setLevel(logging.DEBUG)
    log.addHandler(handler)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(before)


if __name__ == "__main__":
    sys.exit(main())
