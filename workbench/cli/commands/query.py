"""`workbench query`: questions that are answered with differential privacy, and plans that cost nothing."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from workbench.cli import (
    column_options,
    column_troubles,
    ledgers,
    near_data,
    query_batches,
    query_output,
    query_parameters,
)
from workbench.cli.command_output import CommandOutput, progress, with_unread
from workbench.cli.engines import ENGINE, add_engine, engine_at_work
from workbench.cli.files import data_path, read_file
from workbench.cli.outside import data_of
from workbench.cli.parser import Parser
from workbench.cli.question_help import narrower
from workbench.cli.reading import add_reading, dialect
from workbench.core import flags
from workbench.core.amount_text import kept_text, read_amount
from workbench.core.errors import WorkbenchError
from workbench.core.json_values import listed, named, scalar
from workbench.core.progress import Progress
from workbench.core.schema import PrivacyUnit
from workbench.core.settings import declared
from workbench.core.settings_json import from_json
from workbench.engines.store import Store
from workbench.io.json_file import read_json_file
from workbench.project.model import Preparation
from workbench.project.storage import SUFFIX
from workbench.query import relevance
from workbench.query.catalogue import QUERIES, NoiseSource, QueryDraft
from workbench.session import Session
from workbench.session.query_answers import charge_for

_NOISES = tuple(noise.value for noise in NoiseSource)


def declare(parser: argparse.ArgumentParser) -> None:
    """Declare the flags; those of the questions' own parameters follow from the catalogue."""
    parser.add_argument(
        "file",
        type=data_path,
        metavar="FILE_OR_PATTERN",
        help="a file, a folder of parts, a pattern such as 'parts/*.csv', or a project that describes the data",
    )
    if isinstance(parser, Parser):
        parser.narrower = narrower
    add_engine(parser, _EngineOrNoise)
    parser.add_argument("--data-engine", dest=ENGINE, default="", help=argparse.SUPPRESS)  # the name it had
    what = parser.add_mutually_exclusive_group(required=True)
    flags.declare(what, QueryDraft, ("kind",))
    what.add_argument(
        "--batch", type=read_file, metavar="SPEC.json", help='several: {"epsilon": "1", "questions": [{"kind": …}, …]}'
    )
    parser.add_argument(
        "--batch-delta",
        metavar="D",
        help="with --batch: δ of all its questions together (default: the sum); more can make what they cost smaller",
    )
    # Two flags say what adds the noise, and an assumed number of rows says more than the usual one does.
    noise: dict[str, Any] = {"action": _Noise, "default": None}
    flags.declare(parser, QueryDraft, declared(QueryDraft).keys() - {"kind"}, {"noise": noise})
    parser.add_argument("--need", metavar="X", help="instead of --epsilon: the smallest one for an answer within ± X")
    parser.add_argument("--plan", action="store_true", help="say what to expect of the answer, and spend nothing")
    parser.add_argument(
        "--plain",
        action="store_true",
        help="of a file that was released with a statement: the answer without noise, which costs nothing",
    )
    parser.add_argument(
        "--again",
        action="store_true",
        help="ask anew and spend anew, although the ledger has an answer to the same question, which costs nothing",
    )
    # A project that describes the data says who is protected, unless this is typed.
    unsaid: dict[str, Any] = {"default": None}
    flags.declare(parser, PrivacyUnit, changes={"rows_per_person": unsaid, "person_column": unsaid})
    flags.declare(parser, Preparation, ("limit_rows",))
    parser.add_argument("--budget", metavar="E[,D]", help="set the budget of the data first, once and for all")
    ledgers.add_ledger(parser)
    query_parameters.declare(parser)
    add_reading(parser)
    column_options.add_read(parser)


class _Noise(argparse.Action):
    """Keeps what adds the noise; two that differ are refused, whichever flags said them."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        before = namespace.noise
        if before not in (None, values):
            parser.error(f"{option_string} {values}: the noise was said to be {before} already; say one of them.")
        namespace.noise = values


class _EngineOrNoise(_Noise):
    """Keeps where the data is worked on; `--engine grid` and `--engine diffprivlib` once said what `--noise` says."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        if values in _NOISES:
            super().__call__(parser, namespace, values, option_string)
        else:
            setattr(namespace, ENGINE, values)


def run(options: argparse.Namespace) -> CommandOutput:
    """Plan a question, or ask it and spend."""
    project = options.file.suffix.lower() == SUFFIX
    session = Session.from_file(options.file) if project else Session()
    described = session.project.data
    with engine_at_work(options, described.engine if project and described is not None else "") as store:
        return with_unread(_query(session, options, store), session)


def _query(session: Session, options: argparse.Namespace, store: Store | None) -> CommandOutput:
    told = progress()
    _open(session, options, told.part(0.0, 0.5), store)
    if options.budget is not None:
        _set_budget(session, options.budget)
    if options.batch is not None:
        return _batch(session, options, told.part(0.5, 1.0))
    if options.batch_delta is not None:
        raise WorkbenchError("--batch-delta says nothing without --batch.", hint="Leave it out.", field="batch_delta")
    draft = _draft(session, options)
    _refuse_unsure(session, options, (draft,))
    if options.plain:
        return query_output.plain(session.queries.plain(draft, told.part(0.5, 1.0)))
    if options.plan:
        plans = (session.queries.plan(draft),)
        return query_output.planned(session, plans, charge_for(plans))
    stored = None if options.again else session.queries.stored(draft)
    if stored is not None:
        return query_output.answered(session, (stored,), stored=True)
    return query_output.answered(session, (session.queries.ask(draft, told.part(0.5, 1.0)),))


def _open(session: Session, options: argparse.Namespace, told: Progress, store: Store | None) -> None:
    """Open the data and take what the options say of it."""
    if options.ledger is not None:
        session.ledger.use_file(options.ledger)
    data = session.project.data
    if options.file.suffix.lower() != SUFFIX:
        session.data.open(options.file, dialect(options, session), told, store)
    elif data is None:
        raise WorkbenchError(f"{options.file.name} describes no data yet.", hint="Name the data file.", field="file")
    else:
        session.data.open(data_of(options.file, data.path), data.dialect, told, store)
    near_data.answer(session, options)
    column_options.carry_over(session, options)
    if typed := flags.given(PrivacyUnit, options):
        session.data.set_unit(replace(session.project.schema.unit, **typed))
    if options.limit_rows:
        session.data.set_preparation(replace(session.project.preparation, limit_rows=True))


def _refuse_unsure(session: Session, options: argparse.Namespace, drafts: Iterable[QueryDraft]) -> None:
    """Of a file that no project describes, before anything is told or spent."""
    if options.file.suffix.lower() != SUFFIX:
        schema = session.project.schema
        asked = [name for draft in drafts for name in relevance.columns_read(draft, schema)]
        column_troubles.refuse_unsure(session, options, asked, unseen=True)


def _set_budget(session: Session, text: str) -> None:
    epsilon, _, delta = text.partition(",")
    wanted = read_amount(epsilon, "budget"), read_amount(delta or "0", "budget")
    known = session.ledger.current.budget
    if known is None or (known.epsilon, known.delta) != wanted:
        session.ledger.current.set_budget(*wanted)


def _draft(session: Session, options: argparse.Namespace) -> QueryDraft:
    if options.kind not in QUERIES:
        raise WorkbenchError(
            f"There is no question “{options.kind}”.",
            hint=f"Known are: {QUERIES.names()}.",
            field="query",
        )
    kind = QUERIES[options.kind]
    values = query_parameters.given(options, kind)
    typed = {"epsilon": "", **flags.given(QueryDraft, options)}
    draft = QueryDraft(**typed, values=values, rows_typed="assumed_rows" in typed)
    if draft.tool and draft.noise is not NoiseSource.DIFFPRIVLIB:
        raise WorkbenchError(
            "--tool says nothing here: the noise is that of the grid.",
            hint="Write --noise diffprivlib too, or leave it out.",
            field="tool",
        )
    for name in values:
        query_parameters.refuse_pointless(draft, session.project.schema, name, bounds=options.bounds is not None)
    if not kind.needs_epsilon:
        if options.epsilon is not None or options.need is not None:
            raise WorkbenchError(
                f"ε of “{kind.identifier}” follows from its own parameters.",
                hint="Leave out --epsilon and --need.",
                field="epsilon",
            )
        return draft
    if options.plain:
        for name in ("epsilon", "need", "noise"):
            if getattr(options, name) is not None:
                raise WorkbenchError(
                    f"--{name} says nothing beside --plain: the answer gets no noise.", hint="Leave it out.", field=name
                )
        return draft
    if (options.epsilon is None) == (options.need is None):
        raise WorkbenchError(
            "Either --epsilon or --need must be given.",
            hint="Write --epsilon 0.1, or --need 5 for ± 5.",
            field="epsilon",
        )
    chosen = kept_text(draft.epsilon, "epsilon") if options.need is None else session.queries.solve(draft, options.need)
    return replace(draft, epsilon=chosen)


def _refuse_beside_batch(options: argparse.Namespace) -> None:
    """Refuse what each question of a batch says itself: somebody meant something by typing it."""
    names = ("where", "noise", "tool", "assumed_rows", "need", *(("plain",) if options.plain else ()))
    typed = [name for name in names if getattr(options, name) not in (None, "")]
    typed += query_parameters.typed(options)
    if typed:
        raise WorkbenchError(
            f"--{typed[0].replace('_', '-')} says nothing beside --batch.",
            hint="Each question of the batch has its own. It is for --query.",
            field=typed[0],
        )


def _batch(session: Session, options: argparse.Namespace, told: Progress) -> CommandOutput:
    _refuse_beside_batch(options)
    found = read_json_file(options.batch, field="batch")
    try:
        plain = named(found, "the whole")
        questions = listed(plain.get("questions"), "“questions”")
        drafts = [from_json(QueryDraft, one, "a question") for one in questions]
        total = str(scalar(plain.get("epsilon"), "“epsilon”") if options.epsilon is None else options.epsilon)
        accepted = str(
            scalar(plain.get("delta", ""), "“delta”") if options.batch_delta is None else options.batch_delta
        )
    except (ValueError, TypeError) as error:
        raise WorkbenchError(
            f"{options.batch.name} does not describe a batch: {error}.",
            hint='Write {"epsilon": "1", "questions": [{"kind": "count", "weight": "1"}, …]}.',
            field="batch",
        ) from error
    _refuse_unsure(session, options, drafts)
    desk = session.queries
    plans = desk.plan_batch(drafts, total)
    price = query_batches.price(session, plans, accepted, again=options.again)
    if options.plan:
        charge = price.charge if price.begun is None else None
        return query_batches.with_price(query_output.planned(session, plans, charge), price)
    stored = () if options.again else desk.stored_batch(drafts, total)
    answers = stored or desk.batch_asker(drafts, total, accepted, again=options.again)(told)
    paid = not stored and price.begun is not None and bool(price.begun.open)
    return query_batches.with_plan(query_output.answered(session, answers, stored=bool(stored), paid=paid), answers)
