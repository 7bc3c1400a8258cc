"""Figures of the Compare workspace leave with their caption, and nothing of another question does."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import (
    QFileDialog,
)
from pytestqt.qtbot import QtBot

from tests.gui.compare.helpers import (
    Takes,
    take,
    ways_out,
)
from tests.gui.helpers import idle
from workbench.gui.workspaces.compare import CompareWorkspace


class TestLeaving:
    """What is saved, where to, and when it may be."""

    def test_one_press_saves_the_figure_with_its_caption_and_a_list_has_the_other_ways_out(
        self, qtbot: QtBot, declared: CompareWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        page, target = declared.view.chart, tmp_path / "mine.svg"
        proposed = list[str]()

        def ask(_parent: object, _title: str, name: str, _kinds: str) -> tuple[str, str]:
            proposed.append(Path(name).name)
            return str(target), "SVG (*.svg)"

        monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
        others = ["Numbers (CSV)…", "Everything into a folder…"]
        assert page.save.accessibleName() == "Save picture…" and ways_out(page) == others
        assert page.save.toolTip() == "Save the picture with its caption, as PNG, SVG or PDF"
        take(page, "Picture")
        idle(qtbot, declared)
        drawn = target.read_text(encoding="utf-8")
        assert "Error of the mean of age (people.csv, unread), limited to" in drawn
        for line in ("Enough on a long tail: 0.131", "Enough on evenly spread values: 1.34"):
            assert f">{line}<" in drawn, "the lines of what is good enough leave too"
        assert f">ε {declared.view.tiles.at:g}<" in drawn, "and that of the place which the caption is about"
        declared.view.tiles.limit.edit.setText("1.5")
        take(page, "Picture")
        idle(qtbot, declared)
        assert ">Enough: 1.5<" in target.read_text(encoding="utf-8"), "as it is typed now"
        at = f"{declared.view.tiles.at:g}"
        assert proposed == [f"mean-of-age-people-at-epsilon-{at}.png"] * 2
        # The answer names another ε than the one that is seen: which one leaves is said before it does.
        declared.view.tiles.limit.edit.setText("0.3")
        idle(qtbot, declared)
        assert f"ε {at}." not in declared.view.tiles.headline.text()
        shows = declared.view.tiles.headline.shows
        assert shows.isVisible()
        shows.click()
        idle(qtbot, declared)
        take(page, "Picture")
        idle(qtbot, declared)
        then = f"{declared.view.tiles.at:g}"
        assert then != at and proposed[-1] == f"mean-of-age-people-at-epsilon-{then}.png"
        assert f">ε {then}<" in target.read_text(encoding="utf-8")
        declared.draft.change_figure("no caption", caption=False)
        idle(qtbot, declared)
        assert page.save.toolTip() == "Save the picture, as PNG, SVG or PDF"
        take(page, "Picture")
        idle(qtbot, declared)
        assert "Error of the mean of age" not in target.read_text(encoding="utf-8")

    def test_a_picture_has_the_same_name_in_a_folder_with_everything(
        self, qtbot: QtBot, declared: CompareWorkspace, tmp_path: Path
    ) -> None:
        declared.view.chart.save_all(tmp_path / "all")
        idle(qtbot, declared)
        pictures, numbers = f"mean-of-age-people-at-epsilon-{declared.view.tiles.at:g}", "mean-of-age-people"
        names = {f"{pictures}.{ending}" for ending in ("png", "svg", "pdf", "txt")}
        assert {path.name for path in (tmp_path / "all").iterdir()} == names | {f"{numbers}.csv", f"{numbers}.json"}

    def test_what_is_saved_goes_beside_the_table_and_then_where_the_last_went(
        self, qtbot: QtBot, declared: CompareWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        page, began = declared.view.chart, list[Path]()
        places = [tmp_path / "figures" / "one.png", tmp_path / "elsewhere"]
        places[0].parent.mkdir()
        places[1].mkdir()

        def file(_parent: object, _title: str, name: str, _kinds: str) -> tuple[str, str]:
            began.append(Path(name).parent)
            return str(places[0]), "PNG (*.png)"

        def folder(_parent: object, _title: str, name: str) -> str:
            began.append(Path(name))
            return ""

        monkeypatch.setattr(QFileDialog, "getSaveFileName", file)
        monkeypatch.setattr(QFileDialog, "getExistingDirectory", folder)
        beside = declared.document.session.data.place_beside[0]
        take(page, "Picture")
        idle(qtbot, declared)
        take(page, "Everything")
        declared.document.save_folder = places[1]
        take(page, "Picture")
        idle(qtbot, declared)
        assert began == [beside, places[0].parent, places[1]]

    def test_nothing_of_another_question_leaves(self, qtbot: QtBot, declared: CompareWorkspace, takes: Takes) -> None:
        takes(60.0, 60.0)  # longer than what begins by itself
        page = declared.view.chart
        leaving = page.ways_out
        assert all(one.isEnabled() for one in leaving) and page.chart.isEnabled()
        declared.draft.change("another seed", seed=5)
        idle(qtbot, declared)
        assert not any(one.isEnabled() for one in leaving) and not page.chart.isEnabled()
        assert declared.view.tiles.headline.text().startswith("Out of date") and not declared.view.numbers.isEnabled()
        declared.draft.change("as before", seed=1)
        idle(qtbot, declared)
        assert all(one.isEnabled() for one in leaving) and page.chart.isEnabled()
