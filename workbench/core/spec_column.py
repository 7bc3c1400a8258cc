"""The column of a specification: how the values that it was made for are to be read."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from workbench.core.details import Details
from workbench.core.json_values import two_numbers
from workbench.core.schema import ColumnSpec, Format, Kind, Role


def described(column: ColumnSpec) -> dict[str, Any]:
    """The part of a column's description that decides how its values are read."""
    column = column.declared()
    written = column.format
    plain: dict[str, Any] = {
        "kind": column.kind.value,
        "format": {
            "decimal_mark": written.decimal_mark,
            "thousands": written.thousands,
            "symbol": written.symbol,
            "pattern": written.pattern,
        },
        "missing": list(column.missing),
    }
    if column.bounds is not None:
        plain["bounds"] = list(column.bounds)
    if column.domain is not None:
        plain["domain"] = list(column.domain)
    return plain


def described_column(found: Details) -> ColumnSpec:
    """The column of such a description; what it does not say is as in a new one."""
    found.only("kind", "format", "missing", "bounds", "domain")
    written = found.one("format")
    written.only("decimal_mark", "thousands", "symbol", "pattern")
    kind = found.text("kind", Kind.TEXT.value)
    if kind not in {one.value for one in Kind}:
        raise found.wrong("kind", f"is “{kind}”, which is no kind of column")
    bounds = found.plain.get("bounds")
    try:
        ends = None if bounds is None else two_numbers(bounds)
    except (TypeError, ValueError):
        raise found.wrong("bounds", "is not a pair of numbers") from None
    return ColumnSpec(
        "",
        Kind(kind),
        Role.QUASI,
        replace(Format(), **{name: written.text(name, getattr(Format(), name)) for name in written.plain}),
        found.texts("missing") if "missing" in found else ("",),
        ends,
        found.texts("domain") if "domain" in found else None,
    )
