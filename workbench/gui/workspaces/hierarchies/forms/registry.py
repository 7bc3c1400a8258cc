"""The registry of builders' editors."""

from __future__ import annotations

from workbench.gui.workspaces.hierarchies.forms.base import BuilderForm
from workbench.gui.workspaces.hierarchies.forms.categories import CategoriesForm
from workbench.gui.workspaces.hierarchies.forms.dates import DatesForm
from workbench.gui.workspaces.hierarchies.forms.ends import EndsForm
from workbench.gui.workspaces.hierarchies.forms.intervals import IntervalsForm
from workbench.gui.workspaces.hierarchies.forms.masking import MaskingForm
from workbench.gui.workspaces.hierarchies.forms.order import OrderForm
from workbench.gui.workspaces.hierarchies.forms.priority import PriorityForm
from workbench.gui.workspaces.hierarchies.forms.redaction import RedactionForm
from workbench.gui.workspaces.hierarchies.forms.table import TableForm

_FORMS: dict[str, type[BuilderForm]] = {
    "intervals": IntervalsForm,
    "order": OrderForm,
    "masking": MaskingForm,
    "dates": DatesForm,
    "ends": EndsForm,
    "categories": CategoriesForm,
    "priority": PriorityForm,
    "redaction": RedactionForm,
    "table": TableForm,
}


def form_for(builder: str) -> BuilderForm:
    """The editor of a builder; one that came as a plugin has a form of its declared parameters."""
    return _FORMS.get(builder, BuilderForm)(builder)
