"""`python3 -m workbench`: prepare the environment where needed, then run the command line."""

import sys

from workbench import bootstrap

INTERRUPTED = 130


def main() -> int:
    """Run the program and return its exit code."""
    try:
        bootstrap.prepare()
        # Only now: this needs what the line above has installed.
        with bootstrap.explaining_missing_libraries():
            from workbench.cli.main import main as run

            return run()
    except KeyboardInterrupt:  # before there is a command that could explain it
        print("workbench: interrupted.", file=sys.stderr)
        return INTERRUPTED


if __name__ == "__main__":
    raise SystemExit(main())
