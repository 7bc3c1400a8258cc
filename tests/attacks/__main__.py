"""`python3 tests/attacks [kind …] [--seed N] [--kills N]`: kill the program at random moments, and look at the disk."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# In place of this folder, whose modules have names of their own.
sys.path[0] = str(ROOT)


# The annotation is quoted so that an old Python gets as far as saying that it is too old.
def main(words: "list[str]") -> int:
    """Kill and count; returns 1 if something is wrong."""
    from workbench import bootstrap

    bootstrap.prepare("test")
    from tests.attacks.kills import main as kill

    return kill(words)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
