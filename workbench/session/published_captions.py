"""Captions of published figures: what can be printed below one picture or table that stands alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from workbench.core.number_text import count, estimate, spelled
from workbench.evaluate.method import Approach
from workbench.evaluate.published.agreement import FALSE_ALARMS, Agreement, Said, pooled, said_of, said_of_all
from workbench.evaluate.published.beyond_data import NO_OPENDP
from workbench.evaluate.published.curve_notes import CURVE_NOTES
from workbench.evaluate.published.entry import FigureOutcome
from workbench.evaluate.published.panel import DATA, MENDED, PRINTED, RUN_HERE, SIDES, PanelCurve
from workbench.evaluate.published.setting_rows import HERE, STAND_INS, run_of_yours
from workbench.plots.published_panel import PanelData

_OF_RUNS = re.compile(r"(?:\. |; )(?:Here: |run here|here )[^;]*")
"""The words of a setting on the run here; a table that is printed has no such run."""


def data_words(outcome: FigureOutcome) -> str:
    """The name of a figure's data: a column of a sample by both their names, other data by their file and column."""
    sample = outcome.figure.sample
    if outcome.own or sample is None or not outcome.data.startswith(f"{sample.file}, "):
        return outcome.data
    return f"column “{sample.column}” of the synthetic sample “{sample.name}”"


def only_printed(panel: PanelData) -> bool:
    """Whether a panel has what the document prints and nothing else: no data of ours is in it."""
    return panel.panel.title.startswith(PRINTED) and "run here" not in panel.panel.title


def printed_caption(outcome: FigureOutcome, side: str, panel: PanelData) -> str:
    """The caption to print below a panel: which figure, what to see, of what data and settings, and what the marks are.

    Parameters
    ----------
    side
        "published" or "mended".
    """
    figure, mended = outcome.figure, side == "mended"
    ours = figure.document.ours
    which, title = MENDED if mended else RUN_HERE, panel.panel.title
    own_words = figure.words_of(title)
    if ours or title.startswith(SIDES):  # it says itself which side it is
        which, title = title, ""
    which = f"{which[0].lower()}{which[1:]}" if ours or which.startswith(SIDES) else which
    seen = outcome.caption
    if seen and own_words.caption is not None:
        seen = own_words.caption
    title = f" {title}." if title else ""
    said = [f"{figure.number}, {which}: {figure.title} ({figure.source}).{title} {seen}".strip()]
    settings = list(_settings(outcome, panel, mended=mended))
    if settings:
        said.append(f"Settings: {'; '.join(settings)}.")
    of_data = figure.shows_data or (outcome.own and figure.sample is None)
    if of_data and not _of_no_data(outcome, panel):
        said.append(f"Data: {data_words(outcome)}.")
    if mended and not ours:
        notes = {**CURVE_NOTES, **dict(own_words.notes)}
        said.extend(notes[one.name] for one in panel.panel.curves if one.name in notes)
    random = [one for one in panel.panel.curves if one.repetitions > 1]
    if random:
        means = own_words.means or f"{'Errors' if panel.panel.rows else 'Points'} are means of {{}} repetitions."
        said.append(means.format(count(random[0].repetitions)))
        said.extend(_of_more(panel.panel.across, random))
    formulas = [one.formula for one in panel.panel.curves]
    if any(formulas) and not (panel.panel.apart or panel.panel.rows):
        said.extend(filter(None, (own_words.drawn if all(formulas) else "Dotted: by formula.",)))
    if panel.values:
        said.append(_crosses(outcome, panel))
    if ours:
        said.extend(line for line in _lines_below(outcome, panel) if line != NO_OPENDP)
    if outcome.own:
        said.append("For the analyst only, not to be published.")
    return " ".join(said)


def _of_more(across: str, curves: Sequence[PanelCurve]) -> list[str]:
    """Where points are means of more repetitions than the others."""
    runs = {
        at: curve.runs_of(number)
        for curve in curves
        for number, at in enumerate(curve.places)
        if curve.runs_of(number) > curve.repetitions
    }
    if not runs:
        return []
    where = " and ".join(estimate(at, 3) for at in sorted(runs))
    return [f"At {across} = {where} they are of {count(max(runs.values()))}."]


def _of_no_data(outcome: FigureOutcome, panel: PanelData) -> bool:
    """Whether a panel is made of no data, though its figure is: as printed, or of people who are made up."""
    return only_printed(panel) or DATA in outcome.figure.words_of(panel.panel.title).without


def _lines_below(outcome: FigureOutcome, panel: PanelData) -> Sequence[str]:
    return outcome.figure.below(outcome, panel.panel.title) if outcome.complete else ()


def _settings(outcome: FigureOutcome, panel: PanelData, *, mended: bool) -> Iterator[str]:
    """The settings of a panel alone, each as its side has it."""
    drawn, ours, of_no_data = panel.panel, outcome.figure.document.ours, _of_no_data(outcome, panel)
    without = outcome.figure.words_of(drawn.title).without
    for name, there, here in outcome.settings:
        if name in without or (name == "axes" and (drawn.labels or drawn.rows)):
            continue
        if only_printed(panel) and there.startswith(HERE):  # what is set changes nothing that is printed
            continue
        stands_in = here in STAND_INS and not of_no_data
        words = there if here == "the same" or not (mended or ours or there == "–" or stands_in) else here
        if outcome.own and words == there and not (mended or ours or of_no_data):
            words = run_of_yours((name, there, here), outcome.figure.settings)
            if not words:
                continue
        if only_printed(panel):
            words = _OF_RUNS.sub("", words)
        if mended and not ours and name == "protocols":
            words = _drawn(panel) or words
        yield f"{name}: {words.removeprefix(HERE)}"


def _drawn(panel: PanelData) -> str:
    """The protocols of a chart, and what is drawn beside them that is none."""
    curves = [one for one in panel.panel.curves if not one.formula]
    protocols, others = (
        ", ".join(f"“{one.name}”" for one in curves if (one.approach is Approach.LOCAL) is local)
        for local in (True, False)
    )
    return f"{protocols}; beside them: {others}" if others else protocols


_WITHIN = {
    Said.AGREES: ("agrees", "agree", " (at most a quarter of {} is allowed)"),
    Said.WITHIN: ("lies within that, which proves no agreement", "lie within that, which proves no agreement", ""),
    Said.UNCHECKED: ("cannot be checked", "cannot be checked", " (as much as {}, or more, is allowed)"),
    Said.DIFFERS: ("differs by more (thick and red)", "differ by more (thick and red)", ""),
    Said.MADE: ("is fitted", "are fitted", " ({}), which proves no agreement"),
    Said.COMPUTED: ("comes out as computed", "come out as computed", ""),
}
"""The words for one cross and for several, and for how that is meant."""


def _crosses(outcome: FigureOutcome, panel: PanelData) -> str:
    """The legend of the crosses: what they are, what was allowed for, how many of those drawn are said to be what."""
    every = outcome.agreements
    both = [(said, one) for said, one in zip(said_of(every), every, strict=True) if one.value in panel.values]
    found = [one for _, one in both]
    computed = all(one.value.follows for one in found)
    what = f"{'computed' if computed else 'published'} value{'s' if len(found) > 1 else ''}"
    if computed:
        what += f", not printed ({found[0].value.follows})"
    read = sorted({one.value.reading for one in found if one.value.reading and not one.value.basis})
    if read:
        ends = dict.fromkeys(spelled(estimate(one, 2)) for one in (read[0], read[-1]))
        what += f", read off the picture to ± {' to '.join(ends)}"
    told = [what]
    allowed = _allowed_for(found)
    if allowed:
        told.append(f"allowed for: {' and '.join(allowed)}")
    counts = []
    for said, (one, several, meant) in _WITHIN.items():
        many = [other for which, other in both if which is said]
        if many:
            of = "the true number" if all(other.value.scale for other in many) else "each"
            if said is Said.MADE:
                of = many[0].value.mark or "the sample was made to match them"
            number = "all" if len(many) == len(both) > 1 else count(len(many))
            counts.append(f"{number} {one if len(many) == 1 else several}{meant.format(of)}")
    if counts:
        told.append(", ".join(counts))
    whole = said_of_all(every)
    if whole is not None:
        together = pooled(every)
        rest = [one for one in together if one.value not in panel.values]
        also = f" with {count(len(rest))} that {'is' if len(rest) == 1 else 'are'} not drawn" if rest else ""
        does = "agree" if whole is Said.TOGETHER else "differ by more than chance and misreading"
        how = f"taken together{also} (mean of the ratios of ours to the published ones),"
        drawn = len(together) - len(rest)
        told.append(f"{how} they {does}" if drawn == len(both) else f"{count(drawn)} of them, {how} {does}")
    return f"Crosses: {'; '.join(told)}."


def _allowed_for(found: Sequence[Agreement]) -> list[str]:
    """The sources of error that the tolerances of these values allow for."""
    basis = dict.fromkeys(
        one.value.basis.replace("rounded", "rounding") for one in found if one.value.basis and not one.value.scale
    )
    words = ["misreading"] if any(one.value.reading and not one.value.basis for one in found) else []
    words += [f"{name} ({much})" if much else name for name, _, much in (one.partition(": ") for one in basis)]
    if any(one.error for one in found):
        words.append(f"chance, which rejects one correct value in {count(FALSE_ALARMS)}")
    return words
