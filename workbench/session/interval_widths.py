"""Equal intervals or widening ones, where a rule of the program makes those of a column over a public range.

It is asked where the range is typed, and can be changed in the list of details. No row is read: the choice follows from
the name of a column and its range, or from who makes it, and only a hierarchy that a rule made is made anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from workbench.core.builder_suggestions import Suggested, public_specification
from workbench.core.closed_end import closed_end
from workbench.core.hierarchy import Hierarchy
from workbench.core.schema import ColumnSpec
from workbench.core.widening import Span, can_widen, is_widening, widening_specification, widens_by_name
from workbench.project.model import Project
from workbench.session.release.said import said_of
from workbench.session.suggested_hierarchies import finer_words, follows_said, known_span, range_said, reaching

EQUAL, WIDENING = "equal intervals", "widening intervals"
_FAR_APART = 5
_PARTS = ("builder", "parameters", "details")


def widths_now(project: Project, name: str) -> bool | None:
    """Whether the intervals of a column widen; None as long as nobody could decide, and where no rule made them.

    Until it is known from where to where a column reaches its rule is of equal ones, and nobody has chosen that.
    """
    spec, hierarchy, _ = _facts(project, name)
    said = said_of(project).get(name, ())
    if hierarchy is None or not by_rule(hierarchy, spec, said):
        return None
    return True if is_widening(hierarchy.specification) else None if known_span(spec, said) is None else False


def widths_settled(project: Project, name: str) -> bool | None:
    """The same, but None too where equal ones follow from the range: over another one they would widen by name."""
    now = widths_now(project, name)
    spec, _, span = _facts(project, name)
    by_range = now is False and (span is None or not widens_by_name(spec, span))
    return None if by_range else now


def widths_offered(project: Project, name: str) -> bool | None:
    """Which widths a column can have instead of its own: whether these widen; None where there is no choice."""
    spec, _, span = _facts(project, name)
    now = widths_now(project, name)
    return None if now is None or not (now or makes_sense(spec, span)) else not now


def widening_names(
    project: Project, names: Iterable[str], chosen: Mapping[str, bool | None] = MappingProxyType({})
) -> frozenset[str]:
    """Those of these columns whose intervals are to widen: as chosen, or else by their name and their range."""
    found = set()
    for name in names:
        spec, _, span = _facts(project, name)
        if span is None or not makes_sense(spec, span):
            continue
        wanted = chosen.get(name)
        if widens_by_name(spec, span) if wanted is None else wanted:
            found.add(name)
    return frozenset(found)


def is_otherwise(project: Project, name: str, *, widening: bool, ruled: bool = False) -> bool:
    """Whether the rule makes other intervals than a column has, of those a rule made.

    Parameters
    ----------
    widening
        Whether they are to widen, as `widening_names` says.
    ruled
        Whether it is known that a rule made them, of what was said before.
    """
    spec, hierarchy, span = _facts(project, name)
    plain = None if hierarchy is None else hierarchy.specification
    if hierarchy is None or plain is None:
        return False
    if not ruled and not by_rule(hierarchy, spec, said_of(project).get(name, ())):
        return False
    if widening and span is not None:
        rules = (widening_specification(spec, span, is_open=one)["details"] for one in (False, True))
        return plain["details"] not in rules
    return is_widening(plain) or bool(finer_words(project, name)) or (ruled and _is_of_another_range(project, name))


def _is_of_another_range(project: Project, name: str) -> bool:
    """Whether equal intervals are those of a range said before, far from as wide as of the one that is said now.

    As after a slip of the hand; where a range only grows, intervals stay what they were. Those that end where the range
    ended do not: what is possible beyond has one label.
    """
    spec, hierarchy, span = _facts(project, name)
    plain = None if hierarchy is None else hierarchy.specification
    known = reaching(spec, said_of(project).get(name, ()))
    reach = known.declared().bounds
    if plain is None or reach is None or plain["builder"] != "intervals":
        return False
    if closed_end(plain["details"]) not in (None, reach[1]):
        return True
    if span is None:
        return False
    rule = public_specification(known)
    if rule["builder"] != "intervals" or not (rule["details"]["intervals"] and plain["details"].get("intervals")):
        return False
    wide, other = (_first_width(one["details"]["intervals"][0]) for one in (plain, rule))
    return min(wide, other) * _FAR_APART <= max(wide, other)


def _first_width(interval: Mapping[str, Any]) -> float:
    return float(interval["to"]) - float(interval["from"])


def by_rule(hierarchy: Hierarchy | None, spec: ColumnSpec, said: Sequence[str]) -> bool:
    """Whether a rule of the program made the intervals: of what was said of the column, or before it was said."""
    plain = None if hierarchy is None else hierarchy.specification
    if hierarchy is None or plain is None or plain["builder"] != "intervals" or plain.get("title"):
        return False
    if is_widening(plain) or follows_said(hierarchy, spec, said):
        return True
    unsaid = replace(spec.declared(), bounds=None)
    rules = (public_specification(one, way=way) for one in (spec, unsaid) for way in Suggested)
    return any(all(plain.get(part) == rule[part] for part in _PARTS) for rule in rules)


def makes_sense(spec: ColumnSpec, span: Span | None) -> bool:
    """Whether the intervals that a rule makes of a column between two numbers can widen."""
    return span is not None and can_widen(spec, span) and bool(public_specification(spec)["builder"] == "intervals")


def _facts(project: Project, name: str) -> tuple[ColumnSpec, Hierarchy | None, Span | None]:
    spec = project.schema[name]
    return spec, project.hierarchies.get(name), range_said(spec, said_of(project).get(name, ()))
