"""``kernlearn VERB ...``: find the verb, run it, and report an error in one line."""

import errno
import logging
import os
import signal
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from kernlearn import __version__
from kernlearn.errors import PartFailed, UserError, closest, one_line
from kernlearn.interrupts import terminated_as_interrupted
from kernlearn.streams import complain, occupy, put, silence, tell, visible

#: Verbs: the module whose ``main(arguments)`` runs the verb, and one line for the help.
VERBS = {
    "run": ("kernlearn.cli.run", "run one experiment: kernlearn run algo=vkr dataset=ionosphere"),
    "compare": ("kernlearn.cli.compare", "rank methods on your own data: kernlearn compare my.csv target=label"),
    "sweep": (
        "kernlearn.cli.sweep",
        "run many experiments, here or on a cluster: kernlearn sweep algo=vkr,l1_svm dataset=all",
    ),
    "status": ("kernlearn.cli.status", "show the progress of sweeps"),
    "reproduce": (
        "kernlearn.cli.reproduce",
        "reproduce a table or figure of a paper: kernlearn reproduce vkr2015/table1",
    ),
    "paper": ("kernlearn.cli.paper", "start a paper of your own: kernlearn paper new my_paper --from printed.csv"),
    "list": ("kernlearn.cli.list", "list algorithms, kernels, data sets and protocols"),
    "look": ("kernlearn.cli.look", "show how your own file is read: kernlearn look my.csv"),
    "fit": ("kernlearn.cli.model.fit", "train a model: kernlearn fit algo=vkr my.csv target=label -o model.kl"),
    "predict": ("kernlearn.cli.model.predict", "predict new rows: kernlearn predict model.kl new.csv -o out.csv"),
    "evaluate": (
        "kernlearn.cli.model.evaluate",
        "evaluate a model on known targets: kernlearn evaluate model.kl test.csv",
    ),
    "explain": ("kernlearn.cli.model.explain", "what a model rests on: kernlearn explain model.kl test.csv --row 3"),
    "verify": (
        "kernlearn.cli.model.verify",
        "prove a model on your data: kernlearn verify model.kl my.csv",
    ),
    "info": ("kernlearn.cli.model.info", "show what a model file says of itself: kernlearn info model.kl"),
    "data": ("kernlearn.cli.data", "list, describe, fetch and verify data sets"),
}

HELP = """\
kernlearn {version}: kernel-learning research re-run, certified and usable.

usage: kernlearn VERB [ARGUMENTS]

{verbs}

options:
  -h, --help     show this text; kernlearn VERB --help shows the help of a verb
  --version      show the version
  --debug        show the traceback of an error

tab completion: eval "$(kernlearn -sc install=bash)", or install=zsh; kernlearn -sc install=fish | source
"""

INTERRUPTED = 130
#: Exit code of an unexpected error: a bug of kernlearn.
DEFECT = 3


def main(argv: Sequence[str] | None = None) -> int:
    """Run a verb and return the exit code.

    It is 0 for success, 1 if part of the work failed, 2 for a user error and 3 for a bug.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    debug = "--debug" in arguments
    arguments = [argument for argument in arguments if argument != "--debug"]
    occupy()
    if sys.stdout is None:
        return complain(UserError("cannot write to the standard output: it is closed"))
    if hasattr(sys.stdout, "reconfigure"):  # names outside of the terminal's encoding are shown escaped
        sys.stdout.reconfigure(errors="backslashreplace")
    if debug and argv is None:
        sys.excepthook = _show_traceback
    try:
        with _log(logging.DEBUG if debug else logging.WARNING):
            return _do(arguments, debug)
    except BrokenPipeError:  # the reader of the pipe is gone, so nothing more can be printed
        silence(sys.stdout)
        return 1
    except KeyboardInterrupt:  # a second Ctrl-C, while the message about the first was printed
        if debug:
            raise
        return INTERRUPTED
    finally:
        _finish()
        if argv is None:  # all is written; a Ctrl-C while the workers end would only print a traceback
            signal.signal(signal.SIGINT, signal.SIG_IGN)


def _do(arguments: Sequence[str], debug: bool) -> int:
    """Run the verb; turn an error into one line and an exit code."""
    try:
        with terminated_as_interrupted():
            return _verb(*arguments)
    except PartFailed as error:  # the log has the tracebacks of the parts
        return complain(error)
    except UserError as error:
        if debug:
            raise
        return complain(error)
    except KeyboardInterrupt:
        if debug:
            raise
        tell("kernlearn: interrupted")
        return INTERRUPTED
    except Exception as error:  # the last line of defence
        if debug or isinstance(error, BrokenPipeError):
            raise
        if isinstance(error, OSError) and error.filename is not None:
            return complain(UserError(f"{error.filename}: {error.strerror}"))
        if isinstance(error, MemoryError):
            return complain(
                UserError("out of memory: use fewer examples, or raise the memory limit (ulimit -v shows it)")
            )
        if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
            return complain(UserError(f"{error.strerror}: the limit is too low (ulimit -n shows and raises it)"))
        tell(f"kernlearn: unexpected {one_line(error)} (--debug shows where; please report it)")
        return DEFECT


def _verb(verb: str = "--help", *rest: str) -> int:
    if verb in ("-h", "--help", "help"):
        verbs = "\n".join(f"  {verb:<9} {line}" for verb, (_, line) in VERBS.items())
        put(HELP.format(version=__version__, verbs=verbs))
        return 0
    if verb == "--version":
        put(f"kernlearn {__version__}\n")
        return 0
    if verb in ("-sc", "--shell-completion"):
        return import_module("kernlearn.cli.complete").main(list(rest), VERBS)
    if verb not in VERBS:
        near = closest(verb, VERBS)
        raise UserError(f"{verb}: no such verb, choose one of {', '.join(VERBS)} (kernlearn --help){near}")
    try:
        os.getcwd()
    except FileNotFoundError:
        raise UserError("the current directory does not exist any more; change to one that does") from None
    return import_module(VERBS[verb][0]).main(list(rest))


def _finish() -> None:
    """Flush the output now: if the disk is full, an error at the end of the process could not be reported."""
    try:
        sys.stdout.flush()
    except OSError:
        silence(sys.stdout)


class _Visible(logging.Formatter):
    """A formatter that escapes control characters, which would move the cursor."""

    def format(self, record: logging.LogRecord) -> str:
        return visible(super().format(record))


@contextmanager
def _log(level: int) -> Iterator[None]:
    """Show warnings and, with ``--debug``, the tracebacks of errors that are reported in one line."""
    log, handler = logging.getLogger("kernlearn"), logging.StreamHandler()
    handler.setFormatter(_Visible())
    before = log.level
    log.setLevel(level)
    log.addHandler(handler)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(before)


def _show_traceback(*error: Any) -> None:
    """Print the traceback of an uncaught error."""
    tell("".join(traceback.format_exception(*error)).rstrip())


if __name__ == "__main__":
    sys.exit(main())
