"""The one exception whose message is meant for the person at the keyboard."""


class UserError(ValueError):
    """A mistake that the user can mend; its message is one line that says how.

    The command line prints the message alone and leaves with exit code 2. It is a ``ValueError``, so that
    code which calls the library needs no import to catch it.
    """
