"""The exceptions whose messages are meant for the person at the keyboard."""

import logging
from collections.abc import Iterable

log = logging.getLogger(__name__)


class UserError(ValueError):
    """A mistake that the user can mend; its message is one line that says how.

    The command line prints the message alone and leaves with exit code 2. It is a ``ValueError``, so that
    code which calls the library needs no import to catch it.
    """


class PartFailed(Exception):
    """Part of the work failed and the rest is done; the command line leaves with exit code 1."""


def one_line(error: Exception) -> str:
    """Return an error in one line: its words, after the name of its kind where they are not meant for a user.

    Its traceback goes to the log, which ``--debug`` shows.
    """
    log.debug("", exc_info=error)
    words = " ".join(str(error).split())
    return words if isinstance(error, UserError | PartFailed) else f"{type(error).__name__}: {words}"


def misfit(error: Exception) -> str:
    """Return in words that values of a file, or of a file and data, contradict each other, as an error shows.

    The error is one of Python or a library, whose words say nothing to a user; ``--debug`` shows them.
    """
    log.debug("", exc_info=error)
    return f"its values do not fit together ({type(error).__name__}; --debug shows where)"


def closest(word: object, names: Iterable[str]) -> str:
    """Return "; did you mean NAME?" for the name that is most like a word which is none of them, or nothing."""
    from difflib import get_close_matches

    by_letters = {name.lower(): name for name in names}
    matches = get_close_matches(str(word).lower(), by_letters, n=1)
    return f"; did you mean {by_letters[matches[0]]}?" if matches else ""
