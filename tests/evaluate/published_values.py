"""Record what the published figures come to: `python -m tests.evaluate.published_values` writes the file of values."""

from __future__ import annotations

import json
import time

import numpy as np

from workbench.core.paths import resources
from workbench.core.progress import SILENT
from workbench.evaluate.published.catalogue import FIGURES
from workbench.evaluate.published.entry import FigureInput, FigureOutcome, PublishedFigure, our_value, run_figure
from workbench.evaluate.published.recorded import RECORDED
from workbench.evaluate.published.thumbnails import THUMBNAILS, Thumbnail, thumbnail_of
from workbench.session.shipped_samples import sample_of

NOISE_RUNS, NOISE_SEED = 200, 2
"""The noise of one repetition is that of so many, with another seed than the run whose values are kept."""

DRAWN = [
    0.023643249,
    0.821618144,
    0.073407802,
    3093.0,
    6.0,
    209.0,
    218.0,
    185.0,
    195.0,
    193.0,
    43.0,
    42.0,
    15.0,
    264.0,
    498.0,
    61.0,
    280.0,
    980.0,
]
"""What `_some_draws` came to when the values were recorded."""


def _some_draws() -> list[float]:
    """A few numbers of every law that the figures draw from, whose way of being drawn numpy may change."""
    generator = np.random.Generator(np.random.PCG64(1))
    drawn = (
        generator.uniform(-1, 1),
        generator.normal(),
        generator.exponential(),
        generator.binomial(10_000, 0.3),
        generator.binomial(20, 0.3),
        *generator.multinomial(1_000, np.full(5, 0.2)),
        *generator.multivariate_hypergeometric(np.array([500, 300, 200]), 100),
        generator.geometric(0.01),
        *generator.choice(1_000, 3, replace=False),
        generator.integers(0, 1_000),
    )
    return [round(float(one), 9) for one in drawn]


def draws_as_recorded() -> bool:
    """Whether the same seed draws the same numbers as when the values were recorded."""
    return _some_draws() == DRAWN


def as_published(figure: PublishedFigure, seed: int = 1, repetitions: int = 0) -> FigureOutcome:
    """The side made as published, of the shipped sample."""
    material, column, data = sample_of(figure.sample, SILENT)
    given = FigureInput(material, column, False, repetitions or figure.repetitions, seed)
    return FigureOutcome(figure, figure.published(given, lambda panels: None), data=data)


def values_of(figure: PublishedFigure) -> dict[str, list[float | str]]:
    """Mean, deviation of one repetition, repetitions, and how it is written, if as no mere number, by its name."""
    made = as_published(figure).published
    noisy = any(one.repetitions for one in figure.values)
    longer = as_published(figure, NOISE_SEED, max(NOISE_RUNS, 2 * figure.repetitions)).published if noisy else made
    found: dict[str, list[float | str]] = {}
    for one in figure.values:
        ours, noise = our_value(one, made), our_value(one, longer)
        if ours is not None and noise is not None:
            deviation = noise.deviation if one.repetitions else 0.0
            numbers = [float(f"{ours.mean:.9g}"), float(f"{deviation:.4g}"), ours.repetitions]
            found[one.name] = [*numbers, *filter(None, (ours.written,))]
    return found


def thumbnail(figure: PublishedFigure) -> Thumbnail:
    """The small picture of a figure."""
    material, column, _ = sample_of(figure.sample, SILENT)
    made = run_figure(figure, FigureInput(material, column, False, min(figure.repetitions, 20), 1))
    return thumbnail_of(made.published, made.mended, linear=not figure.document.ours)


def main() -> None:
    plain, small = {}, {}
    for figure in FIGURES:
        start = time.monotonic()
        plain[figure.identifier] = values_of(figure)
        small[figure.identifier] = thumbnail(figure)
        print(f"{figure.identifier}: {time.monotonic() - start:.1f} s", flush=True)
    text = json.dumps(plain, ensure_ascii=False, indent=1) + "\n"
    (resources() / RECORDED).write_text(text, encoding="utf-8")
    lines = [f" {json.dumps(name)}: {json.dumps(one, separators=(',', ':'))}" for name, one in small.items()]
    (resources() / THUMBNAILS).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
