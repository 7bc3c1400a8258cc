"""The one stylesheet, built from the tokens."""

from __future__ import annotations

from dataclasses import asdict
from functools import lru_cache
from string import Template

from workbench.gui import tokens
from workbench.gui.tokens import Theme

SEARCH_PREFIX = "controls"
"""Name of the Qt search path under which the stylesheet finds arrows and ticks."""

_SHEET = Template("""
/* Text ------------------------------------------------------------------------------------------ */
/* Names and values are other people's: no label, message box or tooltip reads them as markup. */
QLabel, QToolTip { qproperty-textFormat: PlainText; }
QLabel[heading="1"] { font-size: ${heading1}px; font-weight: 600; color: $text; }
QLabel[heading="2"] { font-size: ${heading2}px; font-weight: 600; color: $text; }
QLabel[strong="true"] { font-weight: 600; }
QLabel[muted="true"], QCheckBox[muted="true"] { color: $muted; }
QLabel[muted="true"]:disabled, QLabel[heading]:disabled { color: $disabled; }
QLabel[small="true"] { font-size: ${small}px; }
QLabel[tone="error"] { color: $error; }
QLabel[tone="warning"] { color: $warning; }
QLabel[tone="success"] { color: $success; }
QToolTip { background: $tooltip; color: $tooltip_text; border: 1px solid $tooltip; padding: ${xs}px; }

/* Grounds --------------------------------------------------------------------------------------- */
QFrame[ground="surface"] { background: $surface; }
QFrame[ground="sunken"] { background: $sunken; }
QFrame[line="top"] { border: none; border-top: 1px solid $border; }
QFrame[line="left"] { border: none; border-left: 1px solid $border; }
QFrame[line="right"] { border: none; border-right: 1px solid $border; }
QFrame[line="bottom"] { border: none; border-bottom: 1px solid $border; }
QFrame[rule="true"] { background: $border; border: none; max-height: 1px; min-height: 1px; }
QFrame[card="true"] { background: $surface; border: 1px solid $border; border-radius: ${radius}px; }
QFrame[card="true"][clickable="true"]:hover { border-color: $control; }
QFrame[card="true"][asks="true"]:focus { border: 1px dashed $focus; }
QFrame[card="true"][clickable="true"]:focus { border: 2px solid $focus; }
QScrollArea { background: transparent; border: none; }
QScrollArea > QWidget > QWidget[bare="true"] { background: transparent; }

/* Status ---------------------------------------------------------------------------------------- */
QFrame[badge] { border: none; border-radius: ${badge_radius}px; }
QFrame[message] { border: none; border-radius: ${radius}px; }
QFrame[message] QPushButton { min-height: 0; padding: 0 ${s}px; }
QFrame[message] QPushButton:focus { padding: 0 ${xs}px; }
QFrame[overlay="true"] { background: $surface; border: 1px solid $control; border-radius: ${radius}px; }
$status_rules

/* Buttons --------------------------------------------------------------------------------------- */
QPushButton {
  background: $surface; color: $text; border: 1px solid $control; border-radius: ${radius}px;
  padding: 5px 13px; min-height: 18px;
}
QPushButton:hover { background: $hover; }
QPushButton:pressed, QPushButton:checked { background: $pressed; }
/* What has the focus is not chosen: nothing that is chosen has a broken line. */
QPushButton:focus { border: 2px dashed $focus; padding: 4px 12px; }
QPushButton:disabled { background: transparent; color: $disabled; border-color: $border; }
QPushButton[primary="true"] {
  background: $accent; color: $on_accent; border: 1px solid $accent; font-weight: 600;
}
QPushButton[primary="true"]:hover { background: $accent_hover; border-color: $accent_hover; }
QPushButton[primary="true"]:pressed { background: $accent_pressed; border-color: $accent_pressed; }
QPushButton[primary="true"]:focus { border: 2px solid $text; }
QPushButton[primary="true"]:disabled { background: $pressed; border-color: $pressed; color: $disabled; }
QPushButton[quiet="true"] { background: transparent; border: 1px solid transparent; color: $link; padding: 5px 8px; }
QPushButton[quiet="true"]:hover { background: $hover; }
QPushButton[quiet="true"]:focus { border: 2px dashed $focus; padding: 4px 7px; }
QPushButton[quiet="true"]:disabled { color: $disabled; }
QPushButton[faint="true"] { color: $muted; font-size: ${small}px; }
QPushButton[inline="true"], QPushButton[inline="true"]:focus {
  background: transparent; color: $link; border: 1px solid transparent; padding: 0 2px; min-height: 16px;
  font-size: ${small}px;
}
QPushButton[inline="true"]:hover { background: $hover; }
QPushButton[inline="true"]:disabled { color: $disabled; }
QPushButton[inline="true"]:focus { border: 1px dashed $focus; }
QPushButton[align="left"] { text-align: left; }
QPushButton[step="true"] {
  background: transparent; border: 1px solid transparent; border-top-color: $border; border-radius: 0; padding: 0;
}
QPushButton[step="true"]:hover { background: $hover; }
QPushButton[step="true"]:focus { border: 2px solid $focus; padding: 0; }
QPushButton::menu-indicator {
  image: url($icons:chevron-down-$name.svg); width: 12px; height: 12px; subcontrol-position: right center;
  subcontrol-origin: padding; right: 6px;
}
QToolButton {
  background: transparent; color: $text; border: 1px solid transparent; border-radius: ${radius}px; padding: 4px;
}
QToolButton:hover { background: $hover; }
QToolButton:pressed { background: $pressed; }
QToolButton:checked { background: $selection; color: $on_selection; }
QToolButton:focus { border: 2px dashed $focus; padding: 3px; }
QToolButton:disabled { color: $disabled; }
QToolButton[tone="muted"] { color: $muted; }
QToolButton[tone="success"] { color: $success; }
QToolButton[tone="error"] { color: $error; }
QToolButton[small="true"] { font-size: ${small}px; }
QToolButton[chip="true"] { background: $sunken; padding: 1px 7px; font-size: ${small}px; }
QToolButton[chip="true"]:hover { background: $pressed; }
QToolButton[chip="true"]:checked { background: $selection; color: $on_selection; }
QToolButton[chip="true"]:focus { border: 2px dashed $focus; padding: 0 6px; }
QToolButton[popupMode="1"] { padding-right: 20px; }
QToolButton::menu-button { border: none; width: 18px; }
QToolButton::menu-indicator, QToolButton::menu-arrow {
  image: url($icons:chevron-down-$name.svg); width: 12px; height: 12px;
}
QToolButton::menu-indicator { subcontrol-position: right center; right: 3px; }

/* Fields ---------------------------------------------------------------------------------------- */
QLineEdit, QAbstractSpinBox, QComboBox {
  background: $surface; color: $text; border: 1px solid $control; border-radius: ${radius}px;
  padding: 4px 8px; min-height: 20px;
}
QLineEdit, QAbstractSpinBox { selection-background-color: $accent; selection-color: $on_accent; }
QLineEdit:hover, QAbstractSpinBox:hover, QComboBox:hover { border-color: $muted; }
QLineEdit:focus, QAbstractSpinBox:focus, QComboBox:focus, QComboBox:on { border: 2px solid $focus; padding: 3px 7px; }
QLineEdit:disabled, QAbstractSpinBox:disabled, QComboBox:disabled {
  background: $window; color: $disabled; border-color: $border;
}
QLineEdit:read-only { background: $window; border-color: $border; }
QLineEdit[invalid="true"] { border: 1px solid $error; background: $error_soft; }
QLineEdit[invalid="true"]:focus { border: 2px solid $error; }
QAbstractSpinBox QLineEdit, QComboBox QLineEdit {
  border: none; padding: 0; background: transparent; min-height: 0;
}
QAbstractSpinBox { padding-right: 22px; }
QAbstractSpinBox:focus { padding-right: 21px; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {
  subcontrol-origin: border; width: 20px; background: transparent; border: none; margin: 2px;
}
QAbstractSpinBox::up-button { subcontrol-position: top right; border-top-right-radius: ${small_radius}px; }
QAbstractSpinBox::down-button { subcontrol-position: bottom right; border-bottom-right-radius: ${small_radius}px; }
QAbstractSpinBox::up-button:hover, QAbstractSpinBox::down-button:hover { background: $hover; }
QAbstractSpinBox::up-button:pressed, QAbstractSpinBox::down-button:pressed { background: $pressed; }
QAbstractSpinBox::up-arrow { image: url($icons:chevron-up-$name.svg); width: 11px; height: 11px; }
QAbstractSpinBox::down-arrow { image: url($icons:chevron-down-$name.svg); width: 11px; height: 11px; }
/* The style leaves room for the arrow by itself. */
QComboBox { combobox-popup: 0; }
QComboBox::drop-down {
  subcontrol-origin: border; subcontrol-position: center right; width: 26px; border: none; background: transparent;
}
QComboBox::down-arrow { image: url($icons:chevron-down-$name.svg); width: 14px; height: 14px; }
QComboBox QAbstractItemView {
  background: $surface; color: $text; border: 1px solid $control; outline: none;
  selection-background-color: $selection; selection-color: $on_selection;
}
QComboBox QAbstractItemView:focus { border: 1px solid $control; }
QComboBox QAbstractItemView::item:focus { border: none; }
QComboBoxPrivateContainer { background: $surface; border: none; padding: 0; }
QComboBox QAbstractItemView::item { min-height: ${row}px; padding: 0 ${xs}px; border-radius: ${small_radius}px; }
QComboBox QAbstractItemView::item:selected { background: $selection; color: $on_selection; }
QComboBox[low="true"] { padding: 1px 8px; }
QComboBox[low="true"]:focus, QComboBox[low="true"]:on { padding: 0 7px; }
QComboBox[compact="true"] { background: transparent; border-color: transparent; padding: 0; }
QComboBox[compact="true"]:hover { background: $hover; }
QComboBox[compact="true"]:focus, QComboBox[compact="true"]:on { border: 2px solid $focus; padding: 0; }
QComboBox[compact="true"]::drop-down { width: 20px; subcontrol-position: center; }
QTextEdit, QPlainTextEdit, QTextBrowser {
  background: $surface; color: $text; border: 1px solid $border; border-radius: ${radius}px; padding: ${xs}px;
  selection-background-color: $accent; selection-color: $on_accent;
}
QTextEdit:focus, QPlainTextEdit:focus, QTextBrowser:focus { border: 2px solid $focus; padding: 3px; }
QPlainTextEdit[code="true"] { background: $sunken; }
QPlainTextEdit[field="true"] { border: 1px solid $control; padding: 5px 8px; }
QPlainTextEdit[field="true"]:hover { border-color: $muted; }
QPlainTextEdit[field="true"]:focus { border: 2px solid $focus; padding: 4px 7px; }
QPlainTextEdit[field="true"][invalid="true"] { border: 1px solid $error; background: $error_soft; }
QPlainTextEdit[field="true"][invalid="true"]:focus { border: 2px solid $error; }

/* Choices --------------------------------------------------------------------------------------- */
QCheckBox, QRadioButton { spacing: ${s}px; min-height: 22px; color: $text; }
QCheckBox:disabled, QRadioButton:disabled { color: $disabled; }
QCheckBox::indicator, QRadioButton::indicator, QGroupBox::indicator, QAbstractItemView::indicator {
  width: 14px; height: 14px; border: 1px solid $control; background: $surface; margin: 1px;
}
QCheckBox::indicator, QGroupBox::indicator, QAbstractItemView::indicator { border-radius: ${small_radius}px; }
QRadioButton::indicator { border-radius: 8px; }
QCheckBox::indicator:hover, QRadioButton::indicator:hover { border-color: $accent; }
QCheckBox::indicator:checked, QGroupBox::indicator:checked, QAbstractItemView::indicator:checked {
  background: $accent; border-color: $accent; image: url($icons:check-$name.svg);
}
QCheckBox::indicator:indeterminate, QAbstractItemView::indicator:indeterminate {
  background: $accent; border-color: $accent; image: url($icons:dash-$name.svg);
}
QRadioButton::indicator:checked { width: 6px; height: 6px; border: 5px solid $accent; background: $on_accent; }
QCheckBox::indicator:disabled, QRadioButton::indicator:disabled { background: $window; border-color: $border; }
QCheckBox::indicator:checked:disabled { background: $disabled; border-color: $disabled; }
QRadioButton::indicator:checked:disabled { background: $surface; border-color: $disabled; }
QCheckBox::indicator:focus, QRadioButton::indicator:unchecked:focus { border: 2px solid $focus; margin: 0; }
QCheckBox::indicator:checked:focus { border-color: $text; }
QRadioButton::indicator:unchecked:focus { border-radius: 9px; }
QRadioButton::indicator:checked:focus {
  width: 14px; height: 14px; border: 2px solid $text; border-radius: 9px; margin: 0;
  background: qradialgradient(cx: 0.5, cy: 0.5, radius: 0.5, fx: 0.5, fy: 0.5,
    stop: 0.4 $on_accent, stop: 0.46 $accent, stop: 1 $accent);
}
QCheckBox::indicator:checked:hover, QRadioButton::indicator:checked:hover { border-color: $accent_hover; }
QSlider { min-height: 22px; }
QSlider::groove:horizontal { height: 4px; border-radius: 2px; background: $pressed; }
QSlider::sub-page:horizontal { height: 4px; border-radius: 2px; background: $accent; }
QSlider::groove:vertical { width: 4px; border-radius: 2px; background: $pressed; }
QSlider::add-page:vertical { width: 4px; border-radius: 2px; background: $accent; }
QSlider::handle {
  width: 12px; height: 12px; border: 2px solid $accent; border-radius: 8px; background: $surface;
}
QSlider::handle:horizontal { margin: -6px 0; }
QSlider::handle:vertical { margin: 0 -6px; }
QSlider::handle:hover { background: $selection; }
QSlider:focus { border: none; }
QSlider::handle:focus { border: 2px solid $text; background: $accent; }
QSlider::sub-page:disabled, QSlider::add-page:vertical:disabled { background: $pressed; }
QSlider::handle:disabled { border-color: $disabled; background: $window; }

/* Structure ------------------------------------------------------------------------------------- */
QGroupBox { border: none; margin-top: 26px; padding: 0; font-weight: 600; }
QGroupBox::title { subcontrol-origin: margin; subcontrol-position: top left; padding: ${xs}px 0; color: $text; }
QTabWidget::pane { border: none; border-top: 1px solid $border; top: -1px; }
QTabBar { qproperty-drawBase: 0; background: transparent; }
QTabBar::tab {
  background: transparent; color: $muted; border: 2px solid transparent; border-radius: 0;
  padding: 6px 10px 7px 10px; margin-right: ${xs}px;
}
QTabBar::tab:hover { color: $text; }
QTabBar::tab:selected { color: $text; border-bottom-color: $accent; }
QTabBar::tab:selected:focus { border: 2px solid $focus; border-radius: ${small_radius}px; }
QTabBar::tab:disabled { color: $disabled; }
QSplitter::handle { background: $border; }
QSplitter::handle:horizontal { width: 1px; margin: 0 5px; }
QSplitter::handle:vertical { height: 11px; background: qlineargradient(x1:0, y1:0, x2:0, y2:1,
    stop:0 transparent, stop:0.4545 transparent, stop:0.4546 $border, stop:0.5454 $border,
    stop:0.5455 transparent, stop:1 transparent); }
QSplitter::handle:horizontal:hover { background: $accent; }
QSplitter::handle:vertical:hover { background: qlineargradient(x1:0, y1:0, x2:0, y2:1,
    stop:0 transparent, stop:0.4545 transparent, stop:0.4546 $accent, stop:0.5454 $accent,
    stop:0.5455 transparent, stop:1 transparent); }
QScrollBar { background: transparent; border: none; margin: 0; }
QScrollBar:vertical { width: 12px; }
QScrollBar:horizontal { height: 12px; }
QScrollBar::handle { background: $scroll; border-radius: 4px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 32px; }
QScrollBar::handle:horizontal { min-width: 32px; }
QScrollBar[gutter="true"]::handle:disabled { background: transparent; }
QScrollBar::handle:hover { background: $control; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; border: none; background: none; }
QScrollBar::add-page, QScrollBar::sub-page { background: none; }
QAbstractScrollArea::corner { background: transparent; border: none; }

/* Tables and lists ------------------------------------------------------------------------------ */
QTableView, QTreeView, QListView {
  background: $surface; alternate-background-color: $band; color: $text; border: 1px solid $border;
  gridline-color: $border; selection-background-color: $selection; selection-color: $on_selection; outline: none;
}
QTableView:focus, QTreeView:focus, QListView:focus { border: 1px solid $focus; }
QTableView:disabled { color: $disabled; }
QTreeView::item, QListView::item { min-height: ${row}px; padding: 0 ${xs}px; }
/* Before a text Qt adds 3 px of its own in a cell and none in a heading: with them it stands below that. */
QTableView::item { padding: 0 ${s}px 0 5px; }
QTableView::item:focus { padding: 0 6px 0 3px; }
QTableView::item:focus, QTreeView::item:focus, QListView::item:focus { border: 2px solid $focus; }
QTableView[tight="true"]::item { padding: 0 ${xs}px 0 2px; }
QTableView[tight="true"]::item:focus { padding: 0 2px 0 0; }
QTableView QTableCornerButton::section { background: $window; border: none; border-bottom: 1px solid $border; }
QHeaderView { background: $window; border: none; }
QHeaderView::section {
  background: $window; color: $text; border: none; border-bottom: 1px solid $border;
  border-right: 1px solid $border; padding: ${xs}px ${s}px; font-weight: 600;
}
QHeaderView::section:disabled { color: $disabled; }
QHeaderView[tight="true"]::section { padding: ${xs}px ${xs}px ${xs}px 5px; }
QHeaderView::section:vertical { color: $muted; font-weight: 400; border-bottom: none; }
QHeaderView::section:hover { background: $hover; }
QHeaderView::down-arrow { image: url($icons:chevron-down-$name.svg); width: 12px; height: 12px; }
QHeaderView::up-arrow { image: url($icons:chevron-up-$name.svg); width: 12px; height: 12px; }
QTreeView::branch:has-children:closed { image: url($icons:chevron-right-$name.svg); }
QTreeView::branch:has-children:open { image: url($icons:chevron-down-$name.svg); }
QListView[plain="true"], QTreeView[plain="true"] { border: none; background: transparent; }
QListView[plain="true"]:focus, QTreeView[plain="true"]:focus { border: none; }

/* Menus and the rest ---------------------------------------------------------------------------- */
QMenuBar { background: $window; color: $text; border-bottom: 1px solid $border; padding: 2px ${xs}px; }
QMenuBar::item { background: transparent; padding: ${xs}px ${s}px; border-radius: ${small_radius}px; }
QMenuBar::item:selected { background: $hover; }
QMenuBar::item:pressed { background: $pressed; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QMenu { background: $surface; color: $text; border: 1px solid $control; padding: ${xs}px; }
QMenu::item { padding: 5px ${xl}px 5px ${s}px; border-radius: ${small_radius}px; border: 1px solid transparent; }
QMenu::icon { padding-left: ${s}px; }
QMenu::item:selected { background: $selection; color: $on_selection; }
QMenu::item:disabled { color: $disabled; background: transparent; }
QMenu::separator { height: 1px; background: $border; margin: ${xs}px ${s}px; }
QMenu::indicator { width: 14px; height: 14px; margin-left: ${xs}px; }
QMenu::indicator:checked { background: $accent; border-radius: 3px; image: url($icons:check-$name.svg); }
QMenu::right-arrow { image: url($icons:chevron-right-$name.svg); width: 12px; height: 12px; }
QProgressBar {
  background: $pressed; border: none; border-radius: 3px; color: transparent;
  min-height: ${meter}px; max-height: ${meter}px;
}
QProgressBar::chunk { background: $accent; border-radius: 3px; }
QProgressBar[tone="warning"]::chunk { background: $warning; }
QProgressBar[tone="error"]::chunk { background: $error; }
QToolBar { background: $window; border: none; border-bottom: 1px solid $border; spacing: ${xs}px; padding: ${xs}px; }
QToolBar::separator { background: $border; width: 1px; margin: ${xs}px; }
QStatusBar { background: $window; border-top: 1px solid $border; }
QStatusBar::item { border: none; }
QDockWidget { color: $text; }
QDockWidget::title { background: $window; padding: ${s}px; }
""")

_STATUS = ("success", "warning", "error", "info", "analyst", "neutral")


@lru_cache
def build_stylesheet(theme: Theme) -> str:
    """The stylesheet of every part of a window in the given colours."""
    status = "\n".join(
        f'QFrame[badge="{name}"] {{ background: {getattr(theme, f"{name}_soft")}; }}\n'
        f'QFrame[badge="{name}"] QLabel {{ color: {getattr(theme, name)}; }}\n'
        f'QFrame[message="{name}"] {{ background: {getattr(theme, f"{name}_soft")}; }}'
        for name in _STATUS
    )
    return _SHEET.substitute(
        asdict(theme),
        icons=SEARCH_PREFIX,
        status_rules=status,
        tooltip=theme.pressed if theme.dark else theme.text,
        tooltip_text=theme.text if theme.dark else theme.surface,
        scroll=theme.pressed if not theme.dark else theme.control,
        heading1=tokens.FONT_HEADING_1,
        heading2=tokens.FONT_HEADING_2,
        small=tokens.FONT_SMALL,
        xs=tokens.SPACE_XS,
        s=tokens.SPACE_S,
        xl=tokens.SPACE_XL,
        radius=tokens.RADIUS,
        small_radius=tokens.RADIUS_SMALL,
        badge_radius=tokens.RADIUS,
        row=tokens.ROW_HEIGHT,
        meter=tokens.METER_HEIGHT,
    )
