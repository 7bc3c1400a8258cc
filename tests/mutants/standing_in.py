"""A changed module in place of the real one, here and in other processes; no file of the project is touched."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import sys
from pathlib import Path
from types import CodeType, ModuleType

_VARIABLE = "WORKBENCH_MUTANT"
_START = """import runpy
runpy.run_path({path!r})["stand_in_again"]()
"""


class _Changed(importlib.machinery.SourceFileLoader):
    def __init__(self, fullname: str, path: str, source: str) -> None:
        super().__init__(fullname, path)
        self._source = source

    def get_code(self, fullname: str) -> CodeType:
        return compile(self._source, self.path, "exec", dont_inherit=True)


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self, module: str, path: str, source: str) -> None:
        self._module, self._path, self._source = module, path, source

    def find_spec(
        self, fullname: str, path: object, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self._module:
            return None
        loader = _Changed(fullname, self._path, self._source)
        folder = [str(Path(self._path).parent)] if Path(self._path).name == "__init__.py" else None
        return importlib.util.spec_from_file_location(
            fullname, self._path, loader=loader, submodule_search_locations=folder
        )


def stand_in(root: Path, file: str, source: bytes, scratch: Path) -> None:
    """Let a file's changed source be imported from now on, here and in every Python that is started from here.

    Parameters
    ----------
    root, file
        The project's folder, and the module's path below it.
    source
        What the file would hold.
    scratch
        A folder for what other processes read.
    """
    module = ".".join(Path(file).with_suffix("").parts).removesuffix(".__init__")
    content = {"module": module, "path": str(root / file), "source": source.decode()}
    note = scratch / "mutant.json"
    note.write_text(json.dumps(content), encoding="utf-8")
    (scratch / "sitecustomize.py").write_text(_START.format(path=__file__), encoding="utf-8")
    os.environ[_VARIABLE] = str(note)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(scratch), os.environ.get("PYTHONPATH", "")]))
    sys.meta_path.insert(0, _Finder(**content))


def stand_in_again() -> None:
    """Do the same in a process that was started from there."""
    sys.meta_path.insert(0, _Finder(**json.loads(Path(os.environ[_VARIABLE]).read_text(encoding="utf-8"))))
