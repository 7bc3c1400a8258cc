"""The parts every workspace is built from: theme, icons, rail, explanations, recent files."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QSplitter, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.paths import resources
from workbench.core.schema import Role
from workbench.gui.icons import app_icon, icon, icon_names
from workbench.gui.messages import MessageBar
from workbench.gui.settings import WindowSettings
from workbench.gui.theme import DARK, LIGHT, Mode, Theme, ThemeManager, apply_theme, contrast
from workbench.gui.widgets.badge import Badge, analyst_badge
from workbench.gui.widgets.card import Card
from workbench.gui.widgets.empty_state import EmptyState
from workbench.gui.widgets.explain import ExplainPane, HelpBook, set_explain
from workbench.gui.widgets.inputs import ComboBox
from workbench.gui.widgets.job_strip import JobStrip
from workbench.gui.widgets.log_slider import LogSlider
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.widgets.rail import Rail
from workbench.gui.widgets.role_marks import role_icon, role_token
from workbench.gui.widgets.sparkline import Sparkline, merge_counts
from workbench.gui.widgets.status import Status
from workbench.gui.widgets.table_view import DataTableView

EXPLAINED = {
    "data": ["open", "roles", "kind", "person", "bounds", "preview"],
    "hierarchies": ["attach", "provenance", "uncovered", "levels"],
    "anonymise": [
        "epsilon",
        "delta",
        "beta",
        "k",
        "accounting",
        "solve_for",
        "levels",
        "blind_levels",
        "treatment",
        "seed",
        "run",
        "result",
        "tradeoff",
    ],
    "release": ["claim", "checklist", "export", "statement"],
    "project": ["save"],
}


# Theme -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_texts_reach_a_contrast_of_four_and_a_half(theme: Theme) -> None:
    grounds = ("window", "surface", "band")
    pairs = [(text, ground) for text in ("text", "muted", "link", "error") for ground in grounds]
    pairs += [("text", "hover"), ("text", "pressed"), ("text", "sunken"), ("on_selection", "selection")]
    pairs += [("on_accent", ground) for ground in ("accent", "accent_hover", "accent_pressed")]
    for status in Status:
        pairs += [(status.value, f"{status.value}_soft"), ("text", f"{status.value}_soft")]
        pairs.append(("muted", f"{status.value}_soft"))
    weak = {
        pair: round(ratio, 2)
        for pair in pairs
        if (ratio := contrast(getattr(theme, pair[0]), getattr(theme, pair[1]))) < 4.5
    }
    assert not weak


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_marks_reach_a_contrast_of_three(theme: Theme) -> None:
    marks = ["control", "focus", "accent", "warning", "success", "error"]
    marks += [field.name for field in fields(theme) if field.name.startswith(("role_", "chart_"))]
    marks.remove("chart_grid")
    weak = {
        (mark, ground): round(ratio, 2)
        for mark in marks
        for ground in ("window", "surface")
        if (ratio := contrast(getattr(theme, mark), getattr(theme, ground))) < 3
    }
    assert not weak


def test_contrast_of_black_on_white_is_twenty_one() -> None:
    assert contrast("#FFFFFF", "#000000") == pytest.approx(21)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_the_drawings_of_controls_have_the_colours_of_the_theme(theme: Theme) -> None:
    expected = {"check": theme.on_accent, "dash": theme.on_accent}
    expected |= {f"chevron-{way}": theme.muted for way in ("up", "down", "right")}
    for name, colour in expected.items():
        text = (resources() / "icons" / "control" / f"{name}-{theme.name}.svg").read_text()
        assert re.findall('stroke="(#[^"]+)"', text) == [colour], name


def test_the_chosen_theme_is_announced_and_remembered(qapp: QApplication, settings: WindowSettings) -> None:
    manager = ThemeManager(qapp, settings)
    manager.set_mode(Mode.LIGHT)
    heard: list[Theme] = []
    manager.changed.connect(heard.append)
    manager.set_mode(Mode.DARK)
    manager.set_mode(Mode.DARK)
    assert heard == [DARK]
    assert qapp.palette().window().color().name().upper() == DARK.window
    assert ThemeManager(qapp, WindowSettings(settings.path)).theme is DARK


def test_a_nonsense_mode_in_the_settings_means_follow_the_system(qapp: QApplication, settings: WindowSettings) -> None:
    settings.set_value("theme", ["pink"])
    assert ThemeManager(qapp, settings).mode is Mode.SYSTEM


# Icons -------------------------------------------------------------------------------------------------------


def _differences(first: str, second: str) -> list[int]:
    return [abs(int(first[i : i + 2], 16) - int(second[i : i + 2], 16)) for i in (1, 3, 5)]


def test_every_icon_renders_in_the_colour_of_the_theme(theme: Theme) -> None:
    assert len(icon_names()) >= 40
    for name in icon_names():
        image = icon(name).pixmap(32, 32).toImage()
        opaque = {
            image.pixelColor(x, y).name().upper()
            for x in range(image.width())
            for y in range(image.height())
            if image.pixelColor(x, y).alpha() == 255
        }
        assert opaque, name
        if name != "app":
            # Where strokes meet, blending may be off by one step.
            off = {channel for shade in opaque for channel in _differences(shade, theme.text)}
            assert max(off) <= 2, name


def test_an_icon_follows_a_change_of_theme(qapp: QApplication) -> None:
    apply_theme(qapp, LIGHT)
    kept = icon("role-identifying")
    before = kept.pixmap(16, 16).toImage().pixelColor(8, 8).name()
    apply_theme(qapp, DARK)
    after = kept.pixmap(16, 16).toImage().pixelColor(8, 8).name()
    assert [before.upper(), after.upper()] == [LIGHT.text, DARK.text]


def test_a_disabled_icon_is_grey_and_a_dense_screen_gets_more_pixels(light: Theme) -> None:
    made = icon("role-identifying", "on_accent")
    grey = made.pixmap(16, 16, QIcon.Mode.Disabled).toImage().pixelColor(8, 8).name()
    assert grey.upper() == light.disabled
    dense = made.pixmap(made.actualSize(made.pixmap(16, 16).size()), 2.0)
    assert dense.width() == 32 and dense.devicePixelRatio() == 2.0


def test_a_missing_icon_is_named(qapp: QApplication) -> None:
    with pytest.raises(WorkbenchError, match="no-such-thing"):
        icon("no-such-thing")


def test_roles_and_the_program_have_icons(light: Theme) -> None:
    shapes = {bytes((resources() / "icons" / f"{role_icon(role)}.svg").read_bytes()) for role in Role}
    assert len(shapes) == len(Role) == len({role_token(role) for role in Role})
    assert not app_icon().pixmap(64, 64).isNull()


# Runner ------------------------------------------------------------------------------------------------------


# Messages ----------------------------------------------------------------------------------------------------


# Fields ------------------------------------------------------------------------------------------------------


# Tables ------------------------------------------------------------------------------------------------------


# Navigation, explanations, strip -----------------------------------------------------------------------------


@pytest.fixture
def rail(qtbot, light: Theme) -> Rail:
    made = Rail()
    qtbot.addWidget(made)
    for number, (group, key) in enumerate((("Table", "data"), ("Publish", "anonymise"), ("Publish", "release")), 1):
        made.add(key, number, key, key.title(), group=group)
    return made


def test_the_rail_goes_with_the_arrow_keys(qtbot, rail: Rail) -> None:
    heard: list[str] = []
    rail.selected.connect(heard.append)
    rail.select("data")
    rail.select("Publish")
    assert rail.current == "data", "a heading is no workspace"
    inside = rail.findChildren(QWidget)[0]
    assert inside.accessibleName() == "Workspaces"
    qtbot.keyClick(inside, Qt.Key.Key_Down)
    qtbot.keyClick(inside, Qt.Key.Key_Down)
    qtbot.keyClick(inside, Qt.Key.Key_Up)
    assert heard == ["data", "anonymise", "release", "anonymise"] and rail.current == "anonymise"


def test_the_next_step_is_whole_in_three_lines_and_cut_only_beyond_them(qtbot, rail: Rail) -> None:
    rail.resize(rail.width(), 600)
    rail.show()

    def shown(text: str) -> list[str]:
        rail.set_next(text, "anonymise")
        (hint,) = (one for one in rail.findChildren(QPushButton) if one.accessibleName() == f"Next: {text}")
        lines = str(hint.text()).splitlines()
        assert hint.sizeHint().width() <= rail.width() and len(lines) <= 3
        return lines

    text = "Say what occurs in department and monthly salary €"
    assert " ".join(shown(text)) == text
    assert shown("Say what occurs in department, monthly salary € and days of absence in 2025")[-1].endswith("…")
    assert shown(f"Make {'x' * 60} finer")[0] == "Make" and "…" in shown(f"Make {'x' * 60} finer")[1]
    assert shown("Tick what it is for") == ["Tick what it is for"]
    kept = "Go on with club and fee\N{NO-BREAK SPACE}€ and town"
    assert any("fee\N{NO-BREAK SPACE}€" in line for line in shown(kept)), "no line breaks within a name"
    long = "monthly salary of staff".replace(" ", "\N{NO-BREAK SPACE}")
    assert shown(f"Go on with {long}") == ["Go on with monthly", "salary of staff"], "unless none has room for it"


def test_the_next_hint_can_be_followed(qtbot, rail: Rail) -> None:
    heard: list[tuple[str, str]] = []
    rail.next_requested.connect(lambda room, field: heard.append((room, field)))
    rail.set_next("Run the anonymisation of the whole table", "anonymise", "run")
    button = rail.findChild(QPushButton)
    assert button is not None and "whole table" in button.accessibleName()
    button.click()
    assert heard == [("anonymise", "run")]


def test_a_double_click_follows_the_next_hint_once(qtbot, rail: Rail) -> None:
    """After the first half it may name another step, which nobody has read."""
    heard: list[str] = []
    rail.next_requested.connect(lambda room, _field: (heard.append(room), rail.set_next("Say who", "data", "person")))
    rail.set_next("Build 5 hierarchies", "hierarchies", "build")
    (button,) = (one for one in rail.findChildren(QPushButton) if one.accessibleName().startswith("Next"))
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.mouseDClick(button, Qt.MouseButton.LeftButton)  # the press of the second half
    qtbot.mouseRelease(button, Qt.MouseButton.LeftButton)
    assert heard == ["hierarchies"]
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.keyClick(button, Qt.Key.Key_Space)
    qtbot.keyClick(button, Qt.Key.Key_Space)
    assert heard == ["hierarchies", "data", "data", "data"], "a click of its own, and keys, are meant"


def test_a_status_is_said_and_not_only_coloured(rail: Rail) -> None:
    rail.set_status("anonymise", Status.WARNING, "Levels changed")
    rail.set_status("no such workspace", Status.WARNING)
    item = rail._item("anonymise")
    assert item is not None
    assert "needs a look" in item.data(Qt.ItemDataRole.AccessibleTextRole)
    assert "Levels changed" in item.toolTip()


def test_every_key_is_explained_in_a_few_sentences() -> None:
    book = HelpBook()
    expected = {f"{place}.{name}" for place, names in EXPLAINED.items() for name in names}
    assert expected <= set(book.keys)
    for key in book.keys:
        entry = book.find(key)
        assert entry is not None and entry.title
        assert 2 <= len(re.findall(r"[.?](?=\s|$)", entry.text)) <= 8, key
        assert "<" not in entry.text


def test_explanations_are_found_by_their_keys(tmp_path: Path) -> None:
    (tmp_path / "en.json").write_text(
        json.dumps({"a": {"title": "A", "text": "one"}, "b": {"title": "B", "text": "two"}})
    )
    book = HelpBook(tmp_path)
    assert [getattr(book.find(key), "text", None) for key in ("a", "b", "c")] == ["one", "two", None]


def test_the_explain_pane_follows_the_focus(qtbot, light: Theme) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    pane = ExplainPane(HelpBook(), window)
    group = QWidget(window)
    set_explain(group, "anonymise.k")
    inner, outer, own = QLineEdit(group), QLineEdit(window), QLineEdit(group)
    set_explain(own, "anonymise.beta")
    window.show()
    window.activateWindow()
    inner.setFocus()
    qtbot.waitUntil(lambda: pane.key == "anonymise.k")
    assert pane.title.startswith("k:")
    own.setFocus()
    qtbot.waitUntil(lambda: pane.key == "anonymise.beta")
    outer.setFocus()
    qtbot.waitUntil(outer.hasFocus)
    assert pane.key == "anonymise.beta", "nothing to say keeps what was said"
    assert not pane.show_key("no.such.key")


def test_empty_states_and_cards_offer_their_actions(qtbot, light: Theme) -> None:
    empty = EmptyState("data", "No table yet", "Open one.", "Open CSV…", ["Sample", "Recent"])
    card = Card("open", "Open", "Your own table.")
    for widget in (empty, card):
        qtbot.addWidget(widget)
    heard: list[object] = []
    empty.primary.connect(lambda: heard.append("primary"))
    empty.secondary.connect(heard.append)
    card.activated.connect(lambda: heard.append("card"))
    assert empty.primary_button is not None
    empty.primary_button.click()
    empty.secondary_buttons[1].click()
    qtbot.keyClick(card, Qt.Key.Key_Space)
    qtbot.mouseClick(card, Qt.MouseButton.LeftButton)
    assert heard == ["primary", 1, "card", "card"]


def test_badges_say_their_word(qtbot, light: Theme) -> None:
    badge, analyst, spark = Badge(Status.WARNING), analyst_badge(), Sparkline([1, 2, 3], "three bars")
    for widget in (badge, analyst, spark):
        qtbot.addWidget(widget)
    badge.set_status(Status.ERROR, "Broken")
    assert (badge.text, badge.accessibleName(), analyst.text) == ("Broken", "Broken", "Analyst only")
    assert spark.accessibleName() == "three bars"


def test_merged_bars_keep_the_total() -> None:
    counts = np.arange(1000)
    assert len(merge_counts(counts)) == 48 and merge_counts(counts).sum() == counts.sum()
    assert merge_counts([1, 2]).tolist() == [1, 2]


def test_everything_that_takes_the_focus_has_a_name(qtbot, light: Theme, rail: Rail) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    bar = MessageBar(window)
    bar.error("Text", details="trace", action="Act")
    field = NumberField("ε", minimum=0.1, maximum=10, value=1)
    parts = [rail, bar, field, LogSlider(field, minimum=0.1, maximum=10), JobStrip(), DataTableView("Rows")]
    parts += [ExplainPane(HelpBook()), EmptyState("data", "Nothing", "", "Open"), Card("open", "A", "B")]
    for part in parts[2:]:
        qtbot.addWidget(part)
    nameless = [
        (type(part).__name__, widget)
        for part in parts
        for widget in [part, *part.findChildren(QWidget)]
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.focusProxy() is None
        and not widget.objectName().startswith("qt_")
        and not widget.accessibleName()
    ]
    assert not nameless


def test_a_list_of_choices_is_seen_to_its_end(qtbot) -> None:
    choices = ComboBox("Wish", [(f"Choice {number}", number) for number in range(14)])
    qtbot.addWidget(choices)
    assert choices.maxVisibleItems() >= choices.count(), "one that ends at the tenth hides the others"


# Settings ----------------------------------------------------------------------------------------------------


def test_recent_files_are_few_unique_and_newest_first(settings: WindowSettings, tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.csv" for number in range(12)]
    for path in [*paths, paths[3]]:
        settings.add_recent(path)
    reread = WindowSettings(settings.path).recent_files
    assert len(reread) == 10 and reread[:2] == (paths[3], paths[11])
    settings.add_recent(paths[3], mended=True)
    settings.add_recent(paths[4])
    assert WindowSettings(settings.path).was_mended(paths[3]) and not settings.was_mended(paths[4])
    settings.forget_recent(paths[3])
    assert paths[3] not in settings.recent_files and not settings.was_mended(paths[3])
    settings.add_recent(paths[3])
    assert not settings.was_mended(paths[3]), "it was opened as it is"


@pytest.mark.parametrize("content", ["", "{", "[1, 2]", '{"recent": 5, "window.main": "x", "theme": {}}', "\x00"])
def test_a_corrupt_file_is_as_good_as_none(content: str, tmp_path: Path, qtbot) -> None:
    path = tmp_path / "window.json"
    path.write_text(content)
    settings = WindowSettings(path)
    window = QWidget()
    qtbot.addWidget(window)
    assert settings.recent_files == () and not settings.restore_window(window)
    settings.set_value("size", 3)
    assert WindowSettings(path).value("size") == 3


def test_an_unwritable_place_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    settings = WindowSettings(tmp_path / "file" / "window.json")
    settings.set_value("size", 3)
    assert settings.value("size") == 3


def test_splitters_and_geometry_come_back(settings: WindowSettings, qtbot) -> None:
    def window() -> tuple[QWidget, QSplitter]:
        made = QWidget()
        qtbot.addWidget(made)
        splitter = QSplitter(made)
        splitter.setObjectName("panes")
        splitter.addWidget(QWidget())
        splitter.addWidget(QWidget())
        splitter.resize(500, 100)
        return made, splitter

    first, splitter = window()
    first.resize(620, 410)
    first.show()
    splitter.setSizes([100, 380])
    sizes = splitter.sizes()
    settings.remember_window(first)
    second, other = window()
    assert WindowSettings(settings.path).restore_window(second)
    second.show()
    assert (second.width(), second.height()) == (620, 410)
    assert other.sizes() == sizes
