"""Certificates: for every kind of release one page in plain words, made from what the ledger knows of it.

What was promised, under which assumptions, what the program checked, what the person asserts, and what would void it;
or no claim, and what would restore one. All of it may be published: a ledger holds nothing computed from true values
but what was released.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from workbench.anonymise.recipe import ReleaseMechanism
from workbench.core.charged_mechanism import LossKind
from workbench.core.near_releases import NOT_ADDED_UP, NearReleases
from workbench.core.number_text import file_text, rounded_up
from workbench.core.rationals import rational
from workbench.core.release_spending import REPLACE_ONE, for_replacing_in_groups
from workbench.core.trust import Origin
from workbench.query.circumstances import asserted_of
from workbench.query.ledger import LedgerEntry
from workbench.query.ledger_plans import PLAN
from workbench.query.recorded_look import AFTER_LOOK
from workbench.report.certificate_page import CONDITIONS_NAMED, MAY_BE_KNOWN, PERSONS_NAMED, VERSION, Certificate
from workbench.report.certificate_words import (
    AROUND,
    CHECKED_ANSWERS,
    factor_in_words,
    joint_promise,
    neighbours_in_words,
    ways_to_ask_again,
)
from workbench.report.certified_entry import CertifiedEntry
from workbench.report.pseudonym_statement import pseudonym_certificate
from workbench.report.reports_certificate import certificate_of_collection


def certificate_of(
    entry: LedgerEntry, others: Sequence[LedgerEntry] = (), near: NearReleases = NearReleases.NONE
) -> Certificate:
    """The certificate of an entry in the ledger.

    Parameters
    ----------
    others
        The other entries of the same data.
    near
        Whether something was released of data that is nearly the same and not counted with this.
    """
    return certificate_from(CertifiedEntry.of(entry, others, near))


_TABLES = "Neighbouring tables"


def certificate_from(known: CertifiedEntry, version: int = VERSION) -> Certificate:
    """The certificate that follows from this, and from nothing else, as pages of that version word it."""
    kinds: Mapping[str, Callable[[LedgerEntry], Certificate]] = {
        "query": partial(_of_answers, known=known, version=version),
        "collection": certificate_of_collection,
        "pseudonyms": _of_pseudonyms,
        "search": partial(_of_choice, version=version),
        PLAN: partial(_of_plan, version=version),
    }
    entry = known.entry
    made = kinds.get(entry.charge.kind, partial(_of_file, version=version))(entry)
    facts = (*made.facts, ("When", f"{entry.when[:19].replace('T', ' ')} UTC"))
    near = (NOT_ADDED_UP,) if known.near is NearReleases.NOT_ADDED_UP else ()
    together = (joint_promise(known.others, known.together), *near)
    sections = (*made.sections, ("Together with other releases of this data", together))
    worded = made.version
    if entry.charge.rows_per_person == 1 and version >= PERSONS_NAMED and any(name == _TABLES for name, _ in facts):
        worded = min(version, CONDITIONS_NAMED)
    return replace(made, facts=facts, sections=sections, known=known.to_json(), version=worded)


def _of_answers(entry: LedgerEntry, known: CertifiedEntry, version: int) -> Certificate:
    charge, near = entry.charge, known.near
    questions = [dict(one) for one in charge.parameters.get("questions", ()) if isinstance(one, Mapping)]
    facts = [("Question", str(one.get("what", charge.what))) for one in questions] or [("Question", charge.what)]
    facts += [("Answer", text) for text in known.answers]
    facts += [
        ("ε", rounded_up(charge.epsilon)),
        ("δ", rounded_up(charge.delta)),
        (_TABLES, neighbours_in_words(charge.neighbours, charge.rows_per_person, version)),
        ("Made by", charge.made_by),
    ]
    origins = dict.fromkeys(Origin.from_json(one["plugin"]) for one in questions if one.get("plugin"))
    facts += [("Plug-in", origin.name) for origin in origins]
    if not charge.claimed:
        why = tuple(dict.fromkeys(str(one["unclaimed"]) for one in questions if one.get("unclaimed")))
        return Certificate(
            "Statement on answers",
            False,
            "No (ε, δ) claim is made for these answers.",
            "The ε above is counted with everything else that was released of this data, and nothing bounds the whole.",
            tuple(facts),
            (
                ("Why not", why or ("They were recorded without a promise.",)),
                ("What would restore it", ways_to_ask_again(origins)),
                ("What the reader should know", tuple(note for note in known.notes if note not in why)),
            ),
        )
    factor = factor_in_words(charge.epsilon)
    asserted = [
        *dict.fromkeys(said for one in questions or [{}] for said in asserted_of(charge, one)),
        near.asserted("in its ledger"),
    ]
    several = len(questions) > 1
    return Certificate(
        "Statement on answers" if several else "Statement on an answer",
        True,
        f"{'These answers are together' if several else 'This answer is'} ({rounded_up(charge.epsilon)}, "
        f"{rounded_up(charge.delta)})-differentially private.",
        f"With one person's rows changed as below, every possible answer is about as likely: its probability differs "
        f"by a factor of at most {factor}"
        + (f", apart from an excess probability of at most δ = {rounded_up(charge.delta)}." if charge.delta else "."),
        tuple(facts),
        (
            ("What the program checked", tuple(one for one in CHECKED_ANSWERS if not origins or one in AROUND)),
            ("What the publisher asserts", tuple(asserted)),
            ("What the reader should know", (*((AFTER_LOOK,) if entry.after_look else ()), *known.notes)),
            (
                "What would void this statement",
                (
                    "Asking again and publishing the answer that pleases, without counting every answer.",
                    "Bounds or a list of values that were read from the data.",
                    "More rows per person than were accounted for.",
                    "A copy of the data whose releases are not added up with these.",
                ),
            ),
        ),
    )


def _of_pseudonyms(entry: LedgerEntry) -> Certificate:
    known = entry.charge.parameters
    columns, left_out = (tuple(map(str, known.get(name, ()))) for name in ("columns", "left_out"))
    files = tuple(("File", f"{one.name}, SHA-256 {one.sha256}") for one in entry.files)
    return pseudonym_certificate(columns, left_out, files)


def _of_choice(entry: LedgerEntry, version: int) -> Certificate:
    charge, known = entry.charge, entry.charge.parameters
    facts = [
        ("What was drawn", charge.what),
        ("Drawn by", str(known.get("draw", ""))),
        ("Judged by", str(known.get("score", ""))),
        ("ε", rounded_up(charge.epsilon)),
        (_TABLES, neighbours_in_words(charge.neighbours, charge.rows_per_person, version)),
    ]
    own = "It counts by itself, whether a file was made at these levels or not; what a file costs comes on top."
    if not charge.claimed:
        of_release = "ε, δ" if known.get("mechanism") == ReleaseMechanism.TRIM else "β, k"
        return Certificate(
            "Statement on a choice of levels",
            False,
            "No ε claim is made for this choice of levels.",
            "The levels were drawn at random, but something broke the guarantee.",
            tuple(facts),
            (
                (
                    "What would restore it",
                    (
                        f"Hierarchies, {of_release} and the settings of the draw that were fixed before anything of "
                        "this data was seen.",
                    ),
                ),
                ("What the reader should know", (own,)),
            ),
        )
    return Certificate(
        "Statement on a choice of levels",
        True,
        f"The choice of the levels is ({rounded_up(charge.epsilon)}, 0)-differentially private{_condition(version)}.",
        "Every combination of levels is about as likely with a person's rows in the table as without them: its "
        f"probability differs by a factor of at most {factor_in_words(charge.epsilon)}.",
        tuple(facts),
        (
            *_rests_on("what is asserted for each file at these levels", version),
            ("What the reader should know", (own,)),
        ),
        version=_conditional(version),
    )


def _of_plan(entry: LedgerEntry, version: int) -> Certificate:
    charge = entry.charge
    return Certificate(
        "Statement on a plan of releases",
        True,
        f"All that is released in this plan is together ({rounded_up(charge.epsilon)}, "
        f"{rounded_up(charge.delta)})-differentially private{_condition(version)}.",
        "What may be drawn was fixed before the first of these releases, and whichever of them are made, together they "
        "promise this. With one person's rows changed as below, the probability of what is released differs by a "
        f"factor of at most {factor_in_words(charge.epsilon)}, apart from δ.",
        (
            ("What was planned", charge.what),
            ("Releases", f"{len(charge.slots):,}"),
            ("ε", rounded_up(charge.epsilon)),
            ("δ", rounded_up(charge.delta)),
            (_TABLES, neighbours_in_words(charge.neighbours, charge.rows_per_person, version)),
        ),
        (
            (
                "What the program checked",
                (
                    "The plan was charged before anything in it was drawn.",
                    "Only what was planned, or less, is drawn in it, and each of its releases once.",
                ),
            ),
            *_rests_on("what is asserted for each of these releases", version),
            ("What would void this statement", ("More rows per person than were accounted for.",)),
        ),
        version=_conditional(version),
    )


def _of_file(entry: LedgerEntry, version: int) -> Certificate:
    charge, known = entry.charge, entry.charge.parameters
    models = str(known.get("models", ""))
    if not entry.left:
        return _of_draw(entry, version)
    facts = [("File", str(known.get("file") or (entry.files[0].name if entry.files else charge.what)))]
    own = "The statement that was written with the file says more, and names the file by its fingerprint."
    if models:
        return Certificate(
            "Statement on an anonymised file",
            False,
            "The file satisfies privacy models; no (ε, δ) claim is made for it.",
            f"Every released row satisfies: {models}.",
            tuple(facts),
            (
                (
                    "What is not promised",
                    (
                        "Which rows and levels are in the file depends on every row of the data.",
                        "A second release of the same people can undo the first.",
                    ),
                ),
                ("What the reader should know", (own,)),
            ),
        )
    trimmed = any(part.kind is LossKind.TRIM for part in charge.drawn)
    facts += [("How it was made", _TRIMMED)] if trimmed else _of_sampling(known)
    if not charge.claimed:
        made = (
            "Every group of alike rows gave up a random number of its rows"
            if trimmed
            else "It was sampled, generalised and stripped of small groups"
        )
        return Certificate(
            "Statement on an anonymised file",
            False,
            "No (ε, δ) claim is made for this file.",
            f"{made}, but something broke the guarantee.",
            tuple(facts),
            (("Why not, and what would restore it", (own,)),),
        )
    levels = rational(known.get("levels_epsilon", 0))
    epsilon, delta, together = charge.epsilon + levels, charge.delta, entry.together
    if together is not None:
        facts.append(
            (
                "What is promised",
                f"that of {together.releases:,} releases of this data together, among which it was chosen; its own "
                f"draw is ({rounded_up(epsilon)}, {rounded_up(delta)})",
            )
        )
    if levels:
        facts.append(
            (
                "ε of drawing its levels, and of the file at these",
                f"{rounded_up(levels)} + {rounded_up(charge.epsilon)}",
            )
        )
    if entry.number_known:
        known_to = "others may know it" if version >= MAY_BE_KNOWN else "known"
        facts.append(("Number of people", f"{known_to}, so that the promise is for replacing one of them"))
        epsilon, delta = for_replacing_in_groups(epsilon, delta)
    if together is not None:
        epsilon, delta = together.epsilon, together.delta
    likely = "with a person's rows in the table as without them"
    if entry.number_known:
        likely = "with another person's rows in the place of one person's"
    about = REPLACE_ONE if entry.number_known else charge.neighbours
    return Certificate(
        "Statement on an anonymised file",
        True,
        f"The file is ({rounded_up(epsilon)}, {rounded_up(delta)})-differentially private{_condition(version)}.",
        f"Every possible file is about as likely {likely}: its probability differs by a factor of at most "
        f"{factor_in_words(epsilon)}, apart from δ.",
        (*facts, (_TABLES, neighbours_in_words(about, charge.rows_per_person, version))),
        (
            *_rests_on("what its publisher asserts in the statement that was written with it", version),
            ("What the reader should know", (own,)),
        ),
        version=_conditional(version, MAY_BE_KNOWN if entry.number_known and version >= MAY_BE_KNOWN else 1),
    )


_TRIMMED = "generalised rows were trimmed: every group of alike rows gave up a random number of its rows"


def _of_sampling(known: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [
        ("β, the probability to keep a row", file_text(known.get("beta", 0), 6)),
        ("k, the smallest released group", f"{known.get('k', 0):,}"),
    ]


def _of_draw(entry: LedgerEntry, version: int) -> Certificate:
    """Of a draw that nobody got: it was paid for when it was made."""
    charge = entry.charge
    facts = (
        ("What was drawn", entry.what),
        (_TABLES, neighbours_in_words(charge.neighbours, charge.rows_per_person, version)),
    )
    own = "It counts, published or not, because whoever saw it could choose what to ask next."
    if not charge.claimed:
        return Certificate(
            "Statement on a draw",
            False,
            "No (ε, δ) claim is made for this draw.",
            "It was not published.",
            facts,
            (("What the reader should know", (own,)),),
        )
    return Certificate(
        "Statement on a draw",
        True,
        f"The draw is ({rounded_up(charge.epsilon)}, {rounded_up(charge.delta)})-differentially private"
        f"{_condition(version)}.",
        "It was not published. Every possible draw is about as likely with a person's rows in the table as without "
        f"them: its probability differs by a factor of at most {factor_in_words(charge.epsilon)}, apart from δ.",
        facts,
        (*_rests_on("what would be asserted for a file of it", version), ("What the reader should know", (own,))),
        version=_conditional(version),
    )


def _condition(version: int) -> str:
    return " if what it rests on is true" if version >= CONDITIONS_NAMED else ""


def _rests_on(what: str, version: int) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """That the promise rests on sentences, which the ledger does not hold."""
    return (("What it rests on", (f"On {what}.",)),) if version >= CONDITIONS_NAMED else ()


def _conditional(version: int, otherwise: int = 1) -> int:
    return CONDITIONS_NAMED if version >= CONDITIONS_NAMED else otherwise
