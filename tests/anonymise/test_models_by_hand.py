"""Each model at its limit: what it allows on paper is kept, and a hair beyond it is suppressed."""

from __future__ import annotations

import math

import numpy as np
import pytest

from workbench.anonymise.goal import Goal
from workbench.anonymise.models.k_map import estimated_k
from workbench.anonymise.privacy import MODELS, Background, ModelChoice, Sensitive, in_words
from workbench.anonymise.problem import prepare
from workbench.anonymise.search import evaluate
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.table import Column, Table

AGES = Hierarchy.from_rows([(str(age), f"{age // 10 * 10}s", "*") for age in range(20, 60)])
ILLNESSES = Hierarchy.from_rows([("flu", "lung", "*"), ("cough", "lung", "*"), ("gout", "joint", "*")])
TWENTIES, THIRTIES = ("flu", "flu", "gout", "gout", "gout"), ("flu", "flu", "flu", "gout", "gout")
TEN = Table(
    (
        Column.from_texts("age", ["21", "22", "23", "24", "25", "31", "32", "33", "34", "35"]),
        Column.from_texts("illness", [*TWENTIES, *THIRTIES]),
        Column.from_texts("in", list("ynnnnyyynn")),
    )
)
"""20s: 2 flu, 3 gout, one of five is in. 30s: 3 flu, 2 gout, three of five are in. Half have each illness."""


def suppressed(*texts: str, level: int = 1) -> int:
    problem = prepare(
        TEN,
        {"age": AGES},
        Goal(
            [ModelChoice.parse(text) for text in texts],
            suppression_limit=1.0,
            sensitive_hierarchies={"illness": ILLNESSES},
        ),
    )
    return evaluate(problem, {"age": level}).suppressed


@pytest.mark.parametrize(
    ("fine", "beyond"),
    [
        ("k=5", "k=6"),
        ("entropy-l-diversity=1.96:illness", "entropy-l-diversity=1.97:illness"),
        ("recursive-l-diversity=1.51,2:illness", "recursive-l-diversity=1.5,2:illness"),
        ("t=0.1:illness", "t=0.0999:illness"),
        ("ordered-t-closeness=0.1:illness", "ordered-t-closeness=0.0999:illness"),
        ("hierarchical-t-closeness=0.1:illness", "hierarchical-t-closeness=0.0999:illness"),
        ("b-likeness=0.2,basic:illness", "b-likeness=0.1999,basic:illness"),
        ("b-likeness=0.2:illness", "b-likeness=0.1999:illness"),
    ],
)
def test_five_rows_in_two_classes(fine: str, beyond: str) -> None:
    """exp of the entropy of (2/5, 3/5) is 1.960; 3/5 is a tenth, and a fifth of itself, beyond a half."""
    assert math.exp(-(0.4 * math.log(0.4) + 0.6 * math.log(0.6))) == pytest.approx(1.9601, abs=1e-4)
    assert suppressed(fine) == 0
    assert suppressed(beyond) == 10


def test_what_the_whole_table_cannot_reach_is_refused() -> None:
    """The smallest classes go until it holds; at the top there is one of ten."""
    assert suppressed("average-risk=0.2") == 0
    assert suppressed("average-risk=0.1999") == 10
    assert suppressed("average-risk=0.1", level=2) == 0
    with pytest.raises(WorkbenchError, match="cannot be reached with so few rows"):
        suppressed("average-risk=0.0999", level=2)
    assert suppressed("l=2:illness") == 0
    with pytest.raises(WorkbenchError, match="more than there are different values"):
        suppressed("l=3:illness")


@pytest.mark.parametrize(
    ("limits", "lost"), [("0.2,0.6", 0), ("0.2001,0.6", 1), ("0.2,0.5999", 3), ("0.2001,0.5999", 4), ("0.0,1.0", 0)]
)
def test_presence_may_reach_both_ends(limits: str, lost: int) -> None:
    """Of the 20s one row is released, of the 30s three."""
    assert suppressed(f"d-presence={limits}:in=y") == lost


@pytest.mark.parametrize(("k", "level", "lost"), [(5, 1, 0), (6, 1, 4), (10, 2, 0), (2, 0, 4)])
def test_people_are_counted_in_the_whole_table(k: int, level: int, lost: int) -> None:
    assert suppressed(f"k-map={k}:in=y", level=level) == lost


@pytest.mark.parametrize(
    ("k", "fraction", "significance", "truncated", "size"),
    [
        (6, 1 / 6, 0.0190, False, 4),  # with mean 1, of 4 or more 0.01899
        (6, 1 / 6, 0.0189, False, 5),
        (6, 1 / 6, 0.0301, True, 4),  # 0.01899 of the 0.6321 that are not 0
        (6, 1 / 6, 0.0300, True, 5),
        (6, 1.0, 1e-12, False, 6),
        (2, 0.5, 0.99, False, 1),
    ],
)
def test_a_sample_convinces_of_k_people(
    k: int, fraction: float, significance: float, truncated: bool, size: int
) -> None:
    assert estimated_k(k, fraction, significance, truncated=truncated) == size


@pytest.mark.parametrize(
    ("model", "values", "rows", "population", "field"),
    [
        ("k-map", {"k": 5}, 9, 9, "subset_column"),
        ("k-map", {"k": 5, "people": 9, "subset_column": "in", "subset_value": "y"}, 4, 9, "people"),
        ("k-map", {"k": 10, "subset_column": "in", "subset_value": "y"}, 4, 9, "k"),
        ("k-map", {"k": 2, "people": 8}, 9, 9, "people"),
        ("k-map", {"k": 5, "people": 1_000_000}, 100, 100, "people"),  # classes of one row would do
        ("k-map", {"k": 40, "people": 10, "significance": 1e-9}, 9, 9, "k"),
        ("d-presence", {"least": 0.0, "most": 0.5}, 9, 9, "subset_column"),
        ("d-presence", {"least": 0.5, "most": 0.4, "subset_column": "in", "subset_value": "y"}, 9, 9, "least"),
    ],
)
def test_what_no_class_can_be_asked_is_refused(
    model: str, values: dict[str, object], rows: int, population: int, field: str
) -> None:
    choice = ModelChoice(model, values)
    with pytest.raises(WorkbenchError) as caught:
        choice.model.fit(choice.checked(), Background(rows, population))
    assert caught.value.field == field


def test_the_largest_that_can_be_asked_is_not_refused() -> None:
    for model, values in (
        ("k-map", {"k": 9, "subset_column": "in", "subset_value": "y"}),
        ("k-map", {"k": 2, "people": 9}),
        ("d-presence", {"least": 0.5, "most": 0.5, "subset_column": "in", "subset_value": "y"}),
    ):
        choice = ModelChoice(model, values)
        choice.model.fit(choice.checked(), Background(9, 9))


def test_likeness_allows_no_more_than_everything_and_nothing_of_what_is_not_there() -> None:
    """Of shares ½, ¼, ¼ and 0: β = 1 allows 1, ½, ½ and 0; enhanced ln 2 of a half, and 1 of a quarter."""
    known = Background(4, 4, {"x": Sensitive(("a", "b", "c", "d"), np.array([2, 1, 1, 0]))})
    for variant, limits in (("basic", [1.0, 0.5, 0.5, 0.0]), ("enhanced", [0.5 * (1 + math.log(2)), 0.5, 0.5, 0.0])):
        choice = ModelChoice("b-likeness", {"beta": 1.0, "variant": variant, "column": "x"})
        np.testing.assert_allclose(choice.model.fit(choice.checked(), known).limits, limits)
    choice = ModelChoice("b-likeness", {"beta": 9.0, "variant": "basic", "column": "x"})
    assert choice.model.fit(choice.checked(), known).limits.tolist() == [1, 1, 1, 0]


def test_nothing_may_be_suppressed_unless_that_is_said() -> None:
    choices = [ModelChoice("k-anonymity", {"k": 6})]
    assert prepare(TEN, {"age": AGES}, Goal(choices)).most_suppressed == 0
    assert prepare(TEN, {"age": AGES}, Goal(choices, suppression_limit=0.25)).most_suppressed == 2


# Choices in words


@pytest.mark.parametrize(
    ("text", "identifier", "values", "words"),
    [
        ("k=5", "k-anonymity", {"k": 5}, "k-anonymity (k = 5)"),
        ("k-anonymity=5", "k-anonymity", {"k": 5}, "k-anonymity (k = 5)"),
        ("l=2:pay", "l-diversity", {"l": 2, "column": "pay"}, "(l = 2) for pay"),
        ("t=0.2:pay", "t-closeness", {"t": 0.2, "column": "pay"}, "(t = 0.2) for pay"),
        ("d-presence=0.1,0.4:in=y", "d-presence",
         {"least": 0.1, "most": 0.4, "subset_column": "in", "subset_value": "y"}, "δmin = 0.1, δmax = 0.4"),
    ],
)  # fmt: skip
def test_choices_are_read_as_they_are_written(
    text: str, identifier: str, values: dict[str, object], words: str
) -> None:
    choice = ModelChoice.parse(text)
    assert (choice.identifier, dict(choice.values)) == (identifier, values)
    assert words in in_words(choice) and choice.model is MODELS[identifier]
    assert choice.column == values.get("column", "")
    assert choice.subset == (("in", "y") if "subset_column" in values else None)
    assert choice.columns == tuple(name for name in (values.get("column"), values.get("subset_column")) if name)


@pytest.mark.parametrize("text", ["k=5,6", "k=5:pay", "no-such-model=1", "k=1", "t=0:pay", "t=1.1:pay", "l=two:pay"])
def test_choices_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(WorkbenchError):
        ModelChoice.parse(text).checked()
