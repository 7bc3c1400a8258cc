"""The one way in: the scripts `workbench` and `workbench-gui`, and `python -m workbench`, begin here.

What is imported here is imported before Ctrl+C is heeded, and so is all that Python does by then: hardly anything.
"""

import sys

TYPE_CHECKING = False  # that of `typing` would have to be imported
if TYPE_CHECKING:
    import signal
    from collections.abc import Callable
else:
    import _signal as signal  # as in guard.py


def command_line() -> int:
    """Run the command line, and return its exit code: the script `workbench`."""

    def run() -> int:
        from workbench.guard import importing

        with importing():
            _serve_if_asked()
            _keep_environment()
            from workbench.cli.main import main
        return main()

    return begin(run)


def window() -> int:
    """Show the window, and return its exit code: the script `workbench-gui`."""

    def run() -> int:
        from workbench.guard import importing

        with importing():
            _serve_if_asked()
            _keep_environment()
            from workbench.gui.app import main
        return main()

    return begin(run)


def begin(run: "Callable[[], int]") -> int:
    """Run a program under the guard and return its exit code; Ctrl+C while that is loaded ends it at once."""
    heeded = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    try:
        if heeded:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
    except ValueError:  # only the main thread may say
        heeded = False
    from workbench.guard import guarded

    if heeded:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    return guarded(run)


def _serve_if_asked() -> None:
    """A bundle has no Python to start for a file that is read or a pattern: it starts itself, with a flag."""
    if getattr(sys, "frozen", False):
        from workbench.core import bounded_patterns
        from workbench.io.foreign import worker

        worker.serve_if_asked()
        bounded_patterns.serve_if_asked()


def _keep_environment() -> None:
    """Keep the environment that a start has made for a checkout from being swept away under its program."""
    from pathlib import Path

    from workbench.environments import hold

    hold(Path(sys.prefix))
