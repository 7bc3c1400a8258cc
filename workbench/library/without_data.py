"""Functions that need no table: guarantees, audits of mechanisms, and verifying a file that was received."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from workbench.anonymise.sample_guarantee import Guarantee
from workbench.anonymise.sample_guarantee import guarantee as solve_sample
from workbench.anonymise.trim_guarantee import TrimGuarantee, solve_trim
from workbench.core.errors import WorkbenchError
from workbench.library.amounts import Amount, amount_float, amount_text
from workbench.library.plainly import plainly
from workbench.library.showing import showing

if TYPE_CHECKING:
    from workbench.plots.own_figure import ChartFigure
    from workbench.session.audit import Examination
    from workbench.session.verifying.verified import Verified


@plainly
def guarantee(
    epsilon: Amount | None = None,
    delta: Amount | None = None,
    *,
    mechanism: str = "trim",
    rows_per_person: int = 1,
    beta: float | Literal["max", "best"] | None = None,
    k: int | None = None,
    half_survive: int | None = None,
    always_survive: int | None = None,
    floor: int = 1,
) -> TrimGuarantee | Guarantee:
    """The guarantee of a release, and which groups survive it; solves for whichever number is left out.

    >>> found = wb.guarantee(1, 1e-5)
    >>> found.half_survive, found.always_survive
    (12, 23)

    Parameters
    ----------
    epsilon, delta
        What is promised.
    mechanism
        "trim", which releases groups, or "sample", which samples rows with β and drops groups of fewer than k.
    rows_per_person
        The most rows a person may have.
    beta, k
        Of sampling.
    half_survive, always_survive
        Of trimming: the smallest group that is to survive half of the time, or always.
    floor
        Of trimming: groups of which fewer rows would be released are dropped.

    Raises
    ------
    Refused
        If no value of what was left out satisfies the others.
    """
    wanted_epsilon = None if epsilon is None else amount_float(epsilon, "epsilon")
    wanted_delta = None if delta is None else amount_float(delta, "delta")
    if mechanism == "sample":
        return solve_sample(epsilon=wanted_epsilon, delta=wanted_delta, beta=beta, k=k, rows_per_person=rows_per_person)
    if mechanism != "trim":
        raise WorkbenchError(f"There is no mechanism “{mechanism}”.", hint="Choose trim or sample.", field="mechanism")
    return solve_trim(
        epsilon=wanted_epsilon,
        delta=wanted_delta,
        half_survive=half_survive,
        always_survive=always_survive,
        rows_per_person=rows_per_person,
        floor=floor,
    )


@dataclass(frozen=True)
class MechanismAudit:
    """The privacy of a discrete mechanism; made by `audit`.

    >>> found = wb.audit([["3/4", "1/4"], ["1/4", "3/4"]], claim=1)
    >>> found.holds, found.exact
    (False, 'ln(3)')

    Parameters
    ----------
    title
        What was audited.
    epsilon
        ε rounded up; infinite if an output rules an input out.
    exact
        ε without a rounding, such as "ln(3)"; "" where it is known in floating point only.
    witness
        The input, its neighbour and the output that show it.
    holds
        Whether the claim holds; None without one.
    """

    title: str
    epsilon: float
    exact: str
    witness: tuple[str, str, str]
    holds: bool | None
    _found: Examination = field(repr=False, compare=False)

    @property
    def text(self) -> str:
        """The findings, in a sentence or three."""
        one, other, output = self.witness
        said = "" if self.holds is None else f" The claim {'holds' if self.holds else 'does not hold'}."
        return f"{self.title}: ε = {self.exact or self.epsilon}.{said} Output {output} tells {one} from {other}."

    @plainly
    def figure(self) -> ChartFigure:
        """δ for every ε, and where the claim lies.

        >>> wb.audit([["3/4", "1/4"], ["1/4", "3/4"]]).figure().caption
        'Typed channel, 2 × 2: ε = ln(3). Output 0 tells 0 from 1.'

        Returns
        -------
        matplotlib.figure.Figure
            A figure of its own, without any state of pyplot, with its caption below it.
        """
        from workbench.plots import privacy_curve
        from workbench.plots.own_figure import figure_of
        from workbench.session.audit import privacy_curve_of

        with showing("Computing δ for every ε") as progress:
            curve = privacy_curve_of(self._found, progress)
        return figure_of(privacy_curve, curve, self.text)

    def _repr_html_(self) -> str:
        return f"<p>{escape(self.text)}</p>"


@plainly
def audit(
    mechanism: str | Sequence[Sequence[Amount]],
    *,
    claim: Amount = "",
    delta: Amount = 0,
    neighbours: str = "",
    sample: str = "",
    repeat: int = 1,
    beside: int = 1,
    then: str = "",
    **parameters: Any,
) -> MechanismAudit:
    """How private a mechanism is: of the catalogue by its name, or a matrix of probabilities.

    >>> wb.audit([["3/4", "1/4"], ["1/4", "3/4"]]).exact
    'ln(3)'

    Parameters
    ----------
    mechanism
        Such as "truncated-geometric" (`workbench audit --list`), or the probability of each output, one row per input;
        fractions and their texts are exact.
    claim, delta
        What is claimed, to be checked.
    neighbours
        Which inputs must not be told apart; "" for what is usual for the mechanism.
    sample, repeat, beside, then
        What is put in front of it, beside it and behind it, as in the room Mechanisms: a sample of rows such as "1/10",
        how often it is asked about the same input or about different ones, and the table of a channel that follows.
    parameters
        Of the mechanism.

    Raises
    ------
    Refused
        If there is no such mechanism or parameter, or the matrix is none.
    """
    from workbench.mechanisms.audit import AuditVerdict
    from workbench.project.laboratory import LaboratorySettings
    from workbench.session.audit import TYPED, examiner

    if isinstance(mechanism, str):
        name, typed = mechanism, {key: str(value) for key, value in parameters.items()}
    else:
        rows = [[str(Fraction(amount_text(cell, "matrix"))) for cell in row] for row in mechanism]
        widths = {len(row) for row in rows}
        if len(widths) != 1:
            raise WorkbenchError("The rows of the matrix differ in length.", hint="One row per input.", field="matrix")
        heading = ["", *(str(place) for place in range(widths.pop()))]
        lines = [heading, *([str(place), *row] for place, row in enumerate(rows))]
        name, typed = TYPED, {"table": "\n".join(",".join(line) for line in lines) + "\n"}
    claimed = "" if claim == "" else amount_text(claim, "claim")
    usual = LaboratorySettings()
    settings = LaboratorySettings(
        mechanism=name,
        parameters={name: typed},
        claim=claimed,
        claimed_delta=str(Fraction(amount_text(delta, "delta"))),
        neighbours=neighbours or usual.neighbours,
        sample=sample,
        repeat=repeat,
        beside=beside,
        then=then,
    )
    with showing("Auditing") as progress:
        found = examiner(settings, with_curve=False)(progress)
    seen = found.audit.witness
    holds = None if not claimed or found.undecided else found.verdict in (AuditVerdict.CONFIRMED, AuditVerdict.ROUNDED)
    return MechanismAudit(
        found.made.title,
        found.epsilon,
        "" if found.exact is None else found.exact.text,
        (str(seen.input), str(seen.neighbour), str(seen.output)),
        holds,
        found,
    )


@plainly
def verify(
    path: str | Path, *, original: str | Path | None = None, hierarchies: Mapping[str, Any] | None = None, key: str = ""
) -> Verified:
    """Count a released file again and hold it against the statement, note and signature that lie beside it.

    >>> data = wb.open(people).describe(job=wb.category(["cook", "nurse"]))
    >>> file = data.release(["job"], levels={"job": 0}).save("jobs.csv")
    >>> wb.verify(file).holds
    True

    Parameters
    ----------
    path
        The file, its statement or its note.
    original
        The table it was made from.
    hierarchies
        Files of hierarchies by column.
    key
        The publisher's public key, its fingerprint, or a file that holds one of them.

    Returns
    -------
    Verified
        What was found: `holds`, `verdict`, `findings`.

    Raises
    ------
    Refused
        If nothing is stated, or something cannot be read.
    """
    from workbench.library.files_read import remembered
    from workbench.session.verifying import beside

    read = remembered(path, *([] if original is None else [original]), *(hierarchies or {}).values())
    return beside.verify_received(
        beside.received_files(read[0]),
        original=None if original is None else read[1],
        hierarchies=read[-len(hierarchies) :] if hierarchies else [],
        key=key,
    )
