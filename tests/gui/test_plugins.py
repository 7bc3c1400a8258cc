"""The window with plug-ins of third parties: broken ones take no room down, and trust is a switch."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from tests import plugin_toys as toys
from tests.gui.helpers import BASIC
from workbench.core.trust import TRUST
from workbench.gui.main_window import MainWindow
from workbench.gui.settings import Settings
from workbench.gui.theme import ThemeManager
from workbench.gui.widgets.plugin_trust import PluginTrust
from workbench.gui.workspaces import ROOMS
from workbench.io.trusted_plugins import kept_trust, trust_file
from workbench.session.plugins import origins

Plug = Callable[..., None]
KINDS = ("query", "local-protocol", "local-estimator", "mechanism", "privacy-model", "loss-metric", "preset", "method")
