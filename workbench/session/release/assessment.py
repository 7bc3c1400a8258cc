"""Assessment of the current settings, computed apart from the widgets and on any thread."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from workbench.anonymise.claim import Claim
from workbench.anonymise.promise import ReleaseGuarantee
from workbench.anonymise.reasons import Reason
from workbench.anonymise.recipe import ReleaseMechanism, Treatment
from workbench.anonymise.trim_guarantee import TrimGuarantee
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import count
from workbench.core.progress import SILENT, Progress
from workbench.core.usual_delta import delta_advice
from workbench.engines.dispatch import engine_of
from workbench.session.release.by_rule import fitting_table
from workbench.session.release.column_details import DetailOutlook
from workbench.session.release.finer_offer import FineChoice, fine_choice
from workbench.session.release.forecast_changes import ForecastChanges
from workbench.session.release.prospect import Prospect, counts_people, details_of, prospect_of
from workbench.session.release.purpose import others_tell
from workbench.session.release.remedies import (
    AnotherDraw,
    draw_without_stars,
    remedies,
    rows_first,
    spare_columns,
    what_is_lost,
)
from workbench.session.release.star_choice import StarChoice, star_choice
from workbench.session.release.tried_remedy import OutlookRemedy
from workbench.session.session import Session

_QUICK_ROWS = 50_000
_QUICK_LABELS = 50_000


@dataclass(frozen=True)
class PromiseAssessment:
    """The answer of the calculator, the verdict on the claim, and what stands in the way of a run.

    Parameters
    ----------
    guarantee
        The solved calculator, None if `error` says why not.
    error
        Why the calculator has no answer; its `field` names the culprit.
    claim
        What could be claimed for a run; None without a guarantee.
    uncovered
        For each generalised column whose hierarchy misses values of the data: those values, which become `*`. Empty
        until a look at the data is recorded, as they are values of the true rows.
    grouped
        Columns that take part in the grouping.
    current
        Whether the result that is there belongs to these settings.
    prospect
        What a run would cost and leave, from public facts; None without a guarantee.
    pending
        This is the answer to earlier settings; the one to the present ones is being worked out.
    remedies
        What would make the prospect better.
    details
        In how many rows each column is likely to come out at which level, and how many people a value needs.
    vanishing
        What it costs that columns must not become `*`, and which values are likely to vanish, in sentences.
    lost, rare
        The first of these, and the second in a sentence, of what is ticked first.
    large_delta
        That δ is above one in the rows that are expected, in a sentence; of what was typed alone. "" if it is not.
    delta_advice
        How small δ should be for the rows that are expected, where it is larger and `large_delta` says nothing.
    another
        A draw that would say more than the one that is there.
    spare
        Columns of that one which say nothing in any row, and can be left out of its file for nothing.
    stars
        The two ways for columns that matter most, where they may become `*`.
    fine
        The two details of one that is likely to come out in few intervals.
    changes
        What the last step made of the forecast, as far as somebody follows it.
    others_tell
        Whether a column that is not ticked is likely to say something in a row, if the others are in the file too.
    """

    guarantee: ReleaseGuarantee | None = None
    error: WorkbenchError | None = None
    claim: Claim | None = None
    uncovered: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    grouped: tuple[str, ...] = ()
    current: bool = False
    prospect: Prospect | None = None
    pending: bool = False
    remedies: tuple[OutlookRemedy, ...] = ()
    details: tuple[DetailOutlook, ...] = ()
    vanishing: str = ""
    lost: str = ""
    rare: str = ""
    large_delta: str = ""
    delta_advice: str = ""
    another: AnotherDraw | None = None
    spare: tuple[str, ...] = ()
    stars: StarChoice | None = None
    fine: FineChoice | None = None
    changes: ForecastChanges = field(default_factory=ForecastChanges)
    others_tell: bool = False

    @property
    def trims(self) -> bool:
        """Whether groups are trimmed, and not rows sampled."""
        return isinstance(self.guarantee, TrimGuarantee)

    @property
    def guessed(self) -> bool:
        """Whether nobody said how many people there are, so that a forecast is for a round number of them."""
        outlook = None if self.prospect is None else self.prospect.outlook
        return outlook is not None and not outlook.typed

    @property
    def can_run(self) -> bool:
        return self.guarantee is not None and bool(self.grouped)


def is_quick(session: Session) -> bool:
    """Whether `assess` takes a few milliseconds only, so that it need not leave the GUI thread."""
    settings = session.project.anonymise.guarantee
    sampled = session.release.steps.mechanism is ReleaseMechanism.SAMPLE
    if sampled and settings.solve_for == "k" and settings.beta == "best":
        return False
    labels = sum(len(hierarchy.values) for hierarchy in session.project.hierarchies.values())
    if session.data.loaded is None:
        return False
    table = session.data.reading.table
    # A store may be far away, and answers in its own time.
    return engine_of(table).store is None and table.rows <= _QUICK_ROWS and labels <= _QUICK_LABELS


def assess(session: Session, progress: Progress = SILENT) -> PromiseAssessment:
    """Work out what follows from the settings of a session with data.

    Raises
    ------
    Cancelled
        If the progress was cancelled.
    """
    progress(0.0)
    try:
        # Makes the working table, which a filter can prevent and, but for a release, values that do not fit.
        # Values that would stop privacy models are told once somebody tries them, which is a look, or has looked.
        stops = session.syntactic.wanted and session.looks.taken
        table = session.data.table if stops else fitting_table(session.state, progress.part(0.0, 0.4)).table
    except WorkbenchError as error:
        return PromiseAssessment(None, error)
    grouped = tuple(
        name for name in session.project.schema.names if session.release.columns.treatment(name) is Treatment.GENERALISE
    )
    uncovered = {}
    named = session.looks.taken and session.release.steps.mechanism is ReleaseMechanism.SAMPLE
    for name in grouped if named else ():
        progress(0.4)
        missed = session.data.uncovered(name, table) if name in session.project.hierarchies else []
        if missed:
            uncovered[name] = tuple(missed)
    try:
        promised = session.release.guarantee()
        claim = session.release.claim()
        claim = claim if session.looks.taken else claim.before_look
        prospect = prospect_of(session, claim.guarantee, claim)
    except WorkbenchError as error:
        return PromiseAssessment(None, error, None, uncovered, grouped, False)
    progress(0.6)
    outlook = prospect.outlook
    # What is to be said first; what else helps, once it is said, as that hangs on it.
    helps = () if outlook is None else rows_first(session, outlook) or remedies(session, outlook)
    details, vanishing, rare = details_of(session, prospect, claim.guarantee)
    lost = "" if outlook is None else what_is_lost(session, outlook)
    current, large = session.release.result_is_current, _large_delta(session, claim)
    return PromiseAssessment(
        promised,
        None,
        claim,
        uncovered,
        grouped,
        current,
        prospect,
        False,
        helps,
        details,
        " ".join(filter(None, (lost, vanishing))),
        lost,
        rare,
        large,
        "" if large else delta_advice(claim.delta, session.project.anonymise.trim.expected_rows, _whom(session)),
        draw_without_stars(session) if current else None,
        spare_columns(session),
        None if outlook is None else star_choice(session, outlook),
        None if outlook is None else fine_choice(session, outlook),
        others_tell=others_tell(session),
    )


def _large_delta(session: Session, claim: Claim) -> str:
    """A warning from the rows that the person typed; those of the table are counted only once it was looked at."""
    rows = session.project.anonymise.trim.expected_rows
    if not rows or claim.delta * rows <= 1:
        return ""
    expected = f"{count(rows)} {_whom(session)} you expect"
    return f"Above one in the {expected}: so large a δ does not rule out that one row comes out."


def _whom(session: Session) -> str:
    return "people" if counts_people(session.project) else "rows"


def alike(reasons: Iterable[Reason]) -> list[tuple[Reason, tuple[str, ...]]]:
    """Reasons that say the same of several columns as one: the first of them, and the columns of the others."""
    found: dict[tuple[str, str], tuple[Reason, list[str]]] = {}
    for reason in reasons:
        text = reason.text.replace(f"“{reason.column}”", "“”") if reason.column else reason.text
        first, others = found.setdefault((reason.code, text), (reason, []))
        if first is not reason:
            others.append(reason.column)
    return [(first, tuple(others)) for first, others in found.values()]
