"""Words in the empty fields of a question that say what counts in their place."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from workbench.core.number_text import shown
from workbench.core.schema import Schema
from workbench.gui.widgets.spec_field import LINE
from workbench.query import relevance
from workbench.query.catalogue import QueryDraft
from workbench.session.query_words import kind_words, step_words


def show_declared(
    field_of: Callable[[str], QWidget | None], draft: QueryDraft, schema: Schema
) -> tuple[bool, list[str]]:
    """Say it in the fields that are there, by name.

    Returns
    -------
    bool, list of str
        Whether there are bounds among them, and how the columns are read, which whoever asks vouches for.
    """
    bounded, kinds = False, list[str]()
    for prefix in relevance.PREFIXES:
        spec = relevance.column_of(draft, schema, prefix)
        if spec is None:
            continue
        declared = spec.declared()
        texts = {"lower": "needed", "upper": "needed", "keys": "such as north, south"}
        if declared.bounds is not None:
            low, high = (shown(bound, spec, 9, grouped=False) for bound in declared.bounds)
            texts |= {"lower": low, "upper": high}
        if declared.domain and not relevance.is_measured(spec):
            texts["keys"] = f"the {len(declared.domain):,} declared"
        elif relevance.is_measured(spec):
            texts["keys"] = "ranges"
        step, about = step_words(spec, *(str(draft.values.get(f"{prefix}{end}") or "") for end in ("lower", "upper")))
        texts |= {"edges": "equal widths", "missing": "left out", "resolution": step}
        for name, text in texts.items():
            field = field_of(f"{prefix}{name}")
            if isinstance(field, LINE):
                field.setPlaceholderText(text)
                if name in ("lower", "upper") and declared.bounds is not None:
                    field.setToolTip(f"Empty: {text}, as declared for the column")
                if name == "resolution":
                    field.setToolTip(about)
                    kinds.append(kind_words(spec, str(draft.values.get(name) or "")))
                bounded = bounded or name == "lower"
    return bounded, kinds
