"""Shares of a histogram where everybody knows how many rows there are: of that number, and never of a noisy one."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from workbench.core.schema import PrivacyUnit
from workbench.core.working_table import Preparation
from workbench.project.model import new_project
from workbench.query.catalogue import QueryDraft
from workbench.session import Session
from workbench.session.answer_chart import caption, shares_chart
from workbench.session.answer_files import as_csv
from workbench.session.answer_shares import share_ends, shares_headline, shares_of, together_words, total_words
from workbench.session.known_total import known_total
from workbench.session.query_answers import PaidAnswer

_ASKED = QueryDraft("histogram", "0.3", {"column": "way", "keys": "bus, car", "other": True, "post": "consistent"})
_WAYS = ("bus", "car", "car", "boat", "")


@pytest.fixture
def session(tmp_path: Path) -> Session:
    path = tmp_path / "ways.csv"
    path.write_text("way,zone\n" + "".join(f"{_WAYS[i % 5]},{i % 3}\n" for i in range(900)), encoding="utf-8")
    found = Session(new_project())
    found.data.open(path)
    found.data.set_unit(PrivacyUnit())
    return found


def _say_known(session: Session, known: bool = True) -> None:
    anonymise = session.project.anonymise
    session.state.change(anonymise=replace(anonymise, trim=replace(anonymise.trim, number_known=known)))


def _asked(session: Session, **more: object) -> PaidAnswer:
    return session.queries.ask(replace(_ASKED, **more))


def test_shares_are_of_the_number_that_is_known_and_their_intervals_hold(session: Session) -> None:
    answer = _asked(session)
    released, question = answer.released, answer.question
    assert known_total(session.state, answer) == 0 and "shares are of that" in total_words(released, question)
    _say_known(session)
    known = known_total(session.state, answer)
    assert known == 900
    low, high = released.interval
    ends = share_ends(released, question, known)
    assert ends is not None
    # 900 rows, of which a fifth has no value and is in no cell: still each share is that of its count.
    for place in range(3):
        assert ends[0][place] == pytest.approx(low[place] / 9) and ends[1][place] == pytest.approx(high[place] / 9)
        share, margin = (float(one) for one in re.findall(r"[0-9.]+", shares_of(released, question, known)[place]))
        assert share == pytest.approx(released.value[place] / 9, abs=0.06)
        assert share - margin <= ends[0][place] + 1e-9 and ends[1][place] <= share + margin + 1e-9
    total = sum(released.value)
    words = f"Shares are of all 900 rows, whose number is known; the counts with noise add up to {total:g}."
    assert total_words(released, question, known) == words
    assert "whose number is known" not in as_csv(answer), "counts alone, which promise more, leave without it"
    counts, points = (
        float(together_words(released, question, some).rpartition("± ")[2].removesuffix(" points"))
        for some in (0, known)
    )
    assert points == pytest.approx(counts / 9, rel=0.01) and points * 9 >= counts * 0.995
    chart = shares_chart(answer, known)
    assert (
        chart is not None and chart.y == "Share of all 900 rows, %" and chart.values.sum() == pytest.approx(total / 9)
    )
    assert shares_headline(released, question, answer.names, known)[1].endswith("with 95 %")
    assert re.search(r", all 3 at once ± [0-9.]+ points\. ", caption(answer, "made", shares=True, known=known))


def test_no_share_is_more_than_all_there_are(session: Session) -> None:
    answer = _asked(session)
    more = replace(answer.released, value=[2000, 10, 0], interval=([1900, 0, 0], [2100, 20, 10]))
    assert shares_of(more, answer.question, 900)[0].startswith("100")
    ends = share_ends(more, answer.question, 900)
    assert ends is not None and ends[1][0] == 100.0


def test_of_some_rows_of_several_of_a_person_or_of_another_table_no_number_is_known(
    session: Session, tmp_path: Path
) -> None:
    _say_known(session)
    whole, some = _asked(session), _asked(session, where="zone = 1")
    assert known_total(session.state, whole) == 900 and known_total(session.state, some) == 0
    session.data.set_unit(PrivacyUnit(2))
    assert known_total(session.state, _asked(session)) == 0, "several rows of a person"
    assert known_total(session.state, whole) == 0, "who is protected was said otherwise"
    session.data.set_unit(PrivacyUnit())
    session.state.change(preparation=Preparation(where="zone = 1"))
    assert known_total(session.state, _asked(session)) == 0
    session.state.change(preparation=Preparation())
    other = tmp_path / "other.csv"
    other.write_text("way,zone\nbus,1\ncar,2\n", encoding="utf-8")
    session.data.open(other)
    session.data.set_unit(PrivacyUnit())
    assert known_total(session.state, whole) == 0, "another table"
    _say_known(session, known=False)
