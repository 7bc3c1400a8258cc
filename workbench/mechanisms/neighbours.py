"""Neighbours of a privacy promise: the inputs that must look alike."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.exact import fraction_text, nearest_float, parse_fraction
from workbench.mechanisms.channel import Channel

Pairs = NDArray[np.intp]
"""Unordered pairs of row numbers, shape (pairs, 2), the smaller first."""


class Relation(StrEnum):
    """The relation that makes two inputs neighbours."""

    OWN = "own"
    """As the mechanism itself declares."""
    ALL = "all"
    WITHIN = "within"
    GRAPH = "graph"


@dataclass(frozen=True)
class Neighbours:
    """A symmetric relation between inputs.

    Parameters
    ----------
    relation
        Which kind.
    distance
        For `WITHIN`, the largest |x − x′|: between the data of inputs whose public parts are equal, where the
        mechanism says which is which; between the names of the inputs if all are numbers; else between their places
        in the list.
    edges
        For `GRAPH`, pairs of names.
    """

    relation: Relation = Relation.ALL
    distance: Fraction = Fraction(1)
    edges: tuple[tuple[str, str], ...] = ()

    def pairs(self, channel: Channel) -> Pairs:
        """The neighbouring rows of a channel.

        Raises
        ------
        WorkbenchError
            If a name of the graph is no input, or nobody has a neighbour.
        """
        count = len(channel.inputs)
        if self.relation is Relation.GRAPH:
            found = self._graph(channel)
        else:
            first, second = np.triu_indices(count, k=1)
            if self.relation is Relation.WITHIN:
                near = channel.places.apart(first, second) <= nearest_float(self.distance) * (1 + 1e-12)
                first, second = first[near], second[near]
            found = np.stack([first, second], axis=1)
        if not len(found):
            raise WorkbenchError(
                "No two inputs are neighbours, so there is nothing to compare.",
                hint="Allow a larger distance, compare all inputs, or add pairs to the graph.",
                field="neighbours",
            )
        return found

    def _graph(self, channel: Channel) -> Pairs:
        found = set()
        for one, other in self.edges:
            a, b = channel.input_index(one, field="neighbours"), channel.input_index(other, field="neighbours")
            if a != b:
                found.add((min(a, b), max(a, b)))
        return np.array(sorted(found), dtype=np.intp).reshape(-1, 2)

    @property
    def text(self) -> str:
        """The neighbours in words."""
        if self.relation is Relation.WITHIN:
            return f"|x − x′| ≤ {fraction_text(self.distance)}"
        if self.relation is Relation.GRAPH:
            return f"{len(self.edges):,} pairs of a graph"
        return "all pairs" if self.relation is Relation.ALL else "as the mechanism declares"

    def text_for(self, channel: Channel) -> str:
        """In words, with what the distance is between."""
        words = channel.places.words if self.relation is Relation.WITHIN else ""
        return f"{self.text} {words}".strip()


ALL = Neighbours()
ADJACENT = Neighbours(Relation.WITHIN)
OWN = Neighbours(Relation.OWN)


def parse_neighbours(text: str) -> Neighbours:
    """Read `own`, `all`, `adjacent`, a distance such as `2`, or a graph as `a - b; b - c`.

    Raises
    ------
    WorkbenchError
        If the text is none of these.
    """
    plain = text.strip()
    word = plain.lower()
    if word in ("", Relation.OWN):
        return OWN
    if word in ("all", "adjacent"):
        return ALL if word == "all" else ADJACENT
    if word.startswith(("within ", "adjacent=")) or word.replace(".", "", 1).replace("/", "", 1).isdigit():
        distance = parse_fraction(plain.replace("=", " ").split(" ")[-1], field="neighbours")
        if distance <= 0:
            raise _unreadable(plain)
        return Neighbours(Relation.WITHIN, distance)
    lines = [line for line in (plain if "\n" in plain else plain.replace(";", "\n")).splitlines() if line.strip()]
    edges = []
    for line in lines:
        sign = next((sign for sign in ("\t", " - ", ",", "–", "-") if sign in line), None)
        if sign is None:
            raise _unreadable(line.strip())
        one, other = (part.strip() for part in line.split(sign, 1))
        if not one or not other:
            raise _unreadable(line.strip())
        edges.append((one, other))
    return graph(edges)


def read_graph(path: Path) -> Neighbours:
    """Read a graph from a CSV with two columns, one pair of inputs per line.

    Raises
    ------
    WorkbenchError
        If the file cannot be read or a line has not two names.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise WorkbenchError(
            f"The graph {path.name} cannot be read: {error}.",
            hint="Give all, adjacent, or the name of a CSV with two inputs per line.",
            field="neighbours",
        ) from error
    edges = []
    try:
        rows = list(csv.reader(io.StringIO(text, newline="")))
    except csv.Error as error:
        raise _unreadable(path.name) from error
    for number, row in enumerate(rows, start=1):
        cells = [cell.strip() for cell in row]
        if not any(cells):
            continue
        if len(cells) != 2 or not all(cells):
            raise WorkbenchError(
                f"Line {number} of {path.name} does not hold two inputs.",
                hint="Write one pair of neighbours per line, parted by a comma.",
                field="neighbours",
            )
        edges.append((cells[0], cells[1]))
    return graph(edges)


def graph(edges: Iterable[tuple[str, str]]) -> Neighbours:
    """The relation of these pairs."""
    return Neighbours(Relation.GRAPH, edges=tuple(edges))


def _unreadable(text: str) -> WorkbenchError:
    return WorkbenchError(
        f"“{text[:40]}” says nothing about neighbours.",
        hint="Write all, adjacent, a distance such as 2, or pairs of inputs such as a - b; b - c.",
        field="neighbours",
    )
