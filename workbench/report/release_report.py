"""The release report: what may be published with a release, in words, tables and pictures.

It is made of the statement, the released rows and the entries of the ledger. It is given nothing else, so nothing
that was computed from rows that were not released can come into it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from workbench.anonymise.claim import Claim
from workbench.anonymise.recipe import ReleaseRecipe, Treatment
from workbench.anonymise.released_columns import AS_IT_IS
from workbench.anonymise.sampling import Recipe
from workbench.anonymise.trim_recipe import TrimRecipe
from workbench.core.composition import OPEN_PARTICIPATION, total
from workbench.core.hierarchy import Hierarchy
from workbench.core.number_text import file_text, rounded_up
from workbench.core.schema import Schema
from workbench.core.table import Table
from workbench.query.ledger_entries import LedgerEntry
from workbench.query.recorded_look import AFTER_LOOK
from workbench.report.certificate_words import answers_in_words
from workbench.report.content import Block, Paragraph, Report, ReportTable, Tone, listed, part
from workbench.report.from_html import blocks_of
from workbench.report.promise_meaning import in_words
from workbench.report.release_note import trimming_of
from workbench.report.released_pictures import ReleasedForm, pictures
from workbench.report.rows_set_aside import TOOK_PART
from workbench.report.statement import voids_of
from workbench.report.statement_parts import in_this_file, level_of
from workbench.report.syntactic_statement import NOT_PROMISED, RESTORE
from workbench.report.trimmed_statement import making_of

PLAIN = ReleasedForm()
"""One line for each row, all of one level."""

_NO_FILE = (
    "This report shows no rows and counts none, because nothing that was made in this way was exported yet. Export the "
    "file first, and make the report again."
)


def release_report(
    statement: Sequence[Block],
    released: Table | None,
    grouped: Sequence[str],
    schema: Schema,
    entries: Sequence[LedgerEntry],
    form: ReleasedForm = PLAIN,
) -> Report:
    """The report.

    Parameters
    ----------
    statement
        What the statement that travels with the release says.
    released
        The rows of a file that left; None if there is no such file, and nothing may be told of what came out.
    grouped
        Its columns that take part in the grouping.
    schema
        How its columns are described: nothing but a declared order of labels is taken from it.
    entries
        Everything the ledger of the data knows.
    form
        How the lines of the file are to be read.
    """
    blocks = list(statement)
    if released is None:
        blocks += part("The released rows", Paragraph(_NO_FILE))
    elif released.rows:
        blocks += part("The released rows", *pictures(released, grouped, schema, form))
    blocks += part("Answers to questions", *_answers(entries))
    blocks += part("Everything released of this data", *together(entries))
    return Report("Release report", tuple(blocks), analyst=False)


def promise_blocks(claim: Claim, recipe: ReleaseRecipe, hierarchies: Mapping[str, Hierarchy]) -> tuple[Block, ...]:
    """The blocks in the place of a statement where there is no file to speak of: what one would promise."""
    promised = claim.guarantee
    blocks: list[Block] = []
    if claim.holds:
        level = level_of(claim.epsilon, claim.delta)
        blocks.append(Paragraph(f"A file made in this way is {level}-differentially private release.", Tone.HOLDS))
        blocks.append(Paragraph(in_words(claim)))
        if promised.split:
            blocks.append(Paragraph(f"{promised.split}."))
    else:
        blocks.append(Paragraph("No (ε, δ) claim can be made for a file made in this way.", Tone.VOID))
    blocks += part("How a file is made", *_made(recipe, narrowed=claim.terms.narrowed))
    rows = []
    for plan in recipe.columns:
        hierarchy = hierarchies.get(plan.name)
        told = claim.told_without.get(plan.name, "")
        if plan.treatment is Treatment.GENERALISE and hierarchy is not None and not told:
            level = "drawn privately" if promised.search is not None else _level_words(recipe, plan.name, hierarchy)
            rows.append((plan.name, level, hierarchy.provenance.value))
        elif plan.treatment is not Treatment.LEAVE_OUT:
            grouped = plan.treatment is Treatment.GENERALISE
            rows.append((plan.name, in_this_file(told or AS_IT_IS, grouped), ""))
    if rows:
        blocks += part("Columns", ReportTable(("Column", "In the file", "Where its hierarchy comes from"), tuple(rows)))
    if claim.holds:
        blocks += part("What the program checked", *listed(claim.checked))
        blocks += part("What the publisher asserts", *listed(claim.asserted))
    else:
        blocks += part("Why not, and what would restore it", *listed(f"{r.text} {r.remedy}" for r in claim.reasons))
    public = (f"{caution.text} {caution.remedy}" for caution in claim.cautions if not caution.private)
    blocks += part("What the reader should know", *listed(public))
    if claim.holds:
        blocks += part("What would void this", *listed(voids_of(recipe.mechanism)))
    return tuple(blocks)


def _made(recipe: ReleaseRecipe, *, narrowed: bool) -> list[Block]:
    """How a file is made with a recipe."""
    if isinstance(recipe, TrimRecipe):
        return list(blocks_of(making_of(trimming_of(recipe), narrowed=narrowed)))
    assert isinstance(recipe, Recipe)
    method = "random sample, generalisation, suppression of small groups, rows in the order of their labels"
    made = (
        ("Method", method),
        (f"Each row{TOOK_PART if narrowed else ''} is kept with probability β", file_text(recipe.beta, 6)),
        ("Smallest released group k", f"{recipe.k:,} rows"),
    )
    return [ReportTable(("", ""), made)]


def _level_words(recipe: ReleaseRecipe, name: str, hierarchy: Hierarchy) -> str:
    levels = [str(level) for level, _ in groupby(step[name] for step in recipe.chain)]
    which = f"level {levels[0]}" if len(levels) == 1 else f"levels {', '.join(levels[:-1])} and {levels[-1]}"
    return f"{which} of {hierarchy.height}"


def models_promise_blocks(
    models: Sequence[tuple[str, str]], names: Sequence[str], hierarchies: Mapping[str, Hierarchy]
) -> tuple[Block, ...]:
    """The blocks in the place of a statement on a release of privacy models that has not left.

    They name no levels, which are found by looking at the data.

    Parameters
    ----------
    models
        In words, and what each of them demands.
    names, hierarchies
        The columns of a file, and the hierarchies of the grouped ones.
    """
    rows = []
    for name in names:
        hierarchy = hierarchies.get(name)
        how = "as it is, not grouped" if hierarchy is None else "part of the grouping"
        rows.append((name, how, "" if hierarchy is None or not hierarchy.height else hierarchy.provenance.value))
    return (
        Paragraph("Every row of a file made in this way satisfies these models. It has no (ε, δ) claim.", Tone.VOID),
        *part("What holds for every row of such a file", ReportTable(("Model", "What it demands"), tuple(models))),
        *part("Columns", ReportTable(("Column", "In the file", "Where its hierarchy comes from"), tuple(rows))),
        *part("What is not promised", *listed(NOT_PROMISED)),
        *part("What an (ε, δ) claim would need", *listed((RESTORE,))),
    )


def _answers(entries: Iterable[LedgerEntry]) -> list[Block]:
    """The answers with noise, which may be repeated as often as one likes."""
    rows = []
    for entry in entries:
        charge = entry.charge
        if entry.answer is None or not charge.claimed:
            continue
        answer = "; ".join(answers_in_words(entry)) or "in the ledger"
        rows.append((charge.what, rounded_up(charge.epsilon), rounded_up(charge.delta), answer))
    if not rows:
        return []
    return [ReportTable(("Question", "ε", "δ", "Answer"), tuple(rows))]


def together(entries: Sequence[LedgerEntry]) -> list[Block]:
    if not entries:
        return []
    rows = [
        (
            entry.when[:10],
            entry.what,
            rounded_up(entry.charge.epsilon) if entry.released.spends else "–",
            rounded_up(entry.charge.delta) if entry.released.spends else "–",
            claim_of(entry),
        )
        for entry in entries
    ]
    spent = total([entry.released for entry in entries])
    if spent.bounded:
        together = f"Together at most ε = {rounded_up(spent.epsilon)}, δ = {rounded_up(spent.delta)}, {spent.how}."
        words = " ".join((together, *spent.scope))
    elif not spent.unclaimed:
        words = OPEN_PARTICIPATION
    else:
        words = "One of them has no (ε, δ) claim, so nothing can be promised for all of them together."
    if any(entry.after_look for entry in entries):
        words = f"{words} {AFTER_LOOK}"
    return [Paragraph(words), ReportTable(("Day", "What", "ε", "δ", "Claim"), tuple(rows))]


def claim_of(entry: LedgerEntry) -> str:
    """Whether something has a claim, in a word or a few."""
    if not entry.charge.claimed:
        return "none"
    return "holds, on the asker's word" if entry.after_look else "holds"
