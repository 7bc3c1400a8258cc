"""The one way in: the scripts `workbench` and `workbench-gui`, and `python -m workbench`, begin here."""

from __future__ import annotations

import sys

from workbench.guard import guarded, importing


def command_line() -> int:
    """Run the command line, and return its exit code: the script `workbench`."""

    def run() -> int:
        with importing():
            _serve_if_asked()
            _keep_environment()
            from workbench.cli.main import main
        return main()

    return guarded(run)


def window() -> int:
    """Show the window, and return its exit code: the script `workbench-gui`."""

    def run() -> int:
        with importing():
            _serve_if_asked()
            _keep_environment()
            from workbench.gui.app import main
        return main()

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
