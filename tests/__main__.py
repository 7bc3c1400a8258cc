"""`python3 tests [pytest's arguments]`: prepare the environment where needed, then run the whole suite."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# In place of this folder, whose packages have names of their own: `io`, `core`, …
sys.path[0] = str(ROOT)


# The annotation is quoted so that an old Python gets as far as saying that it is too old.
def main(arguments: "list[str]") -> int:
    """Run pytest and return its exit code."""
    from workbench import bootstrap, guard

    def run() -> int:
        bootstrap.prepare("test")
        with guard.importing():
            import PySide6.QtWidgets  # noqa: F401
            import pytest

        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        os.chdir(ROOT)
        parallel = ["-n", "auto", "--maxprocesses", "8", "--dist", "worksteal"]
        chosen = any(text.startswith(("-n", "--numprocesses", "--dist", "--pdb")) for text in arguments)
        return int(pytest.main([*([] if chosen else parallel), *arguments]))

    return guard.guarded(run)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
