"""What a comparison comes to in words, and about how long it takes."""

from __future__ import annotations

from workbench.core.number_text import count, estimate, exact, rounded
from workbench.evaluate.findings import Findings, alike, crossings, raw
from workbench.evaluate.rising import rising_sentences


def duration_words(seconds: float) -> str:
    """About how long something takes."""
    if seconds < 1:
        return "less than a second"
    if seconds < 90:
        return f"about {count(rounded(seconds, 1) if seconds < 10 else round(seconds, -1))} s"
    if seconds < 5400:
        return f"about {count(seconds / 60)} min"
    return f"about {estimate(seconds / 3600, 2)} h"


def findings_words(findings: Findings) -> list[str]:
    """What the curves come to: where they cross, what is missing and why, and what must be known."""
    found = [f"• {crossing.sentence}" for crossing in crossings(findings)] if findings.complete else []
    if not found and findings.complete and sum(bool(one.drawn) for one in findings.series) > 1:
        best = min(
            (series for series in findings.series if series.drawn),
            key=lambda series: sum(point.mean for point in series.drawn) / len(series.drawn),
        )
        found.append(f"• No curves cross beyond chance along this axis; on average {best.name} has the smallest error.")
    for series in findings.series:
        gaps = [point for point in series.points if point.problem]
        if gaps:
            where = ", ".join(exact(point.axis_value) for point in gaps[:4])
            more = ", …" if len(gaps) > 4 else ""
            axis = findings.experiment.axis.words
            found.append(f"• {series.name}: {gaps[0].problem} ({axis} {where}{more})")
        found += [f"• {series.name}: {note}" for note in series.notes]
    rising = (f"• {sentence}" for sentence in rising_sentences(findings))
    return [*found, *rising, *unlike_words(findings), *(f"• {note}" for note in findings.notes)]


def unlike_words(findings: Findings) -> list[str]:
    """Between which curves no crossing is told, because only one of them is made consistent afterwards."""
    series = findings.series
    left = [one.name for one in series if any(not alike(findings, one, other) for other in series) and raw(one)]
    if not left:
        return []
    return [
        f"• {', '.join(left)}: counts as the noise left them. Where they cross consistent ones is not told, because "
        "post-processing alone would move it."
    ]
