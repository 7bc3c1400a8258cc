"""What trimming would keep at other ε: the simulation, its chart, and the look that it is."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from workbench.anonymise.forecast import expected_rows
from workbench.anonymise.trim_guarantee import TrimGuarantee
from workbench.anonymise.trim_survival import TrimSurvival
from workbench.core.errors import WorkbenchError
from workbench.core.progress import Cancelled, CancelToken, Progress
from workbench.plots import trim_survival
from workbench.plots.render import chart_csv
from workbench.plots.style import ChartStyle
from workbench.plots.trim_survival import TrimSurvivors
from workbench.project.model import GuaranteeSettings, new_project
from workbench.project.trim_settings import StepsBy, TrimSettings
from workbench.session import Session

SIZES = [40, 25, 12, 12, 6, 3, 1]


@pytest.fixture
def session(tmp_path: Path) -> Session:
    file = tmp_path / "people.csv"
    names = [f"p{place}" for place, size in enumerate(SIZES) for _ in range(size)]
    file.write_text("place,who\n" + "".join(f"{name},{row}\n" for row, name in enumerate(names)), encoding="utf-8")
    (tmp_path / "place.csv").write_text("".join(f"p{i};q{i // 2};*\n" for i in range(len(SIZES))), encoding="utf-8")
    made = Session(new_project())
    made.ledger.use_file(tmp_path / "ledger.jsonl")
    made.data.open(file)
    made.data.attach_hierarchy_file("place", tmp_path / "place.csv")
    made.release.set_guarantee(GuaranteeSettings(epsilon=1.0, delta=1e-3))
    return made


def one_step(session: Session) -> None:
    session.release.set_trimming(TrimSettings(steps=StepsBy.ONE))
    session.release.columns.set_level("place", 0)


def simulated(session: Session) -> TrimSurvival:
    explored = session.release.survival.simulator()(Progress())
    session.release.survival.accept(explored)
    assert isinstance(explored.survival, TrimSurvival)
    return explored.survival


def test_what_survives_is_what_the_law_keeps(session: Session) -> None:
    one_step(session)
    found = simulated(session)
    assert (found.rows, found.classes) == (sum(SIZES), len(SIZES))
    assert found.epsilons[found.chosen] == 1 and found.epsilons[0] == 0.125 and found.epsilons[-1] == 8
    middles = found.released[1]
    assert (np.diff(middles) >= 0).all(), "the more ε, the more rows: every ε has the same random numbers"
    for place, epsilon in enumerate(found.epsilons.tolist()):
        law = TrimGuarantee(epsilon, 1e-3).laws[0]
        expected = sum(expected_rows(law, size) for size in SIZES)
        low, high = found.released[0, place], found.released[2, place]
        assert low - 3 <= expected <= high + 3
    assert (found.groups[2] <= len(SIZES)).all()


def test_what_one_step_gives_up_the_next_takes_in(session: Session) -> None:
    one_step(session)
    alone = simulated(session)
    vectors = ({"place": 0}, {"place": 2})
    session.release.set_trimming(TrimSettings(steps=StepsBy.TYPED, vectors=vectors, shares=(3.0, 1.0)))
    chain = simulated(session)
    assert [float(step.epsilon) for step in chain.promised.steps] == [0.75, 0.25]
    assert chain.released[1, -1] > alone.released[1, -1]


def test_it_is_a_look_and_follows_the_settings(session: Session) -> None:
    one_step(session)
    work = session.release.survival.simulator()
    explored = work(Progress())
    assert not session.release.looked, "nothing was shown yet"
    session.release.survival.accept(explored)
    assert session.release.looked and session.release.survival.is_current
    assert not session.release.claim().holds
    session.release.set_guarantee(GuaranteeSettings(epsilon=2.0, delta=1e-3))
    assert not session.release.survival.is_current


def test_cancel_is_heard_and_levels_that_are_not_drawn_are_refused(session: Session) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        session.release.survival.simulator()(Progress(token=token))
    with pytest.raises(WorkbenchError, match="seed"):
        session.release.survival.simulator(-1)(Progress())


@pytest.mark.parametrize("counted", ["rows", "classes"])
def test_the_chart_shows_the_numbers(session: Session, counted: trim_survival.Counted) -> None:
    data = TrimSurvivors(simulated(session), counted)
    figure = Figure(figsize=(6.2, 3.6), dpi=100)
    FigureCanvasAgg(figure)
    chart = trim_survival.build(figure, data, ChartStyle())
    chart.arrange()
    figure.draw_without_rendering()
    np.testing.assert_array_equal(chart.line.get_ydata(), data.quantiles[1])
    assert (chart.mark.get_xdata()[0], chart.mark.get_ydata()[0]) == (1.0, data.chosen[1])
    box = chart.label.get_window_extent()
    assert box.x0 >= 0 and box.x1 <= figure.bbox.x1 and box.y0 >= 0 and box.y1 <= figure.bbox.y1
    heading, *lines = csv.reader(chart_csv(trim_survival, data).splitlines())
    assert heading == ["epsilon", "5_percent", "median", "95_percent"] and len(lines) == len(data.survival.epsilons)
    assert "by trimming at δ = 0.001" in trim_survival.describe(data)
