"""Plain answers about a file that was released: everybody who has the file can count it, so no noise and no price.

What such an answer rests on is the statement that came with the file: it is verified first, and an answer about a file
whose statement does not hold is refused.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import shown
from workbench.core.progress import SILENT, Progress
from workbench.query.answer import AnswerForm, ReleasedAnswer
from workbench.query.catalogue import QUERIES, NoiseSource, QueryDraft
from workbench.query.circumstances import unit_shown, values_answered, whose_value
from workbench.query.partition import cell_names, uneven_cells
from workbench.query.plans import QueryPlan
from workbench.query.rows import Rows
from workbench.session.verifying.beside import received_files, verify_received

_OF_NOISE = ("parts", "tool")
"""What a question says of the noise of its answer."""


@dataclass(frozen=True)
class PlainAnswer:
    """An answer of a released file, without noise.

    Parameters
    ----------
    question
        Everything public it was asked with.
    released
        The answer, without an interval.
    rests_on
        The claim of the file's statement, in a sentence.
    asserted
        What the publisher of the file asserted.
    """

    question: Mapping[str, Any]
    title: str
    what: str
    released: ReleasedAnswer
    rests_on: str
    asserted: tuple[str, ...] = ()

    @property
    def limited(self) -> str:
        """Which values it is about, as of an answer that was paid for."""
        return values_answered(self.question)

    @property
    def told(self) -> ReleasedAnswer:
        """The answer as it is shown, with the unit of `unit_shown`; `released` is as it is recorded."""
        return replace(self.released, unit=unit_shown(self.released.unit, self.question))

    @property
    def whose_value(self) -> str:
        """Whose value or values the answer comes near to, as of a sentence."""
        return whose_value(self.question, self.released.unit)

    @property
    def names(self) -> tuple[tuple[str, ...], ...]:
        """The labels of each axis of the answer, as they are shown."""
        return cell_names(self.released.labels, self.question)

    def answers(self, asked: QueryPlan) -> bool:
        """Whether it is the answer to this question, whatever that would cost with noise."""
        mine, theirs = (
            {name: value for name, value in one.items() if name not in _OF_NOISE}
            for one in (self.question, asked.parameters)
        )
        return mine == theirs

    @property
    def uneven(self) -> str:
        """Which bins are wider than the others, or ""."""
        return " ".join(uneven_cells(self.question))


def has_statement(path: Path) -> bool:
    """Whether a statement lies beside a file, so that a plain answer can be offered; that it holds is found later."""
    with contextlib.suppress(WorkbenchError, OSError, ValueError):
        return bool(received_files(path).named)
    return False


def without_price(draft: QueryDraft) -> QueryDraft:
    """The question as it is asked where its ε and its noise do not matter."""
    needs = draft.kind in QUERIES and QUERIES[draft.kind].needs_epsilon
    return replace(draft, epsilon="1" if needs else "", noise=NoiseSource.GRID, tool="")


def verified_claim(path: Path, opened: str, progress: Progress = SILENT) -> tuple[str, tuple[str, ...]]:
    """The claim of the statement beside a released file and what its publisher asserted, once it is found to hold.

    Parameters
    ----------
    opened
        The SHA-256 of the file whose rows are to be counted, as it was opened.

    Raises
    ------
    WorkbenchError
        If there is no statement, it does not hold, or another file lies there by now.
    """
    found = verify_received(received_files(path), progress=progress)
    if found.fingerprint != opened:
        raise WorkbenchError(
            f"“{path.name}” is not the file any more that was opened, so its statement says nothing of these rows.",
            hint="Open it again, or ask with noise.",
            field="plain",
        )
    claim = found.claim
    if claim is None:
        raise WorkbenchError(
            f"{found.verdict} So nobody knows what a plain answer about “{path.name}” would rest on.",
            hint="Verify the file with its statement, or ask with noise.",
            field="plain",
        )
    return claim.sentence, claim.asserted


def plain_answer(one: QueryPlan, rows: Rows, rests_on: str, asserted: tuple[str, ...]) -> PlainAnswer:
    """The true answer to a question about the rows of a released file.

    Raises
    ------
    WorkbenchError
        If the question names one of several candidates, whose counts say more.
    """
    mechanism = one.mechanism
    if mechanism.form is AnswerForm.CHOICE:
        raise WorkbenchError(
            f"“{one.kind.title}” has no plain answer.",
            hint="Ask for a histogram, which without noise says it too.",
            field="kind",
        )
    statistic = mechanism.measure(rows)
    value = mechanism.shaped(mechanism.truth(statistic))
    single = mechanism.form is AnswerForm.NUMBER
    released = ReleasedAnswer(
        mechanism.form,
        value,
        labels=mechanism.named(statistic),
        shown=shown(float(value), None, 9) if single else "",
        unit=mechanism.unit,
        positions=mechanism.positions,
    )
    return PlainAnswer(one.parameters, one.kind.title, one.what, released, rests_on, asserted)
