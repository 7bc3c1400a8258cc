"""The colours of the three ways differ for those who see fewer colours, and on paper in grey.

Simulation: G. Machado, M. Oliveira, L. Fernandes: A physiologically-based model for simulation of color vision
deficiency, 2009 (severity 1, linear RGB). Distances are those of CIE Lab (D65); about 2 is just seen.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from workbench.evaluate.figure_settings import FIT_TO_PRINT
from workbench.plots.comparison import print_style
from workbench.plots.style import ChartStyle

SEEN = {
    "all": np.eye(3),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "grey": np.tile([0.2126, 0.7152, 0.0722], (3, 1)),
}
TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)


def lab(colour: str, seen: np.ndarray) -> np.ndarray:
    channels = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    x, y, z = TO_XYZ @ np.clip(seen @ linear, 0, 1) / TO_XYZ.sum(axis=1)
    f = [value ** (1 / 3) if value > 216 / 24389 else (24389 / 27 * value + 16) / 116 for value in (x, y, z)]
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def nearest(style: ChartStyle, seen: np.ndarray) -> float:
    colours = (style.global_dp, style.anonymised, style.local_dp)
    return min(
        float(np.linalg.norm(lab(one, seen) - lab(two, seen))) for one, two in itertools.combinations(colours, 2)
    )


@pytest.mark.parametrize("who", list(SEEN))
def test_ways_on_paper_differ_for_everybody(who: str) -> None:
    assert nearest(print_style(FIT_TO_PRINT), SEEN[who]) > 10


@pytest.mark.parametrize("who", ["all", "deuteranopia", "protanopia"])
def test_ways_on_screen_differ_for_everybody(who: str) -> None:
    assert nearest(ChartStyle(), SEEN[who]) > 10


def test_two_greys_of_the_same_lightness_would_be_seen() -> None:
    alike = ChartStyle(global_dp="#777777", anonymised="#777777")
    assert nearest(alike, SEEN["all"]) == 0
