"""The findings about a released file, its statement and its signature: as sentences with a sign, and as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any

from workbench.core.number_text import counted, rounded_up
from workbench.core.visible import quoted
from workbench.report.contradictions import ROWS
from workbench.report.counting_plainly import not_to_count
from workbench.report.note import StatementDocument
from workbench.report.older_notes import NOT_HELD
from workbench.report.plain_promise import alone
from workbench.report.proof import NOT_SIGNED, Proof
from workbench.report.publisher import publisher_of
from workbench.report.recheck import NOT_RECOMPUTED, ORDER_UNCHECKED, Rechecked, shown_value
from workbench.report.signature import PAGE_NOT_GIVEN, Judged
from workbench.report.stated_claim import StatedClaim, stated_claim
from workbench.session.release.to_say import sentences_words

_YES = "Yes: the file is what its statement says"
_WEAK = "it promises little"


def _if_so(number: int, *, computed: bool) -> str:
    """What was checked, and then what so many sentences that rest on the publisher's word mean for the promise."""
    which, are = ("sentence", "is") if number == 1 else (sentences_words(number), "are")
    again = "and what is promised was computed again. That" if computed else "and agree. What is promised"
    return f"Its rows were counted again, {again} holds if the {which} below {are} true, on the publisher's word."


class FindingSign(StrEnum):
    """The sign of a sentence about a received release: found to be so, found not to be so, not looked at, or told."""

    HOLDS = "holds"
    WRONG = "does not hold"
    UNCHECKED = "not checked"
    NOTED = "noted"


@dataclass(frozen=True)
class VerifyFinding:
    """One thing that was found.

    Parameters
    ----------
    sign, text
        What it comes to, and the sentence.
    line
        The sentence as the command line prints it, with its mark.
    """

    sign: FindingSign
    text: str
    line: str = ""

    @property
    def printed(self) -> str:
        return self.line or self.text


@dataclass(frozen=True)
class Verified:
    """A released file that was counted again, and what came with it.

    Parameters
    ----------
    paths
        The files of the release.
    fingerprint
        The SHA-256 of the file, or of those of its parts.
    found, proof, signature
        What was found about the file, the statement and its signature; None where there is none.
    original
        Whether it was compared with the table it was made from.
    documents
        The statement and the note that it was compared with.
    """

    paths: tuple[Path, ...]
    fingerprint: str
    found: Rechecked
    proof: Proof | None
    original: bool
    signature: Judged | None = None
    documents: tuple[StatementDocument, ...] = ()

    @property
    def holds(self) -> bool:
        return self.found.holds and all(one is None or one.holds for one in (self.proof, self.signature))

    def to_json(self) -> dict[str, Any]:
        """As `--json` prints it."""
        signature, proof = self.signature, None if self.proof is None else self.proof.to_json()
        if proof is not None:
            proof["signed"] = signature is not None and signature.proven
        return {
            **self.found.to_json(),
            "holds": self.holds,
            "sha256": self.fingerprint,
            "files": len(self.paths),
            "original": self.original,
            "statement": proof,
            "signature": None if signature is None else signature.to_json(),
            "promised": None if self.claim is None else self.claim.to_json(),
        }

    @property
    def verdict(self) -> str:
        """In one sentence; "" where only the signature is wrong, which its own sentence says."""
        if self.holds:
            # In haste a reader takes it for a promise that everything is in order.
            if self.claim is not None and self.claim.given:
                return f"{_YES}; its choices, which may follow from the data, are not covered."
            return self._agrees if self.promises else f"{_YES}; nothing is promised."
        if not self.found.holds:
            return "No: the file is NOT what is stated."
        agrees = self.proof is None or self.proof.holds
        return "" if agrees else "No: what is stated about the file does NOT hold."

    @property
    def _agrees(self) -> str:
        """That nothing that can be checked speaks against it, what was checked, and then what must be so beside it."""
        if self.claim is None:
            return "What can be checked agrees."  # there is no statement that the file could be held against
        found, number = f"{_YES}; {_WEAK}" if self.claim.weak else _YES, len(self.claim.asserted)
        computed = self.proof is not None and self.proof.cost is not None
        return f"{found}. {_if_so(number, computed=computed)}" if number else f"{found}."

    def outdated(self, since: int) -> bool:
        """Whether what its statement says of other releases is no longer true, as more came later than it counts.

        Parameters
        ----------
        since
            How many draws and answers of the same data came after the draw of the file.
        """
        promised = None if self.claim is None else self.claim.promised
        return promised is not None and since > max(0, promised[2] - 1)

    @property
    def next_step(self) -> str:
        """The next step for whoever received the file; "" where nothing needs to be done."""
        return self._steps[0]

    @property
    def if_yours(self) -> str:
        """The next step for whoever published it; "" where nothing needs to be done."""
        return self._steps[1]

    @property
    def _steps(self) -> tuple[str, str]:
        if not self.found.holds or (self.proof is not None and not self.proof.holds):
            return (
                "Do not use the file. Ask the publisher for the file and its statement anew, by another way than these "
                "came, and compare the SHA-256.",
                "Export it once more.",
            )
        if self.signature is not None and not self.signature.holds:
            return (
                "Ask the publisher, by a way that you trust, which key is theirs and for the statement it signs.",
                "Sign it anew.",
            )
        claim = self.claim
        if claim is None:
            return "", ""
        if claim.given:
            return (
                "Ask the publisher which choices the data decided, before you rely on it.",
                "Be ready to say which choices the data decided.",
            )
        if not self.promises:
            return (
                "Treat it as you would the original data, or ask the publisher for a release that promises something.",
                "Hand it on as you would the original data.",
            )
        if not claim.asserted:
            return "", ""
        return (
            "Ask the publisher about what rests on their word: nobody else can know it.",
            "Read once more what rests on your word.",
        )

    @property
    def findings(self) -> tuple[VerifyFinding, ...]:
        """Everything beside the verdict, in the order of the command line: what is wrong with a signature is first."""
        return (*self._wrong_signature(), *_counted(self), *self._proven())

    def lines(self) -> list[str]:
        """The verdict and what was found, in words."""
        wrong = [one.printed for one in self._wrong_signature()]
        rest = [one.printed for one in (*_counted(self), *self._proven())]
        claim = self.claim
        told = [] if claim is None else [one for one in (claim.plain, claim.weak, claim.sentence, *claim.notes) if one]
        if claim is not None and claim.asserted:
            told += ["On the publisher's word:", *(f"  - {one}" for one in claim.asserted)]
        then = [f"What to do: {self.next_step} If you published it: {_begun(self.if_yours)}"] if self.next_step else []
        return [*wrong, *([self.verdict] if self.verdict else []), *told, *rest, *then]

    @property
    def promises(self) -> bool:
        """Whether what was stated holds, and an (ε, δ) or that rows are alike, is part of it."""
        claim = self.claim
        return self.holds and (claim is None or claim.holds or bool(claim.meaning))

    @property
    def reassures(self) -> bool:
        """Whether something is promised, and no less than is usual."""
        return self.promises and not (self.claim is not None and self.claim.weak)

    @property
    def claim(self) -> StatedClaim | None:
        """The claim of the statement; None where something does not hold, so that nobody should rely on it."""
        facts = None if self.proof is None else self.proof.facts
        return stated_claim(facts) if facts is not None and self.holds else None

    @property
    def not_to_count(self) -> tuple[str, ...]:
        """What its statement says must not be counted or reported, the worst first; nothing where it does not hold."""
        facts = None if self.proof is None else self.proof.facts
        return () if facts is None or not self.holds else not_to_count(facts["release"], facts["version"])

    def _wrong_signature(self) -> list[VerifyFinding]:
        signature = self.signature
        if signature is None:
            return []
        said = [] if signature.holds else [VerifyFinding(FindingSign.WRONG, signature.sentence)]
        return said + [_fault(fault) for fault in signature.faults]

    def _proven(self) -> list[VerifyFinding]:
        """The findings about the statement."""
        proof, signature = self.proof, self.signature
        if proof is None:
            return []
        compared = " and ".join(proof.names)
        told = self.found.rows_differ
        faults = [fault for fault in proof.faults if not (told and fault.startswith(f"{ROWS}: "))]
        said = [_fault(fault) for fault in faults] + [unchecked_finding(sentence) for sentence in proof.unchecked]
        if proof.holds and proof.cost is not None:
            epsilon, delta = rounded_up(proof.cost.epsilon), rounded_up(proof.cost.delta)
            words = f"The promise was computed again from what is stated: ε = {epsilon}, δ = {delta}."
            if self.claim is not None and self.claim.promised is not None and self.claim.promised[2]:
                words = (
                    f"What its own draw costs was computed again: ε = {epsilon}, δ = {delta}. What the others cost, "
                    "which are counted with it, only their ledger knows."
                )
            said.append(VerifyFinding(FindingSign.HOLDS, words))
        if proof.holds:
            # Of a signature that does not hold it is said above, and not that there is none.
            consistent = f" {NOT_SIGNED}" if signature is None else " Consistent." if signature.holds else ""
            words = f"Compared with the facts in it, word by word: {compared}.{consistent}"
            said.append(VerifyFinding(FindingSign.HOLDS, words))
            publisher = None if proof.facts is None else publisher_of(proof.facts)
            if publisher is not None:
                said.append(unchecked_finding(publisher.not_checked))
        if signature is not None and signature.holds:
            sign = FindingSign.HOLDS if signature.checked else FindingSign.UNCHECKED
            said.append(VerifyFinding(sign, signature.found, signature.sentence))
            said += [unchecked_finding(sentence) for sentence in signature.unchecked]
        return said


def _begun(sentence: str) -> str:
    return f"{sentence[:1].lower()}{sentence[1:]}"


def _fault(text: str) -> VerifyFinding:
    return VerifyFinding(FindingSign.WRONG, text, f"  - {text}")


def unchecked_finding(text: str) -> VerifyFinding:
    """Something that was not checked, with what the reader can do to have it checked."""
    said = f"{text} {_next(text)}".strip()
    return VerifyFinding(FindingSign.UNCHECKED, said, f"Not checked: {said}")


def _next(text: str) -> str:
    """The next step for a sentence that was not checked; "" where the sentence says it, or nothing rests on it."""
    if text.endswith(NOT_RECOMPUTED):
        return "Install the plug-in that brings this model and verify again, or do not count on it."
    return _NEXT.get(text, "")


_NEXT = MappingProxyType(
    {
        ORDER_UNCHECKED[0]: "Sort the rows by their labels before you use the file: then their order tells nothing.",
        ORDER_UNCHECKED[1]: "Sort the rows by their labels before you use the file: then their order tells nothing.",
        NOT_HELD: "Ask the publisher about them, or for a statement that a newer version of the program wrote.",
        PAGE_NOT_GIVEN: "Ask for the statement (HTML) and verify it with this note.",
    }
)
"""By a sentence about what was not checked: the next step."""


def _small_groups(claim: StatedClaim) -> str:
    """The sentence on rows that are alone in a file: what holds, or that nothing is promised; "" for neither."""
    if claim.drawn_with is not None:
        return f"Of rows that are alone in the file: {alone(claim.drawn_with)[0].lower()}{alone(claim.drawn_with)[1:]}"
    return "" if claim.meaning else "Of rows that are alone in the file nothing is promised."


def _counted(verified: Verified) -> list[VerifyFinding]:
    """The findings of counting the file."""
    found, files = verified.found, len(verified.paths)
    compared = FindingSign.HOLDS if found.holds and verified.documents else FindingSign.NOTED
    sizes = " to ".join(f"{size:,}" for size in sorted({found.smallest, found.largest}))
    groups = f"{counted(found.rows, 'row')} in {counted(found.classes, 'group')} of {sizes} alike"
    claim = verified.claim
    harmless = f"{_small_groups(claim)} " if claim is not None and found.smallest == 1 else ""
    by = ", ".join(map(quoted, found.grouped))
    said = [VerifyFinding(compared, f"{harmless}{groups} (by {by}).".removeprefix(" "))]
    for check in found.models:
        choice, result = check.choice, check.found
        column = f" for {quoted(choice.column)}" if choice.column else ""
        words = f"{choice.model.title}{column}: {shown_value(result.value)}"
        words += f". {result.note}" if result.note else ""
        sign, mark = (FindingSign.HOLDS, "holds  ") if result.holds else (FindingSign.WRONG, "VIOLATED")
        said.append(VerifyFinding(sign, words, f"  {mark}  {words}"))
    said += [_fault(fault) for fault in found.faults]
    said += [unchecked_finding(sentence) for sentence in found.unchecked]
    several = f" of those of {files:,} files" if files > 1 else ""
    said.append(VerifyFinding(compared, f"SHA-256 {verified.fingerprint}{several}"))
    return said
