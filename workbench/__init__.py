"""Anonymisation workbench: anonymise tables and know exactly what was promised.

In a notebook or a script::

    import workbench as wb

    data = wb.open("people.csv")
    release = data.release(["age", "job"], hierarchies={"age": "ages.csv"}, epsilon=1, delta=1e-5)
    release.save("released.csv")

Everything that is offered stands in `workbench.__all__`; it is loaded when it is first asked for.
"""

import sys

__version__ = "0.1.0"

if sys.version_info < (3, 11):
    sys.stderr.write(
        "The anonymisation workbench needs Python 3.11 or newer; this is " + sys.version.split()[0] + ".\n"
        "Start it with a newer one, for instance: python3.11 -m workbench\n"
    )
    raise SystemExit(2)

_OFFERED = {
    "AskedAnswer": "workbench.library.answer:AskedAnswer",
    "Data": "workbench.library.data:Data",
    "Refused": "workbench.core.errors:WorkbenchError",
    "Release": "workbench.library.release:Release",
    "aggregate": "workbench.library.reported:aggregate",
    "audit": "workbench.library.without_data:audit",
    "category": "workbench.library.columns:category",
    "date": "workbench.library.columns:date",
    "guarantee": "workbench.library.without_data:guarantee",
    "hierarchy": "workbench.library.hierarchy:",
    "integer": "workbench.library.columns:integer",
    "moment": "workbench.library.columns:moment",
    "money": "workbench.library.columns:money",
    "new_key": "workbench.library.signed:new_key",
    "new_pseudonym_key": "workbench.library.pseudonyms:new_pseudonym_key",
    "number": "workbench.library.columns:number",
    "percent": "workbench.library.columns:percent",
    "published": "workbench.library.published:published",
    "open": "workbench.library.opening:open_data",
    "report_project": "workbench.library.repeated:report_project",
    "run_project": "workbench.library.repeated:run_project",
    "sign": "workbench.library.signed:sign",
    "text": "workbench.library.columns:text",
    "verify": "workbench.library.without_data:verify",
}
"""By the name that is offered, where it is; `__init__.pyi` says the same to whatever checks types."""

__all__ = list(_OFFERED)


def __getattr__(name: str) -> object:
    """Load what is offered when it is first asked for, so that importing the package costs nothing."""
    if name not in _OFFERED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    place, _, wanted = _OFFERED[name].partition(":")
    module = import_module(place)
    found: object = getattr(module, wanted) if wanted else module
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
