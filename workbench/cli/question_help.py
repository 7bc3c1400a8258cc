"""Help about one question of `workbench query`: what it answers, and the flags that are for it."""

from __future__ import annotations

import argparse
import textwrap

from workbench.core.params import ParamSpec, ParamType
from workbench.query.catalogue import QUERIES, QueryKind

_WIDTH = 100


def narrower(options: argparse.Namespace) -> str:
    """The help of the question that was typed before `--help`, as `query mean --help` does; "" without one."""
    for typed in (getattr(options, "kind", None), getattr(options, "file", None)):
        name = str(typed or "")
        if name in QUERIES:
            return question_help(QUERIES[name])
    return ""


def question_help(kind: QueryKind) -> str:
    """The help on one question: what it answers, and its flags."""
    lines = [f"usage: workbench query FILE --query {kind.identifier}{' --epsilon E' if kind.needs_epsilon else ''} …"]
    lines += ["", *textwrap.wrap(f"{kind.title}. {kind.summary}", _WIDTH), "", "what it needs to know:"]
    for spec in kind.parameters:
        lines += [f"  {_flag(spec)}", *textwrap.wrap(_said(spec), _WIDTH, initial_indent="      ",
                                                     subsequent_indent="      ")]  # fmt: skip
    if not kind.parameters:
        lines.append("  nothing more")
    if {"lower", "upper"} <= {spec.name for spec in kind.parameters}:
        lines.append("  --bounds L,U says --lower and --upper together.")
    lines += ["", "workbench query --help lists what is said beside the question."]
    return "\n".join(lines) + "\n"


def _flag(spec: ParamSpec) -> str:
    flag = f"--{spec.name.replace('_', '-')}"
    if spec.type is ParamType.SWITCH:
        return flag
    if spec.type is ParamType.CHOICE:
        return f"{flag} {'|'.join(str(value) for value, _ in spec.choices)}"
    return f"{flag} {'COL' if spec.type is ParamType.COLUMN else 'X'}"


def _said(spec: ParamSpec) -> str:
    text = spec.help or spec.title
    if spec.default is None and not spec.optional:
        return f"{text} Needed."
    usual = "" if spec.default in (None, False) else str(spec.default)
    return f"{text} (default: {usual})" if usual else text
