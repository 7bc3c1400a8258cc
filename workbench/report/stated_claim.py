"""The claim of a statement, in the words of the statement, from the facts in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workbench.anonymise.privacy import ModelChoice, in_words
from workbench.anonymise.promise import weakness
from workbench.anonymise.terms import ADD_REMOVE
from workbench.report.note import SYNTACTIC
from workbench.report.plain_promise import how_counted, plainly
from workbench.report.promise_meaning import has_several, meaning_in, of_a_value
from workbench.report.said_to_occur import told
from workbench.report.statement import NO_CLAIM
from workbench.report.statement_parts import (
    chosen_among,
    claimed,
    counted_in,
    given_means,
    given_sentence,
    number_known,
)


@dataclass(frozen=True)
class StatedClaim:
    """The claim of a statement that was found to be in order.

    Parameters
    ----------
    holds
        Whether an (ε, δ) is promised.
    sentence, meaning
        The claim, and what it means; the second may be "".
    asserted
        What the publisher says and nobody can find out from the file.
    plain
        The promise as anybody can read it; "" where nothing is promised.
    notes
        What the reader should know beside it, such as how many releases there are of the data.
    promised
        ε and δ, and how many releases they count: 0 if it is this one alone.
    given
        Whether something holds for the choices as they are, and nothing for the file as a whole.
    neighbours
        What the tables differ in that must look alike, as notes have it.
    drawn_with
        A bound on the probability with which somebody who is alone in a group is in the file; None if there is none.
    """

    holds: bool
    sentence: str
    meaning: str = ""
    asserted: tuple[str, ...] = ()
    plain: str = ""
    notes: tuple[str, ...] = ()
    promised: tuple[float, float, int] | None = None
    given: bool = False
    neighbours: str = ADD_REMOVE
    drawn_with: float | None = None

    @property
    def weak(self) -> str:
        """That ε is larger than is usual, and what a usual one would come to; "" where that is not so."""
        guesses = self.plain.count(" at most ")
        return "" if self.promised is None else weakness(*self.promised[:2], first=guesses > 1)

    def to_json(self) -> dict[str, Any] | None:
        """ε, δ, and how many releases they count, 0 for this one alone; None where nothing is promised."""
        if self.promised is None:
            return None
        epsilon, delta, counted = self.promised
        found = {"epsilon": epsilon, "delta": delta, "counted": counted, "asserted": list(self.asserted)}
        return {**found, "neighbours": self.neighbours}


def stated_claim(facts: Mapping[str, Any]) -> StatedClaim:
    """The claim in the facts of a statement.

    Parameters
    ----------
    facts
        Of a note, in the form of this version, with the number of its own: the words are those that its page has.
    """
    release = facts["release"]
    if release["kind"] == SYNTACTIC:
        models = "; ".join(in_words(ModelChoice(one["model"], one["parameters"])) for one in release["models"])
        return StatedClaim(False, NO_CLAIM, f"Every released row satisfies {models}.")
    if not release["claim"] and release.get("given") is not None:
        return StatedClaim(
            False,
            given_sentence(release["given"]),
            asserted=tuple(release["asserted"]),
            notes=(
                *filter(None, [given_means(release, facts["version"]), number_known(release, facts["version"])]),
                *filter(None, [told(release, facts["version"])]),
                *(one["text"] for one in release["cautions"]),
            ),
            given=True,
            drawn_with=release["given"]["delta"],
        )
    if not release["claim"]:
        return StatedClaim(False, NO_CLAIM)
    promised, version = release["promised"], facts["version"]
    about = promised["epsilon"], promised["delta"], promised["neighbours"]
    counted = how_counted(*about, version)
    return StatedClaim(
        True,
        claimed(promised, version),
        " ".join(filter(None, [meaning_in(release, promised, version), counted, of_a_value(promised, version)])),
        tuple(release["asserted"]),
        plainly(*about, version, several=has_several(release)),
        (
            *filter(None, [number_known(release, version), chosen_among(release), told(release, version)]),
            *(one["text"] for one in release["cautions"]),
        ),
        (promised["epsilon"], promised["delta"], counted_in(release)),
        neighbours=promised["neighbours"],
        drawn_with=promised["delta"],
    )
