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

from kernlearn import __version__, documents
from kernlearn.cli.parser import EVERY_VERB, switches_in_words
from kernlearn.errors import PartFailed, UserError, closest, one_line
from kernlearn.interrupts import let_through, terminated_as_interrupted
from kernlearn.streams import complain, occupy, put, silence, tell, write_events

#: Verbs: the module whose ``main(arguments)`` runs the verb, and one line for the help.
VERBS = {
    "run": ("kernlearn.cli.run", "run one experiment: kernlearn run algo=vkr dataset=ionosphere"),
    "compare": ("kernlearn.cli.compare", "rank methods on your own data: kernlearn compare my.csv target=label"),
    "sweep": (
        "kernlearn.cli.sweep",
        "run many experiments, here or on a cluster: kernlearn sweep algo=vkr,l1_svm dataset=all",
    ),
    "status": ("kernlearn.cli.results.status", "show the progress of sweeps"),
    "watch": ("kernlearn.cli.results.watch", "watch sweeps and runs until nothing is left"),
    "reproduce": (
        "kernlearn.cli.reproduce",
        "reproduce a table or figure of a paper: kernlearn reproduce vkr2015/table1",
    ),
    "replay": ("kernlearn.cli.replay", "compute a sample of kept results again: kernlearn replay --budget 5m"),
    "paper": ("kernlearn.cli.paper", "start a paper of your own: kernlearn paper new my_paper --from printed.csv"),
    "report": (
        "kernlearn.cli.results.report",
        "write results as one page of HTML: kernlearn report vkr2015/table1 -o page.html",
    ),
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
    "plot": (
        "kernlearn.cli.results.plot",
        "draw pictures of a result: kernlearn plot vkr2015/table1 -o table1.pdf",
    ),
    "export": (
        "kernlearn.cli.results.export",
        "write a result for a paper or a spreadsheet: kernlearn export vkr2015/table1 --to latex",
    ),
    "diff": ("kernlearn.cli.results.diff", "show what differs between results: kernlearn diff HEAD~5 results"),
    "data": ("kernlearn.cli.data", "list, describe, fetch and verify data sets"),
    "check": ("kernlearn.cli.check", "check this installation"),
}

HELP = """\
kernlearn {version}: kernel-learning research re-run, certified and usable.

usage: kernlearn VERB [ARGUMENTS]

{verbs}

options:
  -h, --help       show this text; kernlearn VERB --help shows the help of a verb
  --version        show the version

every verb takes:
{switches}

tab completion: eval "$(kernlearn -sc install=bash)", or install=zsh; kernlearn -sc install=fish | source
"""

INTERRUPTED = 130
#: Exit code of an unexpected error: a bug of kernlearn.
DEFECT = 3
#: A logger that says nothing about results.
COMPILED = "kernlearn.compiled"
#: Words that ask for a text, which is printed as it is with ``--json``, too.
TEXTS = {"-h", "--help", "help", "--version", "-sc", "--shell-completion"}


def main(argv: Sequence[str] | None = None) -> int:
    """Run a verb and return the exit code.

    It is 0 for success, 1 if part of the work failed, 2 for a user error and 3 for a bug.
    """
    given = list(sys.argv[1:] if argv is None else argv)
    if given[:1] == ["verify"] and "--json" in given:
        given = ["verify", *import_module(VERBS["verify"][0]).without_old_receipt(given[1:])]
    arguments = [argument for argument in given if argument not in EVERY_VERB]
    debug, as_json = "--debug" in given, "--json" in given and TEXTS.isdisjoint(arguments)
    occupy()
    if sys.stdout is None:
        return complain(UserError("cannot write to the standard output: it is closed"))
    if hasattr(sys.stdout, "reconfigure"):  # names outside of the terminal's encoding are shown escaped
        sys.stdout.reconfigure(errors="backslashreplace")
    if debug and argv is None:
        sys.excepthook = _show_traceback
    write_events("--progress=json" in given)
    try:
        with _log(logging.DEBUG if debug else logging.WARNING):
            return _documented(arguments, debug) if as_json else _do(arguments, debug)
    except BrokenPipeError:  # the reader of the pipe is gone, so nothing more can be printed
        silence(sys.stdout)
        return 1
    except KeyboardInterrupt:  # a second Ctrl-C, while the message about the first was printed
        if debug:
            raise
        return INTERRUPTED
    finally:
        _finish()
        write_events(False)
        if argv is None:  # all is written; a Ctrl-C while the workers end would only print a traceback
            signal.signal(signal.SIGINT, signal.SIG_IGN)


def _documented(arguments: Sequence[str], debug: bool) -> int:
    """Run the verb and write its JSON document, which has the exit code, and the error if there is one."""
    try:
        with documents.opened(next(iter(arguments), "")):
            code = _do(arguments, debug)
            documents.write(code)
            return code
    except UserError as error:  # the document cannot be written
        return complain(error)


def _do(arguments: Sequence[str], debug: bool) -> int:
    """Run the verb; turn an error into one line and an exit code."""
    came: Sequence[int] = ()
    try:
        with terminated_as_interrupted() as came:
            let_through()
            return _verb(*(arguments or ([""] if documents.wanted() else [])))
    except (Exception, KeyboardInterrupt) as error:
        if isinstance(error, BrokenPipeError):  # the reader of the output is gone
            raise
        if debug and not isinstance(error, PartFailed):  # the log has the tracebacks of the parts
            if not documents.wanted():
                raise
            tell("".join(traceback.format_exception(error)).rstrip())
        code, words = _reported(KeyboardInterrupt() if came and _for_user(error) is None else error)
        documents.fail(words)
        return code


def _reported(error: Exception | KeyboardInterrupt) -> tuple[int, str]:
    """Print an error in one line; return the exit code and the line."""
    if isinstance(error, KeyboardInterrupt):
        tell("kernlearn: interrupted")
        return INTERRUPTED, "interrupted; repeat the command to continue"
    known = _for_user(error)
    if known is not None:
        return complain(known), " ".join(str(known).split())
    words = f"unexpected {one_line(error)}"  # the last line of defence
    tell(f"kernlearn: {words} (--debug shows where; please report it)")
    return DEFECT, f"{words}; --debug shows where; please report it"


def _for_user(error: Exception | KeyboardInterrupt) -> UserError | PartFailed | None:
    """Return an error as one that the user can mend; None for a bug of kernlearn."""
    if isinstance(error, UserError | PartFailed):
        return error
    if isinstance(error, OSError) and error.filename is not None:
        return UserError(f"{error.filename}: {error.strerror}")
    if isinstance(error, MemoryError):
        return UserError("out of memory: use fewer examples, or raise the memory limit (ulimit -v shows it)")
    if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
        return UserError(f"{error.strerror}: the limit is too low (ulimit -n shows and raises it)")
    return None


def _verb(verb: str = "--help", *rest: str) -> int:
    if not verb:  # of --json alone, where the help would be no document
        raise UserError(f"no verb is given, choose one of {', '.join(VERBS)}; kernlearn --help shows what they do")
    if verb in ("-h", "--help", "help"):
        width = max(map(len, VERBS))
        verbs = "\n".join(f"  {verb:<{width}} {line}" for verb, (_, line) in VERBS.items())
        put(HELP.format(version=__version__, verbs=verbs, switches=switches_in_words(EVERY_VERB, 17)))
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


class _Told(logging.Handler):
    """A handler that writes to the standard error stream; warnings are notes of the JSON document, too."""

    def emit(self, record: logging.LogRecord) -> None:
        words = self.format(record)
        tell(words)
        if record.levelno >= logging.WARNING and record.name != COMPILED:
            documents.add_note(words)


@contextmanager
def _log(level: int) -> Iterator[None]:
    """Show warnings and, with ``--debug``, the tracebacks of errors that are reported in one line."""
    log, handler = logging.getLogger("kernlearn"), _Told()
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
