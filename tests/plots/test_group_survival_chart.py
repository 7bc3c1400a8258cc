"""The chart of how often a group of a size is released, by trimming beside sampling."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from matplotlib.figure import Figure

from tests.plots.test_charts import DARK, SIZES, assert_readable, drawn
from workbench.anonymise.sample_guarantee import guarantee
from workbench.anonymise.trim_guarantee import TrimGuarantee
from workbench.core.errors import WorkbenchError
from workbench.core.progress import Cancelled, CancelToken, Progress
from workbench.plots import group_survival
from workbench.plots.group_survival import GroupSurvival
from workbench.plots.style import ChartStyle


@pytest.fixture(scope="module")
def usual() -> GroupSurvival:
    return group_survival.compute(TrimGuarantee(1, 1e-5))


def test_trimming_is_above_sampling_everywhere(usual: GroupSurvival) -> None:
    assert (usual.half["trim"], usual.always) == (12, 23)
    best, most = usual.half["best"], usual.half["max"]
    assert best is not None and most is not None
    assert 40 < best < 50 < most < 80
    for name in ("best", "max"):
        assert (usual.kept["trim"] >= usual.kept[name]).all()
    assert usual.sizes[0] == 0 == usual.kept["trim"][0]
    for kept in usual.kept.values():
        assert (np.diff(kept) >= 0).all()
    assert usual.kept["trim"][-1] == 1


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "promised",
    [
        TrimGuarantee(1, 1e-5),
        TrimGuarantee(0.1, 1e-6, 3),
        TrimGuarantee(10, 1e-5),
        TrimGuarantee(1, 1e-5, floor=30),
        TrimGuarantee(1, 1e-5, shares=(Fraction(1, 10), Fraction(9, 10))),
        TrimGuarantee(1, 0.9),
    ],
    ids=["usual", "several rows", "largest ε", "floor", "steps", "huge δ"],
)
def test_nothing_is_cut_off_or_covered(promised: TrimGuarantee, size: tuple[int, int]) -> None:
    figure: Figure = drawn(*size)
    chart = group_survival.build(figure, group_survival.compute(promised), DARK)
    chart.arrange()
    assert_readable(figure)


def test_another_guarantee_is_shown_with_the_same_artists(usual: GroupSurvival) -> None:
    chart = group_survival.build(drawn(620, 360), usual, ChartStyle())
    before = chart.lines["trim"].get_xdata()[-1]
    chart.update(group_survival.compute(TrimGuarantee(0.2, 1e-5)))
    assert chart.lines["trim"].get_xdata()[-1] > before
    assert "always" in chart.labels["trim"].get_text()
    assert chart.axes.get_xlabel() == "Rows of a group that take part", "other rows of a person are in no group"


def test_words_and_numbers_say_the_same(usual: GroupSurvival) -> None:
    said = group_survival.describe(usual)
    assert said.startswith("Trimming releases groups of 12 rows at least half of the time and those of 23 always")
    assert "ε = 1 and δ = 1e-5" in said
    steps = group_survival.compute(TrimGuarantee(1, 1e-5, shares=(Fraction(1, 2), Fraction(1, 2))))
    assert group_survival.describe(steps).startswith("At the first step, trimming")
    heading, *numbers = group_survival.rows(usual)
    assert heading == ("rows", "trimming", "sampling_best", "sampling_max")
    assert len(numbers) == len(usual.sizes)
    at_best = dict(zip((row[0] for row in numbers), numbers, strict=True))[str(usual.half["best"])]
    assert float(at_best[1]) == 1
    assert float(at_best[2]) >= 0.5


def test_where_sampling_reaches_nothing_only_trimming_is_drawn() -> None:
    promised = TrimGuarantee(1e-8, 0.99, 100)
    with pytest.raises(WorkbenchError, match="too small"):
        guarantee(epsilon=1e-8, delta=0.99, rows_per_person=100, beta="best")
    data = group_survival.compute(promised)
    assert data.half["best"] is None
    assert np.isnan(data.kept["best"]).all()
    assert group_survival.rows(data)[1][2] == ""
    chart = group_survival.build(drawn(620, 360), data, ChartStyle())
    chart.arrange()
    assert chart.labels["best"].get_text() == ""


def test_it_can_be_cancelled() -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        group_survival.compute(TrimGuarantee(1, 1e-5), Progress(token=token))


def test_what_nobody_chose_is_drawn_only_where_it_is_wanted() -> None:
    alone = group_survival.compute(TrimGuarantee(1, 1e-5), sampling=False)
    assert alone.half["trim"] == 12 and alone.half["best"] is alone.half["max"] is None
    chart = group_survival.build(drawn(620, 360), alone, ChartStyle())
    shown = {name: label.get_text() for name, label in chart.labels.items()}
    assert shown["trim"].startswith("trimming: 12 rows") and shown["best"] == shown["max"] == ""
    assert "sampling" not in group_survival.describe(alone)
    assert all(row[2:] == ("", "") for row in group_survival.rows(alone)[1:])
