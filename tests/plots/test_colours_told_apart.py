"""The colours of the three ways differ for those who see fewer colours, and on paper in grey.

Simulation: G. Machado, M. Oliveira, L. Fernandes: A physiologically-based model for simulation of color vision
deficiency, 2009 (severity 1, linear RGB). Distances are those of CIE Lab (D65); about 2 is just seen.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tests.plots.test_charts import DARK, SIZES, drawn
from workbench.evaluate.figure_settings import FIT_TO_PRINT
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.protocol import PROTOCOLS
from workbench.plots import error_curves
from workbench.plots.comparison_look import print_style
from workbench.plots.error_curves import ErrorCurves, ProtocolCurve, curve_look
from workbench.plots.style import ChartStyle
from workbench.session.collection.words import look_of

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


ROUND = frozenset("oph")
"""Marks that are hardly told apart where they are small."""


@pytest.mark.parametrize("style", [ChartStyle(), DARK], ids=["light", "dark"])
@pytest.mark.parametrize("twice", [False, True], ids=["each once", "each with two settings"])
def test_protocols_that_stand_in_one_chart_differ_without_their_colour(style: ChartStyle, twice: bool) -> None:
    places = np.geomspace(0.1, 10.0, 6)
    curves = tuple(
        ProtocolCurve(f"{one.title}, {again}", places, 1.0 / places, look=look_of(ProtocolChoice(one.identifier)))
        for one in PROTOCOLS
        for again in range(1 + twice)
    )
    chart = error_curves.build(drawn(*SIZES[0]), ErrorCurves(curves, "Error", "epsilon", 1.0), style)
    lines = [line for line in chart.axes.lines if line.get_marker() != "None"]
    assert len(lines) == len(curves)
    looks = [curve_look(curve.look or 0, place % (1 + twice), style) for place, curve in enumerate(curves)]
    marks = [(line.get_marker(), line.get_markerfacecolor() == style.ground) for line in lines]
    assert marks == [(look.marker, look.hollow) for look in looks]
    for one, two in itertools.combinations(range(len(lines)), 2):
        alike = any(
            np.linalg.norm(lab(looks[one].colour, seen) - lab(looks[two].colour, seen)) < 10 for seen in SEEN.values()
        )
        nearly = not twice and marks[one][1] == marks[two][1] and {marks[one][0], marks[two][0]} <= ROUND
        same_mark = nearly or marks[one] == marks[two]
        assert not (alike and same_mark) or looks[one].dash != looks[two].dash, (curves[one].name, curves[two].name)
        if not twice and looks[one].colour == looks[two].colour:
            assert marks[one] != marks[two], f"{curves[one].name} has the colour and mark of {curves[two].name}"
