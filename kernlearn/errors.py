"""The exceptions whose messages are meant for the person at the keyboard."""

import sys


class UserError(ValueError):
    """A mistake that the user can mend; its message is one line that says how.

    The command line prints the message alone and leaves with exit code 2. It is a ``ValueError``, so that
    code which calls the library needs no import to catch it.
    """


class PartFailed(Exception):
    """Part of the work failed and the rest is done; the command line leaves with exit code 1."""


def complain(error: UserError | PartFailed) -> int:
    """Print an error as one line on the standard error stream and return its exit code."""
    words = " ".join(str(error).split())
    if isinstance(error, PartFailed):
        print(f"kernlearn: {words}", file=sys.stderr)
        return 1
    print(f"kernlearn: error: {words}", file=sys.stderr)
    return 2
