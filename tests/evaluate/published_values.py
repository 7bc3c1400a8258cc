"""Record what the published figures come to: `python -m tests.evaluate.published_values` writes the file of values."""

from __future__ import annotations

import json

from workbench.core.paths import resources
from workbench.core.progress import SILENT
from workbench.evaluate.published.catalogue import FIGURES
from workbench.evaluate.published.entry import FigureInput, FigureOutcome, PublishedFigure, our_value
from workbench.session.comparison import sample_of
from workbench.session.published_figures import RECORDED


def as_published(figure: PublishedFigure, seed: int = 1) -> FigureOutcome:
    """The side made as published, of the shipped sample."""
    material, column, data = sample_of(figure.sample, SILENT)
    given = FigureInput(material, column, False, figure.repetitions, seed)
    return FigureOutcome(figure, figure.published(given, lambda panels: None), data=data)


def values_of(outcome: FigureOutcome) -> dict[str, list[float]]:
    """Mean, deviation of one repetition and repetitions, by what is published."""
    found = {one.what: our_value(one, outcome.published) for one in outcome.figure.values}
    return {
        what: [float(f"{ours.mean:.9g}"), float(f"{ours.deviation:.4g}"), ours.repetitions]
        for what, ours in found.items()
        if ours is not None
    }


def main() -> None:
    plain = {figure.identifier: values_of(as_published(figure)) for figure in FIGURES}
    text = json.dumps(plain, ensure_ascii=False, indent=1) + "\n"
    (resources() / RECORDED).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
