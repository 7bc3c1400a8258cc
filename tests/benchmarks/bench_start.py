"""Commands that compute little: their processor time beside that of `import numpy`, measured in turn."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median

ROOT = Path(__file__).parents[2]
TIMES = 11
AIM = 2.5
ARITHMETIC = ("guarantee", "--epsilon", "1", "--delta", "1e-5")
SCRIPT = Path(sys.executable).with_name("workbench")


def seconds(command: list[str]) -> float:
    """Seconds of processor that a process takes, its own and the system's for it."""
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, cwd=ROOT, check=True)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    ways = {"python -m workbench": [sys.executable, "-m", "workbench"]}
    if SCRIPT.exists():
        ways["workbench"] = [str(SCRIPT)]
    commands = {
        f"{way} {words[0]}": [*start, *words]
        for way, start in ways.items()
        for words in (("--version",), ("--help",), ARITHMETIC)
    }
    numpy = [sys.executable, "-c", "import numpy"]
    ratios: dict[str, list[float]] = {name: [] for name in commands}
    took: dict[str, list[float]] = {name: [] for name in commands}
    for turn in range(TIMES + 1):
        for name, command in commands.items():
            beside, own = seconds(numpy), seconds(command)
            if turn:  # the first one compiles what is not compiled yet
                ratios[name].append(own / beside)
                took[name].append(own)
    for name in commands:
        print(f"{name:32} {median(took[name]):.3f} s, {median(ratios[name]):.2f} × import numpy (aim at most {AIM})")


if __name__ == "__main__":
    main()
