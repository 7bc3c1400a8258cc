"""Occupations by unary encoding, and the two-coin question about one of them."""

from __future__ import annotations

from types import MappingProxyType

from workbench.evaluate.preset import SEED, Preset
from workbench.evaluate.presets.randomised_response import ANSWER
from workbench.evaluate.published import examples
from workbench.evaluate.samples import Needs

PLUGIN = Preset(
    "occupations",
    "Occupations, and one question with two coins",
    "Every person sends one bit per occupation, flipped with probability ¼ (ε = ln 9); and a yes-or-no question about "
    "one of them with two coins (ε = ln 3).",
    "Frequent occupations come out well, rare ones drown in noise that is the same for all of them.",
    "Without a column of your own the counts are those that the chapter prints. One of its estimates is below zero; "
    "mended, all are made a possible distribution by Norm-Sub. Which occupations there are is taken to be public.",
    "J. P. Near, C. Abuah: Programming Differential Privacy; Ú. Erlingsson, V. Pihur, A. Korolova: RAPPOR, 2014; T. "
    "Wang et al., 2017.",
    Needs.VALUES,
    None,
    (ANSWER, SEED),
    MappingProxyType({"answer": "Sales"}),
    0,
    figures=(examples.CHAPTER_UNARY, examples.CHAPTER_COINS),
)
