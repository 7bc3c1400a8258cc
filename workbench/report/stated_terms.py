"""The terms that a note states, from which the sentences of its claim follow."""

from __future__ import annotations

from typing import Any

from workbench.anonymise.recipe import ReleaseMechanism
from workbench.anonymise.terms import Terms
from workbench.core.hierarchy import Provenance
from workbench.core.near_releases import NearReleases
from workbench.core.trust import Origin
from workbench.report.note import LABELS, TRIMMED, after_of, taking_part
from workbench.report.said_to_occur import words_of
from workbench.report.stated_facts import Facts
from workbench.report.statement_parts import counted_in, known_in, split_of


def terms_of(release: Facts, version: int) -> Terms:
    """The terms of the claim of a release, as a note of that version states them.

    Raises
    ------
    ValueError
        If they are none.
    """
    plain = release["terms"]
    if not 0 < plain["sample"] <= 1:
        raise ValueError(f"a probability of {plain['sample']} is none")
    split = split_of(release)
    public = {
        one["name"]: one["hierarchy"]
        for one in taking_part(release)
        if one["shown"] == LABELS
        and one["hierarchy"]["provenance"] == Provenance.PUBLIC
        and (version > 1 or one["level"] or split)
    }
    makers = {name: Origin.from_json(hierarchy.get("plugin")) for name, hierarchy in public.items()}
    return Terms(
        release["rows_per_person"],
        plain["degree"],
        split,
        plain["where"],
        plain["sample"],
        plain["limited_by"],
        tuple(public),
        release["order"],
        NearReleases(plain.get("near", "")),
        tuple((name, maker.name) for name, maker in makers.items() if not maker.built_in),
        counted=counted_in(release),
        by_rule=tuple(plain.get("by_rule", ())),
        only=plain.get("only", False),
        given=release.get("given") is not None,
        looked=plain.get("looked", ""),
        known=known_in(release),
        **_terms_of_trimming(release),
    )


def _terms_of_trimming(release: Facts) -> dict[str, Any]:
    if release["kind"] != TRIMMED:
        return {}
    return {
        "mechanism": ReleaseMechanism.TRIM,
        "steps": len(release["steps"]),
        "degrees": tuple(release["terms"]["degrees"]),
        "floor": release["floor"],
        "step_column": release["step_column"],
        "count_column": release["count_column"],
        "expected": release["terms"]["expected"],
        "balanced": release["terms"].get("balanced", False),
        "occurring": release["terms"].get("occurring", False),
        "after": after_of(release),
        "said": words_of(release),
    }
