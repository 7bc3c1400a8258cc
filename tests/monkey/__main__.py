"""`python3 tests/monkey [--seed N] [--runs N] [--seconds N]`: let monkeys use the real window, and count what broke."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# In place of this folder, whose modules have names of their own.
sys.path[0] = str(ROOT)


# The annotation is quoted so that an old Python gets as far as saying that it is too old.
def main(words: "list[str]") -> int:
    """Run the monkeys one after the other, each in a process and a home of its own; return 1 if anything was found."""
    from workbench import bootstrap

    bootstrap.prepare("test")
    import argparse
    import random
    import tempfile

    from tests.monkey.runs import one_run

    parser = argparse.ArgumentParser(prog="python3 tests/monkey", description=__doc__)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6), help="of the first monkey; any by default")
    parser.add_argument("--runs", type=int, default=1, help="how many monkeys, with seeds one after the other")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long each of them has")
    options = parser.parse_args(words)
    found = False
    for seed in range(options.seed, options.seed + options.runs):
        with tempfile.TemporaryDirectory(prefix="workbench-monkey-") as folder:
            run = one_run(seed, options.seconds, Path(folder))
        print(run, flush=True)
        found = found or bool(run.findings)
    return int(found)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
