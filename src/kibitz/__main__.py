"""What the command ``kibitz`` and ``python -m kibitz`` start.

Ctrl-C is answered from the first moment on, while everything else is still being imported.
"""

import sys

#: The exit code after Ctrl-C, as in shells: 128 plus the number of the signal.
INTERRUPTED = 130


def main() -> None:
    """Run a command; Ctrl-C ends it with one line, unless the command itself has an answer to it."""
    try:
        from kibitz import cli

        cli.main()
    except KeyboardInterrupt:
        import signal

        signal.signal(signal.SIGINT, signal.SIG_DFL)  # whoever presses it again while things are put away means it
        print("kibitz: interrupted", file=sys.stderr)
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
