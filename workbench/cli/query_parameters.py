"""The parameters of questions as flags of `workbench query`: declared, read, and refused where they say nothing."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.core.params import ParamSpec, ParamType
from workbench.core.schema import Schema
from workbench.query import relevance
from workbench.query.catalogue import QUERIES, QueryDraft, QueryKind

_DEST = "parameter_"


def declare(parser: argparse.ArgumentParser) -> None:
    """The flags of all parameters of the program's own questions, and `--param` for those of others."""
    own = parser.add_argument_group("parameters of the question")
    own.add_argument(
        "--bounds", metavar="L,U", help="--lower and --upper together; write --bounds=-5,5 if L is negative"
    )
    own.add_argument(
        "--param",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="any parameter of the question by its name; the only way to give one that only a plug-in has",
    )
    for spec in _flagged().values():
        _add(own, spec)
    for old in relevance.TYPED:  # as it was once called
        own.add_argument(f"--{old}", dest=f"{_DEST}{old}", help=argparse.SUPPRESS)


def given(options: argparse.Namespace, kind: QueryKind) -> dict[str, Any]:
    """The parameters that were typed, by name.

    Raises
    ------
    WorkbenchError
        If one is given twice, or not understood.
    """
    kept = {typed: name for name, typed in relevance.TYPED.items() if any(name == one.name for one in kind.parameters)}
    values: dict[str, Any] = {}
    for typed in _names():
        if (given := getattr(options, f"{_DEST}{typed}")) is not None:
            name = kept.get(typed, typed)
            if name in values:
                raise WorkbenchError(f"“{name}” is given twice, by two flags.", hint="Give it once.", field=name)
            values[name] = "\n".join(given) if isinstance(given, list) else given
    for typed, text in _named(options.param, kind).items():
        name = kept.get(typed, typed)
        if name in values:
            raise WorkbenchError(
                f"“{name}” is given twice, by its flag and by --param.", hint="Give it once.", field=name
            )
        values[name] = text
    if options.bounds is not None:
        lower, comma, upper = options.bounds.partition(",")
        if not comma or {"lower", "upper"} & set(values):
            raise WorkbenchError(
                "--bounds needs a lower and an upper bound, and stands alone.",
                hint="Write --bounds 0,100.",
                field="bounds",
            )
        values |= {"lower": lower, "upper": upper}
    return values


def typed(options: argparse.Namespace) -> list[str]:
    """The parameters that were typed, whichever question they are for."""
    own = [name for name in _names() if getattr(options, f"{_DEST}{name}") is not None]
    return own + [name for name in ("param", "bounds") if getattr(options, name)]


def refuse_pointless(draft: QueryDraft, schema: Schema, name: str, *, bounds: bool) -> None:
    """Refuse a parameter that was typed and says nothing about the question: somebody meant something by it.

    Parameters
    ----------
    bounds
        Whether both bounds were given by one flag.

    Raises
    ------
    WorkbenchError
        If it says nothing; the questions it is for are named.
    """
    fitting = relevance.questions_with(name)
    if relevance.applies(draft, schema, name) or not fitting:
        return
    flag = "--bounds" if bounds and name in ("lower", "upper") else f"--{name.replace('_', '-')}"
    if draft.kind not in fitting:
        raise WorkbenchError(
            f"“{draft.kind}” has no parameter “{name}”: {flag} does not apply to it.",
            hint=f"It is for {', '.join(fitting)}.",
            field=name,
        )
    raise WorkbenchError(
        f"{flag} says nothing here: {_what_is_asked(draft, schema)}.",
        hint=f"Leave it out. It is for {', '.join(fitting)}, where the other parameters leave something to be said.",
        field=name,
    )


def _what_is_asked(draft: QueryDraft, schema: Schema) -> str:
    """A question and the kinds of its columns."""
    columns = [relevance.column_of(draft, schema, prefix) for prefix in relevance.PREFIXES]
    kinds = [f"“{one.name}” is a column of kind {one.kind.value}" for one in columns if one is not None]
    statistic = relevance.value_of(draft, "statistic")
    counted = [f"the statistic is {statistic}"] if statistic else []
    return ", and ".join((f"the question is {draft.kind}", *counted, *kinds))


def _names() -> list[str]:
    """The names under which a parameter may have been typed."""
    return [*_flagged(), *relevance.TYPED]


def _flagged() -> dict[str, ParamSpec]:
    """Every parameter of the program's own questions by the name of its flag. Plug-ins add none.

    Where the same parameter says different things for different questions, its help and its choices are those of all.
    """
    found: dict[str, ParamSpec] = {}
    said: dict[str, dict[str, list[str]]] = {}
    choices: dict[str, dict[str, str]] = {}
    for kind in QUERIES.own:
        for spec in kind.parameters:
            name = relevance.TYPED.get(spec.name, spec.name)
            found[name] = replace(spec, name=name)
            said.setdefault(name, {}).setdefault(spec.help, []).append(kind.identifier)
            choices.setdefault(name, {}).update(spec.choices)
    return {
        name: replace(spec, help=_all_help(said[name]), choices=tuple(choices[name].items()))
        for name, spec in found.items()
    }


def _all_help(said: dict[str, list[str]]) -> str:
    """The help that most questions have, then those of the others, by name."""
    usual, *others = sorted(said, key=lambda text: -len(said[text]))
    return " ".join((usual, *(f"For {' and '.join(said[text])}: {text}" for text in others)))


def _add(group: Any, spec: ParamSpec) -> None:
    flag, dest = f"--{spec.name.replace('_', '-')}", f"{_DEST}{spec.name}"
    text = spec.help.replace("%", "%%")
    if spec.type is ParamType.SWITCH:
        group.add_argument(flag, dest=dest, action="store_const", const=True, help=text)
    elif spec.type is ParamType.LINES:
        group.add_argument(flag, dest=dest, action="append", metavar="LINE", help=f"{text} May be given several times.")
    elif spec.type is ParamType.CHOICE:
        # The same parameter may have fewer choices for another question, which says so itself.
        group.add_argument(flag, dest=dest, metavar="|".join(value for value, _ in spec.choices), help=text)
    else:
        metavar = "COL" if spec.type is ParamType.COLUMN else "X"
        group.add_argument(flag, dest=dest, metavar=metavar, help=text)


def _named(pairs: Iterable[str], kind: QueryKind) -> dict[str, str]:
    """Parameters as `--param NAME=VALUE` gives them; the lines of one that has several are given one by one."""
    several = {spec.name for spec in kind.parameters if spec.type is ParamType.LINES}
    found: dict[str, str] = {}
    for pair in pairs:
        name, sign, text = pair.partition("=")
        name = name.strip().replace("-", "_")
        if not sign or not name:
            raise WorkbenchError(f"--param {pair} names no parameter.", hint="Write --param NAME=VALUE.", field="param")
        if name in found and name not in several:
            raise WorkbenchError(f"“{name}” is given twice.", hint="Give it once.", field=name)
        found[name] = f"{found[name]}\n{text}" if name in found else text
    return found
