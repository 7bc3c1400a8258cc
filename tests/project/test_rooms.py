"""What must hold of every setting of every room: it is declared whole, and comes back from files and commands."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

import pytest

from tests.parameter_lists import listed_settings
from workbench.core import flags
from workbench.core.errors import WorkbenchError
from workbench.core.params import ParamSpec, ParamType
from workbench.core.settings import Setting, declared
from workbench.core.settings_json import from_json, keys, to_json
from workbench.evaluate.figure_settings import FigureSettings
from workbench.project.rooms import ROOM_SETTINGS


def classes(made: type[Any]) -> Iterator[type[Any]]:
    """A dataclass of settings and those it consists of."""
    yield made
    for one in declared(made).values():
        if one.made is not None and declared(one.made):
            yield from classes(one.made)


DECLARED = (*ROOM_SETTINGS.values(), FigureSettings)  # which an experiment has beside it
ALL = sorted({one for made in DECLARED for one in classes(made)}, key=lambda made: made.__name__)
SETTINGS = [pytest.param(made, name, id=f"{made.__name__}.{name}") for made in ALL for name in declared(made)]
TYPED = [
    pytest.param(made, name, id=f"{made.__name__}.{name}")
    for made in ALL
    for name, one in declared(made).items()
    if one.flags
]


RANGES = r"""
AnonymiseSettings: levels_blind (switch), True
AnonymiseSettings: seed (integer), needed
CollectSettings: epsilon (number), 1.0, (0.0, inf], offered from 0.0001 to 30.0
CollectSettings: users (integer), needed, [1, 1000000000000], offered from 1 to 1000000000
CollectSettings: sampling (switch), False
CollectSettings: repetitions (integer), 20, [1, inf], offered from 1 to 1000
CollectSettings: seed (integer), 1, [0, inf], offered from 0 to 2147483647
CollectSettings: one_report_per_person (switch), False
CollectSettings: target (number), 5.0, (0.0, inf]
EncodingChoice: bins (integer), 20, offered from 2 to 100000
EncodingChoice: assume_public (switch), False
Experiment: epsilon (number), 1.0, (0.0, inf]
Experiment: most_below (number), needed
Experiment: users (integer), needed, [1, 10000000]
Experiment: repetitions (integer), 100, [1, 100000]
Experiment: seed (integer), 1, [0, inf], offered from 0 to 2147483647
Experiment: public_total (switch), False
FigureSettings: log_x (switch), True
FigureSettings: log_y (switch), True
FigureSettings: bands (switch), True
FigureSettings: labels (switch), True
FigureSettings: theory (switch), True
FigureSettings: crossings (switch), True
FigureSettings: width (number), 7.2, [1.0, 40.0]
FigureSettings: height (number), 4.6, [1.0, 40.0]
FigureSettings: text (number), 9.5, [4.0, 40.0]
FigureSettings: caption (switch), False
FigureSettings: details (switch), False
FigureSettings: rest (switch), False
GuaranteeSettings: epsilon (number), 1.0
GuaranteeSettings: delta (number), 1e-05
GuaranteeSettings: k (integer), 50
LaboratorySettings: repeat (integer), 1, offered from 1 to 12
LaboratorySettings: beside (integer), 1, offered from 1 to 12
Preparation: sample (number), 1.0, (0.0, 1.0]
Preparation: limit_rows (switch), False
QueryDraft: epsilon (text), '0.1', (0, inf], offered from 0 to 100
QueryDraft: assumed_rows (integer), 1000, offered from 0 to 10000000
QueryDraft: rows_typed (switch), False
QueryDraft: most_below (number), needed
QuerySettings: batch_epsilon (text), '1', (0, inf], offered from 0 to 100
Question: share (number), 0.5, [0.0, 1.0]
QuestionSettings: suppression_limit (number), 0.04, [0.0, 1.0]
QuestionSettings: local_recoding (switch), False
TrimSettings: group (integer), 12, [1, 1000000000]
TrimSettings: floor (integer), 1, [1, 1000000000]
TrimSettings: balanced_steps (integer), 3, [1, 6]
TrimSettings: expected_rows (integer), needed, [1, 1000000000000]
TrimSettings: number_known (switch), False
"""


def test_every_number_and_every_switch_has_its_default_and_its_bounds() -> None:
    assert listed_settings(ALL) == RANGES.strip().splitlines()


def values_of(spec: ParamSpec) -> list[Any]:
    """The usual value, both ends, and what is odd."""
    low, high = spec.minimum, spec.maximum
    found: dict[ParamType, list[Any]] = {
        ParamType.SWITCH: [False, True],
        ParamType.CHOICE: [value for value, _ in spec.choices],
        ParamType.TEXT: ["", "a b", "--json", "-1", "“ä”, 'b'\n", "=x"],
        ParamType.LINES: ["", "a\nb"],
        ParamType.COLUMN: ["", "age", "-a"],
        ParamType.INTEGER: [
            one for one in (low, high, 0, 1, 7, -3, 10**9) if low <= one <= high and math.isfinite(one)
        ],
        ParamType.NUMBER: [one for one in (low, high, 0.1, 1 / 3, 1e-9, -2.5, 1e300) if low <= one <= high],
    }
    inside = found.get(spec.type, [])
    if spec.type is ParamType.INTEGER:
        inside = [int(one) for one in inside]
    if spec.type is ParamType.NUMBER:
        inside = [one for one in inside if math.isfinite(one) and not (spec.open_minimum and one == low)]
    return [spec.default, *inside, *([None] if spec.optional else [])]


def settings_of(made: type[Any], one: Setting) -> Iterator[tuple[Any, Any]]:
    """The usual settings with each value, and what it takes for that value to matter."""
    needed = {other: wanted[0] for other, wanted in one.spec.when}
    for value in values_of(one.spec):
        try:
            yield value, replace(made(), **needed, **{one.spec.name: value})
        except WorkbenchError:
            # A text may have to be one that is known, a choice to go with others; numbers in their bounds are taken.
            assert one.spec.type in (ParamType.TEXT, ParamType.CHOICE)


@pytest.mark.parametrize("made", ALL, ids=lambda made: made.__name__)
def test_every_field_is_declared(made: type[Any]) -> None:
    assert [one.name for one in fields(made)] == list(declared(made))


@pytest.mark.parametrize("made,name", SETTINGS)
def test_a_setting_says_what_it_is(made: type[Any], name: str) -> None:
    spec = declared(made)[name].spec
    assert spec.name == name and spec.title and spec.help
    assert spec.changed_to(spec.default) and spec.changed_to(None)
    known = {one.name for one in fields(made)}
    assert {other for other, _ in spec.when} <= known
    if spec.offered is not None:
        assert spec.minimum <= spec.offered[0] < spec.offered[1] <= spec.maximum
        if spec.type is ParamType.INTEGER:
            assert spec.offered[1] < 2**31, "fields of the window hold numbers of 32 bits"
    declared(made)[name].check(spec.default)


def test_fields_offer_numbers_that_people_may_want() -> None:
    """From the first that means anything, to more than anybody waits for or a random number is made of."""
    offered = {
        f"{made.__name__}.{name}": one.spec.offered
        for made in ALL
        for name, one in declared(made).items()
        if one.spec.offered is not None
    }
    assert offered == {
        "CollectSettings.epsilon": (0.0001, 30.0),
        "CollectSettings.repetitions": (1, 1000),
        "CollectSettings.seed": (0, 2**31 - 1),
        "CollectSettings.users": (1, 10**9),
        "EncodingChoice.bins": (2, 100_000),
        "Experiment.seed": (0, 2**31 - 1),
        "LaboratorySettings.beside": (1, 12),
        "LaboratorySettings.repeat": (1, 12),
        "QueryDraft.assumed_rows": (0, 10**7),
        "QueryDraft.epsilon": (0, 100),
        "QuerySettings.batch_epsilon": (0, 100),
    }


@pytest.mark.parametrize("made,name", SETTINGS)
def test_a_setting_comes_back_from_a_file(made: type[Any], name: str) -> None:
    one = declared(made)[name]
    for _value, settings in settings_of(made, one):
        plain = json.loads(json.dumps(to_json(settings)))
        assert from_json(made, plain) == settings
        assert list(plain) == list(keys(made))
        assert made.__name__ not in json.dumps(plain) and made.__module__ not in json.dumps(plain)


@pytest.mark.parametrize("made,name", TYPED)
def test_what_is_copied_says_the_same_when_it_is_typed(made: type[Any], name: str) -> None:
    one = declared(made)[name]
    parser = argparse.ArgumentParser()
    flags.declare(parser, made)
    for action in parser._actions:
        action.required = False
    implied = {(other, wanted[0]) for two in declared(made).values() for other, wanted in two.spec.when}
    begin = made(**flags.given(made, parser.parse_args([])))
    for value, settings in settings_of(made, one):
        if one.spec.type is ParamType.OTHER and value and one.flags[0].read is None:
            continue  # a text that only the command can read, since it depends on the data
        found = made(**flags.given(made, parser.parse_args(flags.words(settings))))
        said = getattr(found, name)
        alone = all(flag.value is not None for flag in one.flags)
        if value is None:
            assert said == getattr(begin, name)
        elif not (alone and value not in [flag.value for flag in one.flags]):
            # What another setting implies is said by that one, if there is anything to be said.
            assert said in (value, str(value).strip()) or (name, value) in implied
