"""`python3 tests/benchmarks [word …]`: run every `bench_*.py` here whose name contains one of the words."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[0] = str(ROOT)


# The annotation is quoted so that an old Python gets as far as saying that it is too old.
def main(words: "list[str]") -> int:
    """Run the benchmarks one after the other, each in a process of its own; return how many failed."""
    from workbench import bootstrap

    bootstrap.prepare("test")
    import os
    import subprocess

    # Each measures its own peak of memory, so they must not share a process.
    code = "import runpy, sys; runpy.run_path(sys.argv[1])['main']()"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    failed = 0
    for path in sorted(HERE.glob("bench_*.py")):
        name = path.stem.removeprefix("bench_")
        if words and not any(word in name for word in words):
            continue
        print(f"== {name}", flush=True)
        failed += subprocess.run([sys.executable, "-c", code, str(path)], env=environment, check=False).returncode != 0
    return failed


if __name__ == "__main__":
    raise SystemExit(min(main(sys.argv[1:]), 1))
