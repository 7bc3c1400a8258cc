"""Sentences a person said of a table before a draw, kept beside a project: a member of its file, and no setting.

So it comes back with the project, and nothing that was drawn is out of date because it was said.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from workbench.anonymise.terms import BOTH_NOT_TOLD, PEOPLE_NOT_TOLD
from workbench.project.archive import BROKEN, member

_MEMBER = "said.json"
_MAY_COME_BACK = frozenset({PEOPLE_NOT_TOLD, BOTH_NOT_TOLD})
_LARGEST = 64 * 1024


@dataclass(frozen=True)
class SaidBeside:
    """Sentences that were said of some rows of a table.

    Parameters
    ----------
    sentences
        Assertions, as a claim has them.
    of
        Of which rows they were said: the filter and the research sample of then; None for nothing.
    """

    sentences: frozenset[str] = frozenset()
    of: tuple[str, float] | None = None

    def note(self) -> Mapping[str, str]:
        """The member of a project's file, by its name; none where nothing was said."""
        if not self.sentences or self.of is None:
            return {}
        return {_MEMBER: json.dumps({"sentences": sorted(self.sentences), "of": list(self.of)}, ensure_ascii=False)}

    @classmethod
    def of_file(cls, path: Path) -> SaidBeside:
        """What was said with the project in a file; nothing where it does not say so, or not as this program does."""
        try:
            with zipfile.ZipFile(path) as archive:
                if _MEMBER not in archive.namelist():
                    return cls()
                found = json.loads(member(archive, _MEMBER, _LARGEST))
            sentences, (where, sample) = found["sentences"], found["of"]
            if not all(isinstance(one, str) for one in (*sentences, where)) or not isinstance(sample, int | float):
                return cls()
            # Whoever made the file puts no other words in anybody's mouth.
            return cls(_MAY_COME_BACK.intersection(sentences), (where, float(sample)))
        except (OSError, LookupError, TypeError, ValueError, AttributeError, RecursionError, *BROKEN):
            return cls()
