"""Channels: what is one, how it is read and written."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from workbench.core.errors import WorkbenchError
from workbench.mechanisms import channel_text
from workbench.mechanisms.channel import Channel
from workbench.mechanisms.channel_text import (
    for_spreadsheet,
    latex_table,
    parse_channel,
    read_channel,
    to_csv,
    to_latex,
    write_channel,
)
from workbench.mechanisms.neighbours import ADJACENT, Neighbours, Relation, parse_neighbours, read_graph

F = Fraction
WARNER = [[F(3, 4), F(1, 4)], [F(1, 4), F(3, 4)]]


def warner() -> Channel:
    return Channel.of_fractions(["yes", "no"], ["yes", "no"], WARNER)


class TestMaking:
    def test_floats_follow_the_fractions(self) -> None:
        np.testing.assert_array_equal(warner().floats, [[0.75, 0.25], [0.25, 0.75]])
        with pytest.raises(ValueError, match="read-only"):
            warner().floats[0, 0] = 1

    @pytest.mark.parametrize(
        ("inputs", "outputs", "rows", "word"),
        [
            (["a"], ["x", "y"], [[F(1, 2), F(1, 3)]], "5/6"),
            (["a"], ["x", "y"], [[F(3, 2), F(-1, 2)]], "-1/2"),
            (["a"], ["x", "y"], [[F(1)]], "1 probabilities"),
            (["a", "a"], ["x"], [[F(1)], [F(1)]], "“a”"),
            (["a"], ["x", "x"], [[F(1), F(0)]], "“x”"),
            ([], ["x"], [], "at least one input"),
            (["a", "b"], ["x"], [[F(1)]], "2 inputs"),
        ],
    )
    def test_what_is_no_channel_is_refused(
        self, inputs: list[str], outputs: list[str], rows: list[list[Fraction]], word: str
    ) -> None:
        with pytest.raises(WorkbenchError, match=word):
            Channel.of_fractions(inputs, outputs, rows)

    @pytest.mark.parametrize("row", [[0.5, 0.4], [float("nan"), 1.0], [1.5, -0.5], [np.inf, 0.0], [1.0]])
    def test_floats_are_checked_too(self, row: list[float]) -> None:
        with pytest.raises(WorkbenchError):
            Channel.of_floats(["a"], ["x", "y"], [row])

    def test_floats_may_miss_one_by_a_rounding(self) -> None:
        Channel.of_floats(["a"], ["x", "y", "z"], [[0.1, 0.2, 0.7000000000000001]])

    def test_whole_numbers_share_one_denominator(self) -> None:
        channel = Channel.of_fractions(["a"], ["x", "y", "z"], [[F(1, 2), F(1, 3), F(1, 6)]])
        assert channel.whole == (6, ((3, 2, 1),))


class TestReading:
    @pytest.mark.parametrize(
        "text",
        [
            ",yes,no\nyes,3/4,1/4\nno,1/4,3/4\n",
            "yes;no\nyes;0.75;0.25\nno;1/4;3/4",
            "\n\tyes\tno\nyes\t3/4\t1/4\n\nno\t.25\t.75\n",
            "yes no\nyes 3/4 1/4\nno 1/4 3/4",
            'x,yes,no\n"yes",3/4, 1/4\nno,25e-2,75e-2',
        ],
    )
    def test_many_ways_of_writing_are_one_channel(self, text: str) -> None:
        found = parse_channel(text)
        assert found.exact == warner().exact
        assert (found.inputs, found.outputs) == (warner().inputs, warner().outputs)

    @pytest.mark.parametrize("text", ["3/4,1/4\n1/4,3/4", "0.75 0.25\n\n0.25 0.75\n", "3/4;.25\n.25;3/4"])
    def test_a_table_of_probabilities_alone_has_numbers_for_names(self, text: str) -> None:
        found = parse_channel(text)
        assert found.exact == warner().exact
        assert (found.inputs, found.outputs) == (("1", "2"), ("1", "2"))

    def test_no_row_and_no_column_of_probabilities_becomes_names(self) -> None:
        found = parse_channel("1/2,1/4,1/4\n0,1/2,1/2")
        assert found.exact == ((F(1, 2), F(1, 4), F(1, 4)), (F(0), F(1, 2), F(1, 2)))
        assert parse_channel("1,0,0\n0,1,0\n0,0,1").inputs == ("1", "2", "3")
        assert parse_channel("0.3333333333 0.3333333333 0.3333333334\n0.1 0.2 0.69999999999").floats.shape == (2, 3)

    @pytest.mark.parametrize("text", ["1/4,1/2,1/4\n0,1/2,1/2", "0 0 1\n0 .5 .5"])
    def test_what_reads_with_names_and_without_is_asked_about(self, text: str) -> None:
        with pytest.raises(WorkbenchError, match="names of outputs or probabilities") as refused:
            parse_channel(text)
        assert "a line of outputs before it" in refused.value.hint

    @pytest.mark.parametrize(
        "text", [",0,1\n0,1/2,1/2\n1,0,1", "0 1\n0 1/2 1/2\n1 0 1", "x,0,1\n0,.5,.5", ",0,1\n0,.5,.5"]
    )
    def test_names_that_are_numbers_are_names(self, text: str) -> None:
        assert parse_channel(text).outputs == ("0", "1")

    def test_rounded_numbers_make_a_channel_in_floating_point(self) -> None:
        found = parse_channel("a b c\nx 0.3333333333 0.3333333333 0.3333333334\ny 0.1 0.2 0.69999999999")
        assert found.exact is None

    @pytest.mark.parametrize(
        "text", ["", "a b", "a b c\nx 1", "a b\nx 1/2 1/3", "a b\nx one 0", "a b\nx 1 0 0", "a b\nx 2 -1", "a a\nx 1 0"]
    )
    def test_what_is_no_channel_is_refused(self, text: str) -> None:
        with pytest.raises(WorkbenchError) as refused:
            parse_channel(text)
        assert refused.value.hint

    @pytest.mark.parametrize("rows", ["x 1e-4000 1\ny 1e-3999 1", "x 1e-323 1\ny 14e-324 1", "x 1e-301 1\ny 0 1"])
    @pytest.mark.parametrize("most_exact", [250_000, 0])
    def test_what_is_possible_never_becomes_impossible(
        self, rows: str, most_exact: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """As floats these rows would be the same, or much nearer to each other than they are."""
        monkeypatch.setattr(channel_text, "_EXACT_CELLS", most_exact)
        with pytest.raises(WorkbenchError, match="too small a number"):
            parse_channel(f"a b\n{rows}")
        assert parse_channel("a b\nx 0 1.0\ny 0.0 1").floats.tolist() == [[0, 1], [0, 1]]

    def test_round_trip(self, tmp_path: Path) -> None:
        path = tmp_path / "channel.csv"
        names = ["a, b", 'c "d"', "e"]
        first = Channel.of_fractions(names, ["0", "1"], [[F(1, 3), F(2, 3)], [F(0), F(1)], [F(5, 7), F(2, 7)]])
        write_channel(first, path)
        again = read_channel(path)
        assert again.exact == first.exact and again.inputs == first.inputs
        floats = Channel.of_floats(["a"], ["x", "y"], [[0.1 + 0.2, 0.7 - 1e-16]])
        np.testing.assert_array_equal(parse_channel(to_csv(floats)).floats, floats.floats)

    def test_missing_file(self, tmp_path: Path) -> None:
        with pytest.raises(WorkbenchError, match=r"gone\.csv"):
            read_channel(tmp_path / "gone.csv")

    def test_latex(self) -> None:
        text = to_latex(Channel.of_fractions(["50 %", "2"], ["≤ -1", "a_b"], [[F(1, 3), F(2, 3)], [F(0), F(1)]]))
        assert r"\frac{1}{3} & \frac{2}{3} \\" in text
        assert r"50 \%" in text and r"a\_b" in text and r"\le" in text
        assert text.count("{") == text.count("}")

    @pytest.mark.parametrize(
        ("said", "set_so"),
        [
            ("ε = ln(18/5) ≈ 1.281; each", r"$\varepsilon = \ln(18/5) \approx 1.281$; each"),
            ("Is ε at most ln 3, δ = 1/2?", r"Is $\varepsilon$ at most $\ln 3$, $\delta = 1/2$?"),
            ("ε ≈ 1,281, at $ 3 = $ 4", r"$\varepsilon \approx$ 1,281, at \$ 3 = \$ 4"),
        ],
    )
    def test_what_is_one_formula_in_a_caption_is_set_as_one(self, said: str, set_so: str) -> None:
        channel = Channel.of_fractions(["a", "b"], ["x", "y"], [[F(1, 3), F(2, 3)], [F(1, 2), F(1, 2)]])
        assert rf"\caption{{{set_so}}}" in latex_table(channel, said, "a")

    def test_a_latex_table_has_a_caption_and_a_label(self) -> None:
        channel = Channel.of_fractions(["0", "1"], ["a", "b"], [[F(1, 3), F(2, 3)], [F(2, 3), F(1, 3)]])
        text = latex_table(channel, "50 % of a_b, ε ≤ 1.\nIs δ 0 ≈ “x”?", "My matrix")
        assert text.startswith("\\begin{table}\n") and text.endswith("\\end{table}\n") and to_latex(channel) in text
        assert r"\caption{50 \% of a\_b, $\varepsilon \le 1$. Is $\delta$ 0 $\approx$ ``x''?}" in text
        assert r"\label{tab:my-matrix}" in text and text.isascii() and text.count("{") == text.count("}")


class TestNeighbours:
    def channel(self, names: list[str]) -> Channel:
        return Channel.of_fractions(names, ["x"], [[F(1)]] * len(names))

    def pairs(self, neighbours: Neighbours, names: list[str]) -> set[tuple[int, ...]]:
        return {tuple(pair) for pair in neighbours.pairs(self.channel(names)).tolist()}

    def test_distance_between_numbers(self) -> None:
        assert self.pairs(ADJACENT, ["0", "1", "3", "4"]) == {(0, 1), (2, 3)}
        assert self.pairs(parse_neighbours("2"), ["0", "1", "3", "4"]) == {(0, 1), (1, 2), (2, 3)}
        assert self.pairs(parse_neighbours("within 0.5"), ["0", "0.5", "2"]) == {(0, 1)}

    def test_distance_between_places(self) -> None:
        assert self.pairs(ADJACENT, ["low", "middle", "high"]) == {(0, 1), (1, 2)}

    def test_places_are_said(self) -> None:
        assert ADJACENT.text_for(self.channel(["low", "middle"])) == "|x − x′| ≤ 1 by place in the list of inputs"
        assert ADJACENT.text_for(self.channel(["0", "1"])) == ADJACENT.text == "|x − x′| ≤ 1"
        assert Neighbours().text_for(self.channel(["low", "middle"])) == "all pairs"

    def test_graph(self, tmp_path: Path) -> None:
        for text in ("a - b; c - b", "b,a\nb,c\n", "a\tb\nb\tc"):
            assert self.pairs(parse_neighbours(text), ["a", "b", "c"]) == {(0, 1), (1, 2)}
        path = tmp_path / "graph.csv"
        path.write_text('a,b\n\n"b",c\nb,a\n , \na,a\n', encoding="utf-8")
        assert self.pairs(read_graph(path), ["a", "b", "c"]) == {(0, 1), (1, 2)}

    @pytest.mark.parametrize("text", ["0", "-1", "near", "a -", "adjacent=0", "a - b - "])
    def test_nonsense_is_refused(self, text: str) -> None:
        with pytest.raises(WorkbenchError):
            self.pairs(parse_neighbours(text), ["a", "b"])

    def test_unknown_and_missing_inputs(self, tmp_path: Path) -> None:
        with pytest.raises(WorkbenchError, match="“z”"):
            self.pairs(parse_neighbours("a - z"), ["a", "b"])
        with pytest.raises(WorkbenchError, match="No two inputs"):
            self.pairs(ADJACENT, ["0", "5"])
        bad = tmp_path / "bad.csv"
        bad.write_text("a,b\nc\n", encoding="utf-8")
        with pytest.raises(WorkbenchError, match="Line 2"):
            read_graph(bad)
        bad.write_text("a,b\nc,\n", encoding="utf-8")
        with pytest.raises(WorkbenchError, match="Line 2"):
            read_graph(bad)

    def test_names_are_numbers_only_where_all_of_them_are_finite(self) -> None:
        assert self.channel(["0", "1", "inf"]).input_numbers is None
        assert self.channel(["0", "1", "x"]).input_numbers is None
        found = self.channel(["0", "1.5"]).input_numbers
        assert found is not None and found.tolist() == [0.0, 1.5]

    def test_words(self) -> None:
        assert parse_neighbours("all").relation is Relation.ALL
        assert parse_neighbours("").relation is Relation.OWN
        assert parse_neighbours("adjacent=3").distance == 3


def test_fractions_are_asked_only_of_what_is_exact() -> None:
    with pytest.raises(ValueError, match="exactly"):
        _ = Channel.of_floats(["a"], ["x", "y"], [[0.5, 0.5]]).whole


@pytest.mark.parametrize(
    ("inputs", "outputs"), [(["a", "a"], ["x"]), (["a", "b"], ["x", "x"]), ([], ["x"]), (["a"], [])]
)
def test_inputs_and_outputs_have_names_of_their_own(inputs: list[str], outputs: list[str]) -> None:
    share = 1 / max(len(outputs), 1)
    with pytest.raises(WorkbenchError):
        Channel.of_floats(inputs, outputs, np.full((len(inputs), len(outputs)), share))
    exact = [[Fraction(1, max(len(outputs), 1))] * len(outputs)] * len(inputs)
    with pytest.raises(WorkbenchError):
        Channel.of_fractions(inputs, outputs, exact)


def test_names_are_run_by_no_spreadsheet_and_are_read_again_as_they_are() -> None:
    names = ["=HYPERLINK(1)", "+b", "-x", "@y", "-1"]
    channel = Channel.of_fractions(names[:2], names[3:], WARNER)
    for written in (to_csv(channel), for_spreadsheet(channel)):
        first, *others = written.splitlines()
        assert "'@y" in first and "-1" in first and "'-1" not in first, "a number is no formula"
        assert [line[0] for line in others] == ["'", "'"]
        again = parse_channel(written)
        assert (list(again.inputs), list(again.outputs)) == (names[:2], names[3:]) and again.exact == channel.exact
