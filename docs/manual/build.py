"""Build the manual: `python docs/manual/build.py`, with the extra `dev` installed.

The pages go to `resources/manual`, with the man page, the completions of shells and the schemas of answers;
`--to FOLDER` puts them elsewhere.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILT = ROOT / "resources" / "manual"
LARGEST = 4 * 1024 * 1024
_NOT_SHIPPED = ("*.map", ".buildinfo", "objects.inv", "basic.css.orig")

sys.path[:0] = [str(ROOT), str(HERE)]


def build(target: Path) -> None:
    """Make all pages below a folder, which is emptied first.

    Raises
    ------
    SystemExit
        If Sphinx warns of anything, such as a link that leads nowhere, or the pages are too large.
    """
    import reference
    import shells
    from sphinx.cmd.build import build_main

    from workbench.cli.answers import files as schemas

    with tempfile.TemporaryDirectory() as folder:
        source, made = Path(folder, "source"), Path(folder, "made")
        shutil.copytree(HERE, source, ignore=shutil.ignore_patterns("__pycache__"))
        for name, text in reference.pages().items():
            page = source / f"{name}.md"
            page.parent.mkdir(exist_ok=True)
            page.write_text(text, encoding="utf-8")
        failed = build_main(["-q", "-W", "--keep-going", "-b", "html", "-d", f"{folder}/trees", str(source), str(made)])
        if failed:
            raise SystemExit(f"Sphinx ended with {failed}.")
        for pattern in _NOT_SHIPPED:
            for file in made.rglob(pattern):
                file.unlink()
        shutil.rmtree(made / "_sources", ignore_errors=True)
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(made, target)
    for name, text in shells.files().items():
        (target / name).write_text(text, encoding="utf-8")
    (target / "schemas").mkdir()
    for name, text in schemas().items():
        (target / "schemas" / name).write_text(text, encoding="utf-8")
    size = sum(file.stat().st_size for file in target.rglob("*") if file.is_file())
    if size > LARGEST:
        raise SystemExit(f"The manual has {size:,} bytes, and may have {LARGEST:,}.")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Build the manual.")
    parser.add_argument("--to", type=Path, default=BUILT)
    build(parser.parse_args().to)
