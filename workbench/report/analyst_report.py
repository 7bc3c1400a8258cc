"""The analyst report: settings, what came out, errors and risks, before beside after. Computed from true values."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.claim import Claim
from workbench.anonymise.compared import Compared
from workbench.anonymise.risk import Risk
from workbench.anonymise.summary import NumberSummary, Summaries, summarise
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.kinds import sort_keys
from workbench.core.number_text import NONE, change, estimate, exact, percent, rounded_up
from workbench.core.progress import SILENT, Progress
from workbench.core.schema import Kind, Schema
from workbench.core.table import Table
from workbench.plots import before_after, classes, losses, released_classes
from workbench.report.content import Block, Paragraph, Picture, Report, ReportTable, Tone, listed, part

_UNORDERED = (Kind.CATEGORY, Kind.TEXT)


@dataclass(frozen=True, eq=False)
class ReleaseCost:
    """A table before and after, and what it cost. From true rows: analyst only.

    Parameters
    ----------
    compared
        Both tables.
    figures
        Named counts of the run, such as rows sampled and dropped.
    sizes
        Rows per class, released or not, shape (classes,).
    k
        Classes of fewer rows were dropped; 0 if `sizes` are those of released classes only.
    suppressed
        Rows that are in no released class.
    before, after
        The risk of the grouped columns as they were, and as they are released.
    losses
        What the loss of each column is, if it was measured.
    """

    compared: Compared
    figures: tuple[tuple[str, str], ...]
    sizes: NDArray[np.int64]
    k: int
    suppressed: int
    before: Risk
    after: Risk
    losses: losses.Losses | None = None


@dataclass(frozen=True, eq=False)
class AnalystFacts:
    """Everything the report tells.

    Parameters
    ----------
    settings
        Named settings, in words.
    table, schema, hierarchies
        The data as it was read, and how it is described.
    preparation
        What became of the rows before anything was anonymised.
    claim
        Whether the (ε, δ) claim holds; None where none is looked for.
    notes
        What the reader must know about how the figures came about.
    made
        What came out; None if there is nothing.
    why_nothing
        Why there is nothing, and what would help.
    ledger
        Everything released of the data: day, what, ε, δ, claim.
    """

    settings: tuple[tuple[str, str], ...]
    table: Table
    schema: Schema
    hierarchies: Mapping[str, Hierarchy]
    preparation: tuple[tuple[str, str], ...] = ()
    claim: Claim | None = None
    notes: tuple[str, ...] = ()
    made: ReleaseCost | None = None
    why_nothing: tuple[str, ...] = ()
    ledger: tuple[Block, ...] = field(default_factory=tuple)


def analyst_report(facts: AnalystFacts, progress: Progress = SILENT) -> Report:
    """The report.

    Raises
    ------
    Cancelled
        If the progress was cancelled.
    """
    blocks: list[Block] = [Paragraph(note, Tone.WARNING) for note in facts.notes]
    blocks += part("Settings", ReportTable(("", ""), facts.settings))
    blocks += part("The data", *_data(facts))
    if facts.claim is not None:
        blocks += part("The (ε, δ) claim", *_claim(facts.claim))
    if facts.why_nothing:
        blocks += part("What came out", *(Paragraph(words, Tone.VOID) for words in facts.why_nothing))
    if facts.made is not None:
        blocks += _made(facts.made, progress)
    blocks += part("Everything released of this data", *facts.ledger)
    return Report("Analyst report", tuple(blocks), analyst=True)


def _data(facts: AnalystFacts) -> list[Block]:
    rows = []
    for spec in facts.schema.columns:
        if spec.name not in facts.table:
            continue
        column = facts.table[spec.name]
        absent = frozenset(spec.missing)
        empty = [code for code, value in enumerate(column.values) if value in absent]
        hierarchy = facts.hierarchies.get(spec.name)
        attached = NONE if hierarchy is None else f"{_groups(hierarchy)}, {hierarchy.provenance.value}"
        rows.append(
            (
                spec.name, spec.kind.value, spec.role.value, f"{int((column.counts > 0).sum()):,}",
                f"{int(column.counts[empty].sum()):,}", attached,
            )
        )  # fmt: skip
    heads = ("Column", "Kind", "Role", "Distinct", "Missing", "Hierarchy: groups per level")
    blocks: list[Block] = [
        Paragraph(f"{facts.table.rows:,} rows, {len(facts.table.names):,} columns."),
        ReportTable(heads, tuple(rows)),
    ]
    if facts.preparation:
        blocks.append(ReportTable(("What became of the rows", "Rows"), facts.preparation, figures=True))
    return blocks


def _groups(hierarchy: Hierarchy) -> str:
    return " → ".join(f"{count:,}" for count in hierarchy.groups())


def _claim(claim: Claim) -> list[Block]:
    promised = claim.guarantee
    level = f"ε = {rounded_up(claim.epsilon)}, δ = {rounded_up(claim.delta)}"
    if promised.trimmed is None:
        level += f", β = {exact(promised.beta)}, k = {promised.k:,}"
    if claim.holds:
        blocks: list[Block] = [Paragraph(f"It holds: {level}.", Tone.HOLDS)]
        blocks += part("Checked", *listed(claim.checked), level=3)
        blocks += part("Asserted by the publisher", *listed(claim.asserted), level=3)
    else:
        blocks = [Paragraph(f"It does not hold. The settings would give {level}.", Tone.VOID)]
        blocks += part("Reasons", *listed(f"{r.text} {r.remedy} {r.analyst}".strip() for r in claim.reasons), level=3)
    notes = (f"{r.text} {r.remedy} {r.analyst}".strip() for r in claim.cautions)
    return [*blocks, *part("To consider", *listed(notes), level=3)]


def _made(made: ReleaseCost, progress: Progress) -> list[Block]:
    compared = made.compared
    blocks: list[Block] = list(part("What came out", ReportTable(("", "Number"), made.figures, figures=True)))
    if len(made.sizes):
        blocks.append(_sizes(made))
    blocks += part("Risk of recognition", *_risk(made.before, made.after))
    summaries = summarise(compared, progress.part(0.0, 0.4))
    blocks += part("Error of summary figures", *_summaries(summaries))
    if made.losses is not None:
        blocks += part("Loss of information", Picture("Loss per column", losses, made.losses))
    pictures = []
    for position, name in enumerate(compared.names):
        progress(0.4 + 0.6 * position / max(len(compared.names), 1), "Comparing columns")
        pictures.append(Picture(f"Column {name}", before_after, distribution(compared, name)))
    progress(1.0)
    return [*blocks, *part("Before and after", *pictures)]


def _sizes(made: ReleaseCost) -> Picture:
    if made.k:
        return Picture("Groups of alike rows", classes, classes.compute(made.sizes, made.k))
    return Picture("Released classes", released_classes, released_classes.compute(made.sizes, made.suppressed))


def distribution(compared: Compared, name: str) -> before_after.BeforeAfter:
    """Rows per value of a released column before and after, each label's rows spread over the values it stands for."""
    before, after, meaning = compared.before(name), compared.after(name), compared.meaning(name)
    among = None
    if meaning.hierarchy is not None:
        occurring = {value for value, rows in zip(before.values, before.counts.tolist(), strict=True) if rows}
        values = meaning.hierarchy.values
        among = np.fromiter((value in occurring for value in values), np.bool_, len(values))
    divided = meaning.spread(after.values, after.counts.astype(np.float64), among)
    spread = np.array([divided.get(value, 0.0) for value in before.values])
    order = None
    if meaning.spec.kind not in _UNORDERED:
        with contextlib.suppress(WorkbenchError):  # a date whose pattern was not given has no order
            order = sort_keys(before, meaning.spec)
    return before_after.compute(name, before.values, before.counts, np.arange(len(before.values)), spread, order)


def _risk(before: Risk, after: Risk) -> list[Block]:
    rows: list[tuple[str, str, str]] = []
    for title, knows in (("prosecutor", "knows the person is in it"), ("journalist", "knows the population only")):
        one, two = getattr(before, title), getattr(after, title)
        for words, name in (("most exposed row", "highest"), ("average row", "average"), ("rows at risk", "at_risk")):
            rows.append((f"{title.capitalize()} ({knows}): {words}", _percent(one, name), _percent(two, name)))
    rows.append(("Marketer: rows recognised", _percent(before, "marketer"), _percent(after, "marketer")))
    rows.append(("Rows that are alone in their class", _percent(before, "uniques"), _percent(after, "uniques")))
    rows.append(("Smallest class", f"{before.smallest:,}", f"{after.smallest:,}"))
    rows.append(("Classes", f"{before.classes:,}", f"{after.classes:,}"))
    words = f"A row is at risk if the attacker's chance is above {percent(after.threshold)}."
    return [Paragraph(words), ReportTable(("Attacker", "Before", "After"), tuple(rows), figures=True)]


def _summaries(found: Summaries) -> list[Block]:
    blocks: list[Block] = [Paragraph(f"{found.rows_after:,} of {found.rows_before:,} rows are in the release.")]
    for column in found.columns:
        before, after = column.before, column.after
        rows = [
            ("distinct values", f"{before.distinct:,}", f"{after.distinct:,}", ""),
            ("most frequent", _mode(before.mode, before.mode_share), _mode(after.mode, after.mode_share), ""),
            ("missing", percent(before.missing), percent(after.missing), ""),
            ("became *", NONE, percent(after.starred), ""),
        ]
        if before.numbers is not None and after.numbers is not None:
            rows += _numbers(before.numbers, after.numbers)
        blocks += part(
            column.name, ReportTable(("Figure", "Before", "After", "Change"), tuple(rows), figures=True), level=3
        )
    return blocks


def _numbers(before: NumberSummary, after: NumberSummary) -> list[tuple[str, str, str, str]]:
    rows = []
    for words, name in (
        ("mean", "mean"), ("standard deviation", "deviation"), ("smallest", "minimum"),
        ("lower quartile", "lower_quartile"), ("median", "median"), ("upper quartile", "upper_quartile"),
        ("largest", "maximum"),
    ):  # fmt: skip
        one, two = float(getattr(before, name)), float(getattr(after, name))
        rows.append((words, estimate(one), estimate(two), change(one, two)))
    return rows


def _mode(value: str, share: float) -> str:
    return NONE if math.isnan(share) else f"{value} ({percent(share)})"


def _percent(holder: object, name: str) -> str:
    return percent(float(getattr(holder, name)))


def settings_of(pairs: Sequence[tuple[str, object]]) -> tuple[tuple[str, str], ...]:
    """Named settings as texts; those that are empty are left out."""
    return tuple((name, str(value)) for name, value in pairs if value not in (None, ""))
