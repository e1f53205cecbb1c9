"""The command ``kernlearn``: hold Ctrl-C back until an answer to it can be given, then run `kernlearn.cli.main`."""

import signal


def main() -> int:
    """Run the command line.

    A Ctrl-C while Python imports it would end in a traceback. It waits for `kernlearn.interrupts.let_through` instead,
    after which it is reported in one line.
    """
    if hasattr(signal, "pthread_sigmask"):  # not on Windows
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    from kernlearn.cli.main import main

    return main()
