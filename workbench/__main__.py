"""`python3 -m workbench`: prepare the environment where needed, then run the command line."""

from workbench import starting


def main() -> int:
    """Run the program and return its exit code."""

    def run() -> int:
        from workbench.guard import importing

        with importing():
            from workbench import bootstrap
        bootstrap.prepare(bootstrap.PROGRAM)
        # Only now: this needs what the line above has installed.
        return starting.command_line()

    return starting.begin(run)


if __name__ == "__main__":
    raise SystemExit(main())
