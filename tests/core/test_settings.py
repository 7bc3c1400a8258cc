"""Settings declared once: what follows from a field for files, commands and forms."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from types import MappingProxyType
from typing import Any, ClassVar, Literal

import pytest

from workbench.core import flags
from workbench.core.errors import WorkbenchError
from workbench.core.params import ParamType
from workbench.core.settings import Flag, Stored, check_settings, declared, explanations, matters, setting
from workbench.core.settings_json import from_json, keys, to_json
from workbench.core.typed_fields import typed_fields


class Way(StrEnum):
    BINS = "bins"
    WHOLE = "whole"
    NONE = "none"


@dataclass(frozen=True)
@typed_fields
class Inner:
    name: str
    values: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True)
@typed_fields
class Flat:
    first: str = setting("a", title="First", about="the first", flag=Flag())
    second: int = setting(2, title="Second", about="the second", flag=Flag("N"))


@dataclass(frozen=True)
@typed_fields
class Toy:
    """One field of every kind."""

    way: Way = setting(Way.NONE, title="Way", about="which way", flag=Flag(name="--whole", value=Way.WHOLE))
    bins: int = setting(20, title="Bins", about="100 % of the bins", minimum=2, when={"way": (Way.BINS,)}, flag=Flag())
    users: int | None = setting(
        None, title="Users", about="how many", minimum=1, refusal=("Not {value}.", "Give 1."), flag=Flag("N")
    )
    share: float = setting(0.5, title="Share", about="which", maximum=1.0, flag=Flag("S", write=repr, always=True))
    once: bool = setting(False, title="Once", about="only once", flag=Flag())
    seed: int | None = setting(1, title="Seed", about="a seed", cleared="Another seed", flag=Flag("S", default=None))
    flat: Flat = setting(Flat(), title="Flat", about="flat", stored=Stored(flat=True))
    pair: tuple[float, float] | None = setting(None, title="Pair", about="two", stored=Stored(noun="the pair"))
    inner: tuple[Inner, ...] = setting((), title="Inner", about="several")
    rule: float | Literal["max"] = setting("max", title="Rule", about="a rule")
    metric: str = setting("l1", title="Metric", about="a metric", choices=(("l1", "L1"), ("l2", "L2")), flag=Flag())

    def __post_init__(self) -> None:
        check_settings(self)


@dataclass(frozen=True)
@typed_fields
class Strict:
    REFUSES_UNKNOWN: ClassVar[bool] = True
    name: str = setting("", title="Name", about="a name", stored=Stored(always=True))


FULL = Toy(
    Way.BINS, 7, 3, 0.25, True, None, Flat("b", 5), (0.0, 1.0), (Inner("x", MappingProxyType({"a": 1.0})),), 0.5, "l2"
)


def typed(*words: str) -> dict[str, Any]:
    parser = argparse.ArgumentParser()
    flags.declare(parser, Toy)
    return flags.given(Toy, parser.parse_args(words))


class TestDeclarations:
    def test_types_follow_from_the_fields(self) -> None:
        types = {name: one.spec.type for name, one in declared(Toy).items()}
        assert types["way"] is types["metric"] is ParamType.CHOICE
        assert types["bins"] is types["users"] is ParamType.INTEGER
        assert types["share"] is ParamType.NUMBER and types["once"] is ParamType.SWITCH
        assert types["pair"] is types["inner"] is types["flat"] is ParamType.OTHER
        assert declared(Toy)["users"].spec.optional and not declared(Toy)["bins"].spec.optional
        assert declared(Toy)["flat"].made is Flat
        assert [one.spec.default for one in declared(Flat).values()] == ["a", 2]
        assert [value for value, _ in declared(Toy)["way"].spec.choices] == list(Way)
        assert list(declared(Toy)) == [one.name for one in fields(Toy)]

    @pytest.mark.parametrize("values", [{"bins": 1}, {"share": 1.5}, {"metric": "l3"}])
    def test_what_is_out_of_bounds_is_refused(self, values: dict[str, Any]) -> None:
        with pytest.raises(WorkbenchError) as refused:
            Toy(**values)
        assert refused.value.field == next(iter(values))

    def test_a_refusal_has_its_own_words(self) -> None:
        with pytest.raises(WorkbenchError) as refused:
            Toy(users=0)
        assert (refused.value.message, refused.value.hint) == ("Not 0.", "Give 1.")

    def test_undo_names_the_change(self) -> None:
        seed = declared(Toy)["seed"].spec
        assert seed.changed_to(3) == "Change “Seed”" and seed.changed_to(None) == "Another seed"

    def test_what_does_not_matter_is_known(self) -> None:
        assert not matters(Toy(), "bins") and matters(FULL, "bins") and matters(Toy(), "users")

    def test_every_field_is_explained(self) -> None:
        found = explanations("toy", Toy)
        assert set(found) == {f"toy.{name}" for name in (*declared(Toy), *declared(Flat))}


class TestFiles:
    def test_settings_are_read_back_as_they_were_written(self) -> None:
        for settings in (Toy(), FULL):
            assert from_json(Toy, to_json(settings)) == settings
        assert to_json(FULL) == {
            "way": "bins", "bins": 7, "users": 3, "share": 0.25, "once": True, "seed": None, "first": "b", "second": 5,
            "pair": [0.0, 1.0], "inner": [{"name": "x", "values": {"a": 1.0}}], "rule": 0.5, "metric": "l2",
        }  # fmt: skip
        assert list(keys(Toy)) == list(to_json(FULL))

    def test_what_is_missing_is_the_usual_and_what_is_more_is_passed_over(self) -> None:
        assert from_json(Toy, {"users": 4, "gone": 1}) == Toy(users=4)

    @pytest.mark.parametrize(
        "plain",
        [
            {"way": "sideways"}, {"way": 1}, {"bins": 2.0}, {"bins": True}, {"bins": None}, {"users": "3"},
            {"share": True}, {"share": "1"}, {"share": float("inf")}, {"once": 1}, {"first": 1}, {"pair": [1]},
            {"pair": "ab"}, {"pair": [1, "b"]}, {"inner": {}}, {"inner": [{}]}, {"inner": [{"name": "x", "values": 1}]},
            {"inner": [{"name": "x", "values": {"a": "1"}}]}, {"rule": "min"}, {"rule": None}, {"metric": "l3"}, [],
        ],
    )  # fmt: skip
    def test_what_is_no_setting_is_refused(self, plain: Any) -> None:
        with pytest.raises((TypeError, ValueError, WorkbenchError)):
            from_json(Toy, plain)

    def test_an_error_names_what_is_wrong(self) -> None:
        with pytest.raises(ValueError, match="the pair must be two values"):
            from_json(Toy, {"pair": [1]})
        with pytest.raises(TypeError, match="“bins” must be a whole number"):
            from_json(Toy, {"bins": "x"})

    def test_a_class_may_refuse_what_it_does_not_know_and_need_what_every_file_has(self) -> None:
        assert from_json(Strict, {"name": "x"}) == Strict("x")
        with pytest.raises(ValueError, match="unexpected “more”"):
            from_json(Strict, {"name": "x", "more": 1})
        with pytest.raises(ValueError, match="“name” is missing"):
            from_json(Strict, {})


class TestCommands:
    def test_words_are_understood_as_they_were_meant(self) -> None:
        meant = Toy(Way.BINS, 7, 3, 0.25, True, None, Flat("b", 5), metric="l2")
        words = flags.words(meant)
        assert words == [
            "--bins", "7", "--users", "3", "--share", "0.25", "--once", "--first", "b", "--second", "5",
            "--metric", "l2",
        ]  # fmt: skip
        assert Toy(**typed(*words)) == meant
        assert Toy(**typed(*flags.words(Toy(Way.WHOLE, seed=4)))) == Toy(Way.WHOLE, seed=4)

    def test_only_what_differs_is_said(self) -> None:
        assert flags.words(Toy(seed=None)) == ["--share", "0.5"]
        assert flags.words(Toy(seed=None), leave_out=("share",)) == []
        assert flags.words(Toy(seed=None, share=-1.0)) == ["--share=-1.0"]

    def test_typing_what_matters_only_with_a_choice_makes_the_choice(self) -> None:
        assert typed("--bins", "5") == typed() | {"way": Way.BINS, "bins": 5}
        parser = argparse.ArgumentParser()
        flags.declare(parser, Toy)
        assert flags.chosen(Toy, "way", parser.parse_args(["--bins", "5", "--whole"])) == (Way.WHOLE, Way.BINS)

    def test_a_command_may_begin_elsewhere(self) -> None:
        assert typed()["seed"] is None and typed("--seed", "5")["seed"] == 5

    def test_help_is_that_of_the_setting(self) -> None:
        parser = argparse.ArgumentParser()
        flags.declare(parser, Toy, names=("bins", "users"), changes={"users": {"help": "another"}})
        text = parser.format_help()
        assert "100 % of the bins" in text and "another" in text and "--share" not in text
