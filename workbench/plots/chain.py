"""A mechanism as a Markov chain: states, labels and the probabilities of the steps between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from workbench.core.number_text import estimate, file_text
from workbench.plots.style import AxesChart, ChartStyle, fresh_axes, label_look, lay_out, readable
from workbench.plots.ticks import csv_cell, shortened

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MOST_OUTPUTS = 13
_MOST_QUERIES = 5
_LETTERS = 18
_SIGNS = 11
_CORNER = 1.1
"""Heights of a state that are left free above the highest one."""


class StatePart(StrEnum):
    """The part that a state stands for; it decides the colour."""

    FIRST = "first"
    SECOND = "second"
    OUTPUT = "output"
    STEP = "step"
    STOP = "stop"


@dataclass(frozen=True)
class State:
    """A state at a place of the drawing, both coordinates in 0 … 1, y downwards."""

    x: float
    y: float
    label: str
    part: StatePart


@dataclass(frozen=True)
class ChainStep:
    """From one state to another, by their positions in the list; `text` is the probability without a rounding.

    `where` is the place of the text along the arrow, `above` whether it stands over it instead of on it.
    """

    start: int
    end: int
    probability: float
    text: str
    part: StatePart
    where: float = 0.5
    above: bool = False


@dataclass(frozen=True)
class Chain:
    """The states and steps of a Markov chain, ready to be drawn.

    Parameters
    ----------
    title
        What it is, in a few words.
    states, steps
        The states, and the steps between them.
    """

    title: str
    states: tuple[State, ...]
    steps: tuple[ChainStep, ...]


def of_channel(
    names: tuple[str, str],
    outputs: Sequence[str],
    table: NDArray[np.float64],
    text: Callable[[int, int], str],
) -> Chain:
    """Two inputs of a channel and the outputs they lead to; of many outputs, the likeliest.

    Parameters
    ----------
    names
        The two inputs.
    outputs
        Names of the outputs.
    table
        Their probabilities, float64 of shape (2, outputs).
    text
        Gives the probability of (input, output) without a rounding.
    """
    chosen = np.arange(len(outputs))
    if len(outputs) > _MOST_OUTPUTS:
        chosen = np.sort(np.argsort(-table.max(axis=0), kind="stable")[: _MOST_OUTPUTS - 1])
    places = [*chosen.tolist()]
    rest = len(outputs) - len(places)
    shown = [outputs[place] for place in places] + ([f"{rest:,} others"] if rest else [])
    states = [
        State(0.0, y, name, part)
        for name, y, part in zip(names, (0.3, 0.7), (StatePart.FIRST, StatePart.SECOND), strict=True)
    ]
    last = max(len(shown) - 1, 1)
    states += [
        State(1.0, row / last if len(shown) > 1 else 0.5, name, StatePart.OUTPUT) for row, name in enumerate(shown)
    ]
    steps = []
    for row, (part, where) in enumerate(((StatePart.FIRST, 0.58), (StatePart.SECOND, 0.8))):
        for position, place in enumerate(places):
            value = float(table[row, place])
            if value > 0:
                steps.append(ChainStep(row, 2 + position, value, shortest(text(row, place), value), part, where))
        if rest:
            value = max(1.0 - float(table[row, places].sum()), 0.0)
            steps.append(ChainStep(row, 2 + len(places), value, estimate(value, 3), part, where))
    return Chain("From an input to an output", tuple(states), tuple(steps))


def of_stops(stops: Sequence[tuple[float, str]], never: tuple[float, str], answers: Sequence[str]) -> Chain:
    """Above-threshold for one stream: asking on, or stopping at a query.

    Parameters
    ----------
    stops
        For every query the probability that the chain stops there, and the same as text.
    never
        The probability that it does not stop.
    answers
        The true answers.
    """
    kept = list(range(len(stops))) if len(stops) <= _MOST_QUERIES else list(range(_MOST_QUERIES - 1))
    columns = len(kept) + 1 + (len(kept) < len(stops))
    states, steps = [], []
    left = 1.0
    for column, place in enumerate(kept):
        value, text = stops[place]
        states.append(
            State(column / (columns - 1), 0.12, f"query {place + 1}\nanswer {answers[place]}", StatePart.STEP)
        )
        states.append(State(column / (columns - 1), 0.88, f"⊤ at {place + 1}\n{shortest(text, value)}", StatePart.STOP))
        stop = value / left if left > 0 else 0.0
        steps.append(ChainStep(2 * column, 2 * column + 1, stop, f"⊤ {estimate(stop, 2)}", StatePart.STOP))
        left -= value
        steps.append(
            ChainStep(2 * column, 2 * column + 2, 1 - stop, f"⊥ {estimate(1 - stop, 2)}", StatePart.STEP, above=True)
        )
    if len(kept) < len(stops):
        rest = sum(value for value, _ in stops[len(kept) :])
        x = (columns - 2) / (columns - 1)
        states.append(State(x, 0.12, f"{len(stops) - len(kept):,} more", StatePart.STEP))
        states.append(State(x, 0.88, f"⊤ later\n≈ {estimate(rest, 3)}", StatePart.STOP))
        stop = rest / left if left > 0 else 0.0
        steps.append(ChainStep(len(states) - 2, len(states) - 1, stop, f"⊤ {estimate(stop, 2)}", StatePart.STOP))
        steps.append(
            ChainStep(len(states) - 2, len(states), 1 - stop, f"⊥ {estimate(1 - stop, 2)}", StatePart.STEP, above=True)
        )
    states.append(State(1.0, 0.12, f"never ⊤\n{shortest(never[1], never[0])}", StatePart.OUTPUT))
    return Chain("Asking until the first ⊤", tuple(states), tuple(steps))


def shortest(text: str, value: float) -> str:
    """The exact text, or a decimal where that is too long for a drawing."""
    return text if len(text) <= _SIGNS else f"≈ {estimate(value, 3)}"


class ChainChart(AxesChart[Chain]):
    def update(self, data: Chain) -> None:
        self.data = data
        axes, style = self.axes, self.style
        for artist in [*axes.texts, *axes.patches]:
            artist.remove()
        look = label_look(style)
        colours = {
            StatePart.FIRST: style.global_dp,
            StatePart.SECOND: style.local_dp,
            StatePart.OUTPUT: style.text,
            StatePart.STEP: style.global_dp,
            StatePart.STOP: style.local_dp,
        }
        self.boxes = [
            axes.text(
                state.x, 1 - state.y, "\n".join(shortened(line, _LETTERS) for line in state.label.split("\n")),
                ha="center", va="center", color=style.text, zorder=4,
                bbox={"boxstyle": "round,pad=0.45", "facecolor": style.ground, "edgecolor": colours[state.part],
                      "linewidth": 1.6},
                fontsize=look["fontsize"], fontfamily=look["fontfamily"],
            )
            for state in data.states
        ]  # fmt: skip
        self.arrows = []
        for step in data.steps:
            a, b = data.states[step.start], data.states[step.end]
            self.arrows.append(
                axes.annotate(
                    "",
                    (b.x, 1 - b.y),
                    (a.x, 1 - a.y),
                    arrowprops={
                        "arrowstyle": "-|>",
                        "color": colours[step.part],
                        "linewidth": 0.7 + 3.5 * step.probability,
                        "alpha": 0.35 + 0.5 * step.probability,
                        "mutation_scale": 9,
                        "shrinkA": 0,
                        "shrinkB": 0,
                        "patchA": self.boxes[step.start].get_bbox_patch(),
                        "patchB": self.boxes[step.end].get_bbox_patch(),
                    },
                    zorder=2,
                    annotation_clip=False,
                )
            )
            x = a.x + (b.x - a.x) * step.where
            y = a.y + (b.y - a.y) * step.where
            axes.annotate(
                step.text, (x, 1 - y), (0, 2.3 * style.small_points if step.above else 0), textcoords="offset points",
                ha="center", va="center", color=readable(colours[step.part], style), zorder=3,
                bbox={"boxstyle": "round,pad=0.1", "facecolor": style.ground, "edgecolor": "none", "alpha": 0.85},
                **look,
            )  # fmt: skip

    def arrange(self) -> None:
        """Give the states at the edges as much room as their names need."""
        axes = self.axes
        axes.set_xlim(0, 1)
        axes.set_ylim(0, 1)
        lay_out(axes)
        room = axes.get_window_extent()
        boxes = [
            patch.get_window_extent() for patch in (box.get_bbox_patch() for box in self.boxes) if patch is not None
        ]
        edge = max((box.width for box in boxes), default=0) / 2 + 6
        side = edge / max(room.width - 2 * edge, 1)
        tall = (max((box.height for box in boxes), default=0) / 2 + 4) / max(room.height, 1)
        axes.set_xlim(-side, 1 + side)
        # In the window a button stands in the corner, over which no state may lie.
        corner = _CORNER * max((box.height for box in boxes), default=0) / max(room.height, 1)
        axes.set_ylim(-tall, 1 + tall + corner)
        lay_out(axes)


def build(figure: Figure, data: Chain, style: ChartStyle) -> ChainChart:
    axes = fresh_axes(figure, style)
    axes.set_axis_off()
    return ChainChart(axes, style).showing(data)


def describe(data: Chain) -> str:
    names = [state.label.replace("\n", " ") for state in data.states]
    parts = [f"{names[step.start]} to {names[step.end]} {step.text}" for step in data.steps[:24]]
    return f"{data.title}: {'; '.join(parts)}."


def rows(data: Chain) -> list[tuple[str, ...]]:
    """The steps, the heading first."""
    names = [csv_cell(state.label.replace("\n", " ")) for state in data.states]
    table: list[tuple[str, ...]] = [("from", "to", "probability", "exact")]
    for step in data.steps:
        table.append((names[step.start], names[step.end], file_text(step.probability), csv_cell(step.text)))
    return table
