"""The command line: one module for each verb, imported when the verb is called."""

import signal


def start() -> int:
    """Run the command ``kernlearn``.

    A Ctrl-C while Python imports the command line would end in a traceback. It waits for
    `kernlearn.interrupts.let_through` instead, after which it is reported in one line.
    """
    if hasattr(signal, "pthread_sigmask"):  # not on Windows
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    from kernlearn.cli.main import main

    return main()
