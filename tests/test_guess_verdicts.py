"""Whether asking is worth it: one answer for one survey, whichever error is to be reached."""

from __future__ import annotations

import math
import re

import pytest

from tests.collecting_helpers import in_all
from workbench.core.progress import SILENT
from workbench.ldp.encoding import EncodingChoice
from workbench.ldp.plan import Shape
from workbench.ldp.share_margin import MARGIN
from workbench.session import Session
from workbench.session.collection.answered import Answered
from workbench.session.collection.easier import easier_words
from workbench.session.collection.guessing import DEPENDS, beats_guessing
from workbench.session.collection.margin_decision import margin_beats_guessing
from workbench.session.collection.results import Planned
from workbench.session.collection.words import points_up, scale_of

PEOPLE = scale_of("l1")


def planned(answers: int, users: int, epsilon: float, shape: Shape = Shape.AUTO) -> Planned:
    desk = Session().collection
    desk.change(encoding=EncodingChoice(domain=tuple("abcdefg"[:answers])), users=users, epsilon=epsilon, shape=shape)
    return desk.planner()(SILENT)


@pytest.mark.parametrize(
    "answers,users,epsilon,verdict",
    [
        (2, 200, 0.3, "Hardly: 1.2 times closer"),
        (2, 200, 1.0, DEPENDS),
        (2, 200, 3.0, DEPENDS),
        (2, 2000, 0.3, DEPENDS),
        (2, 2000, 1.0, DEPENDS),
        (2, 2000, 3.0, DEPENDS),
        (7, 200, 0.3, "Not if spiky"),
        (7, 200, 1.0, "Hardly: 1.4 times closer"),
        (7, 200, 3.0, DEPENDS),
        (7, 2000, 0.3, "Hardly: 1.3 times closer"),
        (7, 2000, 1.0, DEPENDS),
        (7, 2000, 3.0, DEPENDS),
    ],
)
def test_the_verdict_is_the_same_whichever_goal_is_chosen(
    answers: int, users: int, epsilon: float, verdict: str
) -> None:
    plan = planned(answers, users, epsilon)
    by_margin, by_people = margin_beats_guessing(plan), beats_guessing(plan, "l1")
    assert by_margin.figure == by_people.figure == verdict
    assert by_margin.tone == by_people.tone
    assert plan.narrowest is not None
    assert ("says nothing" in by_margin.detail) == (plan.narrowest[1] >= 0.5)
    equal = f"asking than by guessing 1/{answers}."
    assert (equal in by_margin.detail) == (verdict == DEPENDS) and "one half" not in by_margin.detail, (
        "nobody guesses one half of each of 7"
    )


def test_a_margin_is_held_against_equal_shares_and_not_against_one_half() -> None:
    """By hand: 7 shares of 1/7 each may be off by 6/7, 85.71 points, one half of each by 50."""
    seven, two = margin_beats_guessing(planned(7, 2000, 1.0)), margin_beats_guessing(planned(2, 2000, 1.0))
    assert seven.measure == "± 7.76 points"
    assert seven.detail == "A true share farther than that from 1/7 is told better by asking than by guessing 1/7."
    assert seven.rest.startswith("Asking nobody, one half is right to ± 50 points of any share, 1/7 to ± 85.72.")
    assert two.rest.startswith("Asking nobody, one half is right to ± 50 points of any share. A trusted curator: ")


def test_of_shares_that_are_assumed_it_is_that_of_these() -> None:
    spiky, equal = planned(7, 2000, 1.0, Shape.SPIKY), planned(7, 2000, 1.0, Shape.UNIFORM)
    yes = margin_beats_guessing(spiky)
    assert yes.figure == beats_guessing(spiky, "l1").figure and yes.figure.startswith("Yes, ")
    assert " % instead of " in yes.detail and yes.detail.endswith(" misplaced.")
    assert margin_beats_guessing(equal).figure == beats_guessing(equal, "l1").figure == "A guess is exact"


def test_of_shares_that_were_typed_the_margin_of_the_smallest_is_told() -> None:
    """By hand: √(p(1 − p)·π + q(1 − q)·(1 − π)) ÷ (p − q) · 1.96 ÷ √n, and who is asked beside it."""

    def said(*shares: float, **settings: object) -> list[Answered]:
        desk = Session().collection
        three = EncodingChoice(domain=("yes", "no", "rather not say"))
        usual = {"encoding": three, "users": 2000, "epsilon": 1.0, "shape": Shape.OWN, "sampling": True}
        desk.change(**{**usual, "guess": shares, **settings})
        plan = desk.planner()(SILENT)
        assert plan.narrowest is not None and plan.narrowest[0].choice.identifier == "grr"
        return [margin_beats_guessing(plan), beats_guessing(plan, "l1")]

    p, q = math.e / (math.e + 2), 1 / (math.e + 2)
    noise = (0.05 * p * (1 - p) + 0.95 * q * (1 - q)) / (p - q) ** 2
    margin = 196 * math.sqrt((noise + 0.05 * 0.95) / 2000)
    for answer in said(5, 85, 10):
        assert answer.figure.startswith("Yes, ") and margin > 5
        told = re.search(r" The smallest share, 5 %, ± (.*) points: not told from 0\.$", answer.detail)
        assert told is not None and margin <= float(told[1]) <= 1.005 * margin, "reports are whole"
        assert len(answer.detail.split()) <= 26 and answer.detail.count(". ") == 1, answer.detail
    for answer in said(0, 20, 80):  # of which nobody gives the first
        assert "The smallest share, 20 %, ± " in answer.detail and "not told" not in answer.detail, (
            "nobody says the first"
        )
    for answer in said(shape=Shape.FALLING):
        assert "smallest share" not in in_all(answer), "nobody typed any"


def test_what_is_easier_to_answer_is_told_where_it_errs_hardly_more() -> None:
    """Of 4 answers at ε = 1/2 direct encoding errs 1.3 % more than sets of 2, and its margin is 12 % wider."""
    plan = planned(4, 2000, 0.5)
    taken, direct = plan.best[0], next(one for one in plan.predictions if one.choice.identifier == "grr")
    assert taken.choice.identifier == "subset-selection" and 1.0 < direct.l1 / taken.l1 < 1.02
    said = easier_words(plan, taken, "l1")
    assert said == f"easier: Direct encoding, {PEOPLE.text(direct.l1)} misplaced."
    assert plan.narrowest is not None
    assert easier_words(plan, plan.narrowest[0], MARGIN) == "", "it is 12 % wider"
    assert easier_words(plan, direct, "l1") == "", "nothing is easier"
    seven = planned(7, 2000, 1.0)
    assert easier_words(seven, seven.best[0], "l1").startswith("easier: Direct encoding"), "it errs 8 % more"
    small = planned(7, 2000, 0.5)
    direct = next(one for one in small.predictions if one.choice.identifier == "grr")
    assert direct.l1 > 1.1 * small.best[0].l1 and easier_words(small, small.best[0], "l1") == "", "it errs much more"
    near = planned(4, 2000, 1.02)
    assert near.narrowest is not None and near.narrowest[0].choice.identifier == "subset-selection"
    wide = next(margin for one, margin in near.by_margin if one.choice.identifier == "grr")
    assert 1.0 < wide / near.narrowest[1] < 1.02
    assert easier_words(near, near.narrowest[0], MARGIN).endswith(
        f"easier: Direct encoding, ± {points_up(wide)} points."
    )
