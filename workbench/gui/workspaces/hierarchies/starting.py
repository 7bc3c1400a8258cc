"""Where to start: which builders suit a column, and the specification each begins with."""

from __future__ import annotations

import re
from collections.abc import Sequence

from workbench.core.building import BUILDERS, specification
from workbench.core.presets import pairs_of_means
from workbench.core.schema import ColumnSpec, Kind
from workbench.gui.workspaces.hierarchies.drafts import Specification
from workbench.io.hierarchy_library import Entry

IMPORTED = "table"

_BY_KIND = {
    Kind.INTEGER: ("intervals", "order"),
    Kind.DECIMAL: ("intervals", "order"),
    Kind.MONEY: ("intervals", "order"),
    Kind.PERCENT: ("intervals", "order"),
    Kind.DATE: ("dates", "order"),
    Kind.DATETIME: ("dates", "order"),
    Kind.ORDERED: ("order", "categories"),
    Kind.CATEGORY: ("categories", "priority"),
    Kind.TEXT: ("masking", "redaction"),
}
_CODES = re.compile(r"zip|post|plz|code|phone|\bid\b|_id$|number$", re.IGNORECASE)
_AMOUNT = re.compile(r"salary|wage|income|price|cost|amount|charge|payment|revenue|\bpay\b|_pay\b", re.IGNORECASE)
_AMOUNT_WIDTH = 10_000.0
_ORDER = ("intervals", "order", "dates", "ends", "categories", "masking", "priority", "redaction")
_WORD = re.compile(r"[^\W\d_]+")
_ICONS = frozenset({"intervals", "order", "masking", "dates", "categories", "priority", "redaction", "ends"})


def suggested_builders(column: ColumnSpec) -> tuple[str, ...]:
    """The builders that suit a column by its kind and its name, the best first; no data is looked at."""
    found: tuple[str, ...] = _BY_KIND[column.kind]
    if not column.kind.temporal and _CODES.search(column.name):
        found = ("masking", *(builder for builder in found if builder != "masking"))[:2]
    return found


def ordered_builders(column: ColumnSpec) -> tuple[str, ...]:
    """All builders, those that suit the column first; the table of an imported file last."""
    known = [builder.identifier for builder in BUILDERS]
    wanted = [*suggested_builders(column), *_ORDER, *(name for name in known if name != IMPORTED), IMPORTED]
    return tuple(dict.fromkeys(wanted))


def builder_title(builder: str) -> str:
    """What a builder is called in the window."""
    words = {
        "intervals": "Intervals",
        "order": "Order and group",
        "masking": "Masking",
        "dates": "Dates",
        "categories": "Categories",
        "priority": "Priority",
        "redaction": "Redact by pattern",
        "ends": "Top and bottom coding",
        IMPORTED: "Table",
    }
    return words.get(builder) or BUILDERS[builder].title


def builder_sentence(builder: str) -> str:
    """What a builder is good for, in a few words."""
    words = {
        "intervals": "Numbers become 20-29, then 20-39, then *.",
        "order": "Values in an order, neighbours joined: pairs, tens, any runs.",
        "masking": "Characters go one by one: 21201, 2120*, 212**.",
        "dates": "Days become months, quarters, years, decades.",
        "categories": "Values sorted into named groups by hand.",
        "priority": "The top values stay, the rest becomes “other”.",
        "redaction": "What matches a pattern is replaced.",
        "ends": "Beyond a bound <18 or ≥90, as it is between.",
        IMPORTED: "One row for each value, typed or imported.",
    }
    return words.get(builder) or BUILDERS[builder].help


def builder_icon(builder: str) -> str:
    """Name of the icon of a builder."""
    return f"builder-{builder}" if builder in _ICONS else "table"


def first_specification(builder: str, column: ColumnSpec, values: Sequence[str] = ()) -> Specification:
    """What a builder starts from.

    Parameters
    ----------
    values
        The values of the data, in the order in which lists of them start. A list made of them is data-derived.
    """
    parameters, details = BUILDERS[builder].suggest(column)
    if column.domain is None and builder == "categories":
        parameters, details = {"declared": False}, {"tree": list(values)}
    elif column.domain is None and builder == IMPORTED:
        parameters, details = {"declared": False, "top": True}, {"rows": [[value, value] for value in values]}
    elif column.domain is None and builder == "order" and values:
        # As many levels as say something below the top; the result is data-derived in any case.
        levels = max(1, (len(values) - 1).bit_length() - 1)
        details = {**details, "levels": details["levels"][:levels]}
    elif builder == "intervals" and column.bounds is None and _AMOUNT.search(column.name):
        details = {**details, "intervals": [{"from": 0.0, "to": _AMOUNT_WIDTH}]}
    return specification(builder, parameters, details, column=column)


def preset_suits(column: ColumnSpec) -> bool:
    """Whether the pairs of means make sense for a column."""
    return column.kind.numeric


def preset(column: ColumnSpec) -> Specification:
    """Distinct values sorted, pairs joined again and again, each group its mean."""
    return pairs_of_means(column)


def fitting_entries(entries: Sequence[Entry], column: ColumnSpec) -> tuple[Entry, ...]:
    """The entries of the library whose name shares a word with the column's, the best match first."""
    wanted = _words(column.name)
    scored = [(len(wanted & _words(f"{entry.name} {entry.title}")), entry) for entry in entries]
    fitting = sorted((pair for pair in scored if pair[0]), key=lambda pair: (-pair[0], not pair[1].own))
    return tuple(entry for _, entry in fitting if _suits(entry, column))


def _suits(entry: Entry, column: ColumnSpec) -> bool:
    if entry.builder == "dates":
        return column.kind.temporal
    return not column.kind.temporal or entry.builder != "intervals"


def _words(text: str) -> frozenset[str]:
    words = {word.casefold().removesuffix("s") for word in _WORD.findall(text)}
    return frozenset(words - {"of", "in", "the", "and", "number", "code", "name", "five", "digit"})
