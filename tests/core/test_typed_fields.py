"""Settings hold what their types say, whoever makes them."""

from __future__ import annotations

import math
import types
import weakref
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Literal

import numpy as np
import pytest

from workbench.core.errors import WorkbenchError
from workbench.core.garbage import no_garbage_collection
from workbench.core.typed_fields import Measured, _fit, typed_fields


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True)
@typed_fields
class Inner:
    share: float = 0.5

    def __post_init__(self) -> None:
        if not 0 <= self.share <= 1:
            raise WorkbenchError("A share lies between 0 and 1.", field="share")


@dataclass(frozen=True)
@typed_fields
class Everything:
    text: str = ""
    truth: bool = False
    whole: int = 1
    number: float = 1.0
    measured: Measured = math.nan
    maybe: int | None = None
    colour: Colour = Colour.RED
    word: float | Literal["max", "best"] = "max"
    texts: tuple[str, ...] = ()
    pair: tuple[float, float] = (0.0, 1.0)
    colours: Mapping[str, Colour] = field(default_factory=dict)
    some: frozenset[str] = frozenset()
    plain: Any = None
    inner: Inner = field(default_factory=Inner)


RIGHT: list[tuple[str, Any]] = [
    ("text", "𝔸 Zürich\0"), ("truth", True), ("whole", -(10**999)), ("number", 3), ("measured", math.inf),
    ("maybe", None), ("maybe", 4), ("colour", Colour.BLUE), ("word", "best"), ("word", 0.25), ("texts", ("a", "")),
    ("pair", (1, 2)), ("colours", {"a": Colour.RED}), ("some", frozenset("ab")), ("plain", {"a": [1, None, "x", 2.5]}),
    ("inner", Inner(0.1)),
]  # fmt: skip

WRONG: list[tuple[str, Any]] = [
    ("text", 1), ("text", None), ("text", "\ud800"), ("text", b"a"), ("truth", 1), ("truth", "yes"), ("whole", True),
    ("whole", 1.0), ("whole", "1"), ("whole", 10**1000), ("number", True), ("number", "1"), ("number", math.nan),
    ("number", -math.inf), ("number", 10**400), ("measured", "1"), ("maybe", False), ("maybe", ""), ("colour", "green"),
    ("colour", None), ("word", "least"), ("word", True), ("word", math.inf), ("texts", ["a"]), ("texts", "ab"),
    ("texts", ("a", 1)), ("texts", ("a", "\udfff")), ("pair", (1.0,)), ("pair", [1.0, 2.0]), ("pair", (1.0, math.nan)),
    ("colours", {"a": "green"}), ("colours", {1: Colour.RED}), ("colours", {"\ud800": Colour.RED}),
    ("colours", ["a"]), ("some", {"a"}), ("some", frozenset({1})), ("plain", object()), ("plain", {"a": math.inf}),
    ("plain", {1: 2}), ("plain", ["\ud800"]), ("plain", {"a": {"\ud800": 1}}), ("plain", {1, 2}), ("inner", None),
    ("inner", Everything),
]  # fmt: skip


def shown(value: Any) -> str:
    return value if isinstance(value, str) and value.isascii() else type(value).__name__


@pytest.mark.parametrize(("name", "value"), RIGHT, ids=shown)
def test_what_fits_is_kept_as_it_is(name: str, value: Any) -> None:
    assert getattr(replace(Everything(), **{name: value}), name) is value


@pytest.mark.parametrize(("name", "value"), WRONG, ids=shown)
def test_what_does_not_fit_is_refused_by_name(name: str, value: Any) -> None:
    with pytest.raises(WorkbenchError) as caught:
        replace(Everything(), **{name: value})
    assert caught.value.field == name and name in caught.value.message
    str(caught.value).encode()  # may be printed


@pytest.mark.parametrize(("name", "value"), [("colour", "blue"), ("colours", {"a": "blue"})])
def test_a_choice_given_by_its_value_becomes_the_choice(name: str, value: Any) -> None:
    made = getattr(replace(Everything(), **{name: value}), name)
    assert (made["a"] if name == "colours" else made) is Colour.BLUE


def test_a_whole_number_that_no_float_holds_becomes_the_float_it_is_loaded_as() -> None:
    assert Everything(number=2**53 + 1).number == float(2**53 + 1)
    assert isinstance(Everything(number=2**53 + 1).number, float)
    assert isinstance(Everything(number=90).number, int)


def test_deep_lists_are_refused_before_python_gives_up() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(WorkbenchError):
        Everything(plain=deep)


def test_a_class_checks_itself_after_its_types_and_has_better_words_for_numbers() -> None:
    for share in (2.0, math.nan, math.inf):
        with pytest.raises(WorkbenchError, match="between 0 and 1"):
            Inner(share)
    with pytest.raises(WorkbenchError, match="“share”"):
        Inner("1")


def test_what_is_refused_is_not_repeated_since_it_may_be_a_value_of_the_data() -> None:
    with pytest.raises(WorkbenchError) as caught:
        Everything(colour="Ms. Secret")
    assert "Secret" not in str(caught.value)


class NamedType:
    """A type with a name, as numpy gives one to NDArray from Python 3.12 on."""

    __value__ = np.ndarray[Any, np.dtype[Any]]


def test_a_type_with_a_name_is_what_it_names() -> None:
    fit = _fit(types.GenericAlias(NamedType, (np.integer,)))
    assert fit(np.arange(3)).tolist() == [0, 1, 2]
    with pytest.raises(Exception, match="ndarray"):
        fit("no array")


def test_what_whoever_makes_settings_has_in_hand_is_let_go() -> None:
    """Without anybody looking for circles, although not every way fits: a table may be in hand."""

    class Table:
        pass

    def make() -> weakref.ref[Table]:
        table = Table()
        assert Everything(maybe=None, word="max").maybe is None
        with pytest.raises(WorkbenchError):
            Everything(maybe="much")  # type: ignore[arg-type]
        return weakref.ref(table)

    with no_garbage_collection():
        assert make()() is None
