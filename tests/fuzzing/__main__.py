"""`python tests/fuzzing [target …]`: change files of every kind at random and see that each is accepted or explained.

Each target has a process of its own, so that its memory can be told and no crash ends the others:

    python tests/fuzzing                                  every target for ten seconds
    python tests/fuzzing ledger reports --seconds 600     two of them for ten minutes each
    python tests/fuzzing project --inputs 5000 --seed 7   the same inputs again
    python tests/fuzzing project --repeat FILE            one input that was kept, with its traceback
    python tests/fuzzing --list                           what there is
"""

import argparse
import json
import os
import sys
import types
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[0] = str(ROOT)
# Some library brings a package “tests” of its own, which would be found instead of this folder.
sys.modules["tests"] = types.ModuleType("tests")
sys.modules["tests"].__path__ = [str(ROOT / "tests")]
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def parsed(words: list[str]) -> argparse.Namespace:
    """The options as they were typed."""
    parser = argparse.ArgumentParser(prog="python tests/fuzzing", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="which (default: all)")
    parser.add_argument("--seconds", type=float, default=10.0, help="for each target (default: 10)")
    parser.add_argument("--inputs", type=int, help="so many for each target, however long that takes")
    parser.add_argument("--seed", type=int, help="of the inputs (default: another one each time)")
    parser.add_argument("--keep", type=Path, default=Path("fuzzing-finds"), help="folder for what was found")
    parser.add_argument("--repeat", type=Path, metavar="FILE", help="only read this file")
    parser.add_argument("--list", action="store_true", help="say which targets there are")
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args(words)


def main(words: list[str]) -> int:
    """Hunt and print the table; returns 1 if something was found."""
    options = parsed(words)
    from workbench import bootstrap

    bootstrap.prepare("test")
    from tests.fuzzing.targets import TARGETS

    chosen = options.targets or list(TARGETS)
    unknown = [name for name in chosen if name not in TARGETS]
    if unknown:
        print(f"There is no target “{unknown[0]}”. Known are: {', '.join(TARGETS)}.", file=sys.stderr)
        return 2
    if options.list:
        print("\n".join(TARGETS))
        return 0
    if options.repeat is not None:
        return _repeated(TARGETS[chosen[0]], options.repeat)
    seed = int.from_bytes(os.urandom(4)) if options.seed is None else options.seed
    if options.alone:
        return _alone(TARGETS[chosen[0]], seed, options)
    return _table(chosen, seed, options)


def _repeated(target: object, file: Path) -> int:
    from tests.fuzzing.hunting import outcome

    accepted = outcome(target, file.read_bytes(), limited=True)
    print("accepted" if accepted else "explained")
    return 0


def _alone(target: object, seed: int, options: argparse.Namespace) -> int:
    """One target in this process; what came of it goes to standard output as JSON."""
    from tests.fuzzing.hunting import hunt

    out = os.dup(1)
    os.dup2(2, 1)  # what readers print is none of it
    seconds = None if options.inputs is not None else options.seconds
    tally = hunt(
        target,
        seed,
        inputs=options.inputs,
        seconds=seconds,
        folder=options.keep.resolve(),
        limited=True,
    )
    with os.fdopen(out, "w", encoding="utf-8") as stream:
        json.dump(tally.plain(), stream)
    return 0


def _table(chosen: list[str], seed: int, options: argparse.Namespace) -> int:
    import subprocess

    from tests.fuzzing.hunting import Find, Tally

    print(f"seed {seed}")
    print(f"{'target':<15} | {'inputs':>9} | {'accepted':>9} | {'explained':>9} | unexpected | slowest | max RSS")
    told, total = list[str](), 0
    amount = ["--seconds", str(options.seconds)] if options.inputs is None else ["--inputs", str(options.inputs)]
    for name in chosen:
        words = [sys.executable, str(HERE), name, "--alone", "--seed", str(seed), "--keep", str(options.keep), *amount]
        done = subprocess.run(words, stdout=subprocess.PIPE, check=False)
        if done.returncode:
            told.append(f"{name}: the process ended with {done.returncode}; its input is {options.keep}/{name}-*-now*.")
            print(f"{name:<15} | the process ended with {done.returncode}", flush=True)
            continue
        plain = json.loads(done.stdout)
        tally = Tally(**{**plain, "finds": {key: Find(**find) for key, find in plain["finds"].items()}})
        total += tally.inputs
        print(
            f"{name:<15} | {tally.inputs:>9,} | {tally.accepted:>9,} | {tally.explained:>9,} | "
            f"{tally.unexpected:>10,} | {tally.slowest:>5.1f} s | {tally.megabytes:>4,.0f} MB",
            flush=True,
        )
        told += [tally.told()] if tally.finds else []
    print(f"{'together':<15} | {total:>9,}")
    print("\n".join(told), file=sys.stderr)
    return 1 if told else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
