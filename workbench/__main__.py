"""`python3 -m workbench`: prepare the environment where needed, then run the command line."""

from workbench import bootstrap


def main() -> int:
    """Run the program and return its exit code."""
    bootstrap.prepare()
    # Only now: this needs what the line above has installed.
    with bootstrap.explaining_missing_libraries():
        from workbench.cli.main import main as run

        return run()


if __name__ == "__main__":
    raise SystemExit(main())
