"""The work of each room as calls of the library."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from workbench.anonymise.claim import Claim
from workbench.anonymise.recipe import ReleaseMechanism, Treatment
from workbench.anonymise.sample_guarantee import Accounting
from workbench.anonymise.terms import BY_DATA
from workbench.core.errors import WorkbenchError
from workbench.core.params import ParamType
from workbench.core.settings_json import to_json
from workbench.evaluate.experiment import Experiment
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import EncodingChoice
from workbench.project.collect_settings import CollectSettings
from workbench.project.laboratory import LaboratorySettings
from workbench.project.trim_settings import StepsBy
from workbench.query import relevance
from workbench.query.catalogue import QUERIES, NoiseSource, QueryDraft
from workbench.session.comparison_typed import is_typed
from workbench.session.looking import LookDesk
from workbench.session.python.opening import hierarchies_of, opened, place_of
from workbench.session.python.writing import Call, Raw, written
from workbench.session.release.desk import ReleaseDesk
from workbench.session.state import SessionState

HIERARCHIES = "hierarchies"


@dataclass(frozen=True)
class Step:
    """One thing that is done.

    Parameters
    ----------
    title
        What it is called in a notebook.
    lines
        Statements.
    shown
        Expressions whose values are looked at afterwards.
    words
        What to know of it.
    """

    title: str
    lines: tuple[str, ...]
    shown: tuple[str, ...] = ()
    words: str = ""

    @property
    def text(self) -> str:
        """The statements, as they are copied; what is looked at is printed."""
        return "\n".join([*self.lines, *(f"print({one})" for one in self.shown)])


def _assigned(name: str, value: Any) -> str:
    return f"{name} = {written(value, 0, len(name) + 3)}"


def data_step(state: SessionState) -> Step:
    """Opening the data and describing its columns."""
    call, described = opened(state)
    lines = [_assigned("data", call)]
    if described is not None:
        lines.append(written(described))
    return Step("The data", tuple(lines), ("data",))


def hierarchies_step(state: SessionState) -> Step:
    """The hierarchies of all columns that have one."""
    found = hierarchies_of(state, list(state.project.hierarchies))
    if not found:
        raise WorkbenchError("No column has a hierarchy yet.", hint="Build or import one.", field="python")
    return Step("How values become coarser", (_assigned(HIERARCHIES, found),))


def release_steps(state: SessionState) -> tuple[Step, ...]:
    """The hierarchies that are used and the release, or the search for a table that satisfies privacy models."""
    desk = ReleaseDesk(state)
    names = [name for name in state.project.schema.names if desk.columns.treatment(name) is Treatment.GENERALISE]
    if not names:
        raise WorkbenchError("No column takes part yet.", hint="Let one take part.", field="python")
    if desk.columns.kept():
        raise _cannot(f"“{desk.columns.kept()[0]}” is kept without being grouped.", "Group it, or leave it out.")
    found = hierarchies_of(state, names)
    before = (Step("How values become coarser", (_assigned(HIERARCHIES, found),)),) if found else ()
    given: dict[str, Any] = {HIERARCHIES: Raw(HIERARCHIES)} if found else {}
    if state.project.anonymise.approach.value == "syntactic":
        return (*before, _search(state, names, given))
    return (*before, _release(state, desk, names, given))


def _release(state: SessionState, desk: ReleaseDesk, names: list[str], given: dict[str, Any]) -> Step:
    settings = state.project.anonymise
    if desk.columns.private_search is not None:
        raise _cannot("Levels are drawn privately.", "Let them follow from degrees, or type them.")
    if not settings.levels_blind:
        raise _cannot("The levels were chosen after seeing what they lead to.", "Copy the command of the project.")
    result = desk.result
    if result is not None and desk.result_is_current and BY_DATA in state.results.said.get(result.draw, ()):
        raise _cannot("You said that what the data shows decided some choice.", "Export it here, where that is said.")
    promised = desk.guarantee()
    epsilon = int(promised.epsilon) if float(promised.epsilon).is_integer() else promised.epsilon
    named: dict[str, Any] = {"epsilon": epsilon, "delta": promised.delta, **given}
    if desk.mechanism is ReleaseMechanism.SAMPLE:
        wanted = settings.guarantee
        if wanted.solve_for != "k" or wanted.accounting is not Accounting.EXACT:
            raise _cannot("k is not computed from ε, δ and β, by exact accounting.", "Solve for k.")
        named |= {"mechanism": "sample", "beta": wanted.beta, "levels": dict(desk.recipe().levels)}
    else:
        named |= _steps(desk, settings.trim.steps)
        usual = type(settings.trim)()
        named |= {
            name: getattr(settings.trim, there)
            for name, there in _TRIMMING.items()
            if getattr(settings.trim, there) != getattr(usual, there)
        }
    claim = _claim(state)
    if claim.known:
        named["known"] = claim.known.value
    lines = []
    if LookDesk(state).taken:
        lines.append("data.look()  # it was looked at, so a later release can promise less")
    if settings.seed is not None:
        named["seed"] = settings.seed
    elif not claim.holds:
        named["without_claim"] = True
    lines.append(_assigned("release", Call("data.release", [names], named)))
    words = "" if claim.holds else "Nothing is promised: " + " ".join(one.text for one in claim.reasons)
    return Step("The release", tuple(lines), ("release",), words)


def _claim(state: SessionState) -> Claim:
    """The claim of what the script draws: after a look another one than a draw has that was settled before."""
    desk = ReleaseDesk(state)
    claim = desk.claim()
    return desk.claim(anew=True) if claim.holds and LookDesk(state).taken else claim


_TRIMMING = {
    "shares": "shares",
    "floor": "floor",
    "rows": "expected_rows",
    "step_column": "step_column",
    "count_column": "count_column",
}
"""By the name of the library the settings that are given where they are not the usual ones."""


def _steps(desk: ReleaseDesk, by: StepsBy) -> dict[str, Any]:
    """The steps as they came out of degrees, of typed levels or of a public rule."""
    chain = desk.chain()
    if len(chain.vectors) == 1:
        return {"levels": dict(chain.vectors[0])}
    if by is StepsBy.DEGREES and chain.degrees:
        return {"steps": [str(one) for one in chain.degrees]}
    found: dict[str, Any] = {"steps": [dict(one) for one in chain.vectors]}
    if by is StepsBy.BALANCED:
        found["shares"] = [float(share) for share in chain.shares]
    return found


def _search(state: SessionState, names: list[str], given: dict[str, Any]) -> Step:
    from workbench.session.syntactic.desk import SyntacticDesk

    wanted = SyntacticDesk(state).question()
    plain = replace(wanted, weights={}, limits={}, sensitive_hierarchies={}, ungrouped=frozenset())
    if plain != wanted:
        raise _cannot("Weights, limits of levels or a sensitive column are set.", "Copy the command of the project.")
    models = [_model(choice.identifier, choice.values) for choice in wanted.models]
    named: dict[str, Any] = {**given, "suppression_limit": wanted.suppression_limit}
    metric = _model(wanted.metric.identifier, wanted.metric.values)
    if metric != "loss":
        named["metric"] = metric
    if wanted.local_recoding:
        named["local_recoding"] = True
    lines = (_assigned("table", Call("data.search", [models, names], named)),)
    words = "The search looks at every row, so nothing is promised with (ε, δ)."
    return Step("The best table", lines, ("table",), words)


def _model(identifier: str, values: Mapping[str, Any]) -> str:
    """A privacy model or a metric as `ModelChoice.parse` and its like read it."""
    columns = {"column", "subset_column", "subset_value"}
    numbers = ",".join(str(value) for name, value in values.items() if name not in columns)
    text = f"{identifier}={numbers}" if numbers else identifier
    if values.get("column"):
        return f"{text}:{values['column']}"
    if values.get("subset_column"):
        return f"{text}:{values['subset_column']}={values.get('subset_value', '')}"
    return text


def query_step(state: SessionState, draft: QueryDraft | None = None) -> Step:
    """A question: the one in hand unless another is given. Running it spends, unless it was paid for already."""
    asked = state.project.queries.draft if draft is None else draft
    if asked.tool and asked.noise is NoiseSource.DIFFPRIVLIB:
        raise _cannot("A tool of diffprivlib was chosen.", "Copy the command instead.")
    kind, schema = QUERIES[asked.kind], state.project.schema
    named: dict[str, Any] = {}
    for spec in kind.parameters:
        value = asked.values.get(spec.name, spec.default)
        if value is None or value == spec.default or not relevance.applies(asked, schema, spec.name):
            continue
        named[spec.name] = str(value).splitlines() if spec.type is ParamType.LINES else value
    column = named.pop("column", "")
    given = [kind.identifier, *([column] if column else [])]
    if kind.needs_epsilon:
        named = {"epsilon": asked.epsilon, **named}
    if asked.where.strip():
        named["where"] = asked.where.strip()
    if asked.noise is not NoiseSource.GRID:
        named["noise"] = asked.noise.value
    words = "An answer that was paid for is shown again for nothing; a new one is charged when this runs."
    return Step(kind.title, (_assigned("answer", Call("data.ask", given, named)),), ("answer",), words)


def collect_step(state: SessionState) -> Step:
    """The step that asks what to expect of a survey."""
    settings, schema = state.project.collect, state.project.schema
    if settings.column not in schema.names:
        raise WorkbenchError("No column is chosen to be asked.", hint="Choose one.", field="python")
    if settings.users is None:
        raise _cannot("As many people as there are rows are asked, and code holds no number of rows.", "Say how many.")
    named: dict[str, Any] = {"epsilon": settings.epsilon, "people": settings.users}
    if settings.protocols:
        named["protocols"] = [_protocol(choice) for choice in settings.protocols]
    encoding = _changed(settings.encoding, EncodingChoice())
    if encoding:
        named["encoding"] = encoding
    usual = CollectSettings()
    rest = replace(
        settings,
        column=usual.column,
        epsilon=usual.epsilon,
        users=usual.users,
        protocols=usual.protocols,
        encoding=usual.encoding,
    )
    named |= _changed(rest, usual)
    lines = (_assigned("plan", Call("data.collect", [settings.column], named)),)
    return Step("The survey", lines, ("plan.advice", "plan.frame"), "From numbers alone: no row is looked at.")


def _changed(settings: Any, usual: Any) -> dict[str, Any]:
    """The settings that are not as usual, as a saved project has them."""
    plain, there = to_json(settings), to_json(usual)
    return {name: value for name, value in plain.items() if name not in there or value != there[name]}


def _protocol(choice: ProtocolChoice) -> str:
    values = ":".join(f"{name}:{value}" for name, value in choice.values.items())
    return f"{choice.identifier}={values}" if values else choice.identifier


def compare_step(state: SessionState, experiment: Experiment | None = None) -> Step:
    """An experiment: the one that is looked at unless another is given."""
    settings = state.project.comparing
    if experiment is None:
        if not 0 <= settings.current < len(settings.documents):
            raise WorkbenchError("There is no experiment.", hint="Make one.", field="python")
        experiment = settings.documents[settings.current].experiment
    if is_typed(state, experiment.question):
        raise _cannot("Ways are compared without a table.", "Copy the command instead, or open a table.")
    plain = experiment.to_json()
    named: dict[str, Any] = {}
    before = []
    if any(choice.method.uses_hierarchies for choice in experiment.methods):
        found = hierarchies_of(state, list(state.project.hierarchies))
        before = [_assigned(HIERARCHIES, found)]
        named[HIERARCHIES] = Raw(HIERARCHIES)
    words = "On a public shape: nothing is read from the table."
    if not experiment.basis.public:
        named["look"] = True
        words = "On the true values, for the analyst only: that is a look at the data, and it is recorded."
    line = _assigned("comparison", Call("data.compare", [plain], named))
    return Step("The comparison", (*before, line), ("comparison.frame",), words)


@dataclass(frozen=True)
class PublishedInView:
    """A published figure or preset that is looked at.

    Parameters
    ----------
    identifier
        Of either.
    column
        The column of the open data it is made of; "" for the shipped sample.
    values
        The parameters of a preset that were changed.
    """

    identifier: str
    column: str = ""
    values: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))


def published_steps(state: SessionState, seen: PublishedInView) -> tuple[Step, ...]:
    """A published figure or preset, made again: of the shipped sample, or of the data."""
    given: list[Any] = [seen.identifier]
    before: tuple[Step, ...] = ()
    named: dict[str, Any] = dict(seen.values)
    words = "Of the sample that the program brings along, if any: nothing of yours is looked at."
    if seen.column:
        before = (data_step(state),)
        given += [Raw("data"), seen.column]
        named["look"] = True
        words = "Of your own column, for the analyst only: that is a look at the data, and it is recorded."
    lines = (_assigned("made", Call("wb.published", given, named)),)
    return (*before, Step("The published figure", lines, ("made.text",), words))


def audit_step(state: SessionState) -> Step:
    """The audit of a mechanism; no data is needed."""
    settings, usual = state.project.laboratory, LaboratorySettings()
    if settings.prior != usual.prior:
        raise _cannot("The inputs have a prior.", "Copy the command instead.")
    named: dict[str, Any] = dict(settings.typed)
    own = {
        "claim": settings.claim.strip(),
        "delta": settings.claimed_delta.strip(),
        "neighbours": settings.neighbours if settings.neighbours != usual.neighbours else "",
        "sample": settings.sample.strip(),
        "then": settings.then.strip() and settings.then,
        "repeat": settings.repeat if settings.repeat != 1 else 0,
        "beside": settings.beside if settings.beside != 1 else 0,
    }
    if set(named) & set(own):
        raise _cannot("A parameter has the name of one of the library.", "Copy the command instead.")
    named |= {name: value for name, value in own.items() if value}
    lines = (_assigned("audited", Call("wb.audit", [settings.mechanism], named)),)
    return Step("The audit", lines, ("audited.text",), "Nothing here looks at data.")


def _leaving(state: SessionState) -> tuple[Step, ...]:
    steps = release_steps(state)
    (name,) = steps[-1].shown  # the text of a step holds names of columns, which may be like anything
    unclaimed = name == "release" and state.project.anonymise.seed is None and not _claim(state).holds
    more = {"without_claim": True} if unclaimed else {}
    lines = (_assigned("saved", Call(f"{name}.save", [Raw("RELEASE")], more)),)
    return (*steps, Step("The file", lines, ("wb.verify(saved)",), "With its statement and its note beside it."))


def _of_data(state: SessionState, step: Step) -> tuple[Step, ...]:
    """A step that says by itself why it cannot be without data, before the data says so."""
    return data_step(state), step


_ROOMS: Mapping[str, Callable[[SessionState], tuple[Step, ...]]] = {
    "data": lambda state: (data_step(state),),
    "hierarchies": lambda state: (data_step(state), hierarchies_step(state)),
    "anonymise": lambda state: (data_step(state), *release_steps(state)),
    "release": lambda state: (data_step(state), *_leaving(state)),
    "query": lambda state: (data_step(state), query_step(state)),
    "collect": lambda state: (data_step(state), collect_step(state)),
    "compare": lambda state: _of_data(state, compare_step(state)),
    "mechanisms": lambda state: (audit_step(state),),
}


def room_code(state: SessionState, room: str, published: PublishedInView | None = None) -> str:
    """The script for the library that does what a room does.

    Parameters
    ----------
    state
        A snapshot: files of hierarchies are read again, so this is work for another thread.
    room
        Its key, such as "query".
    published
        The published figure that is looked at there, which then is what is copied.

    Raises
    ------
    WorkbenchError
        If something in it cannot be said in Python, with what to do.
    """
    steps = _ROOMS[room](state) if published is None else published_steps(state, published)
    return "\n\n".join(["import workbench as wb", *variables(state, steps), *(step.text for step in steps)]) + "\n"


def variables(state: SessionState, steps: tuple[Step, ...], data: str = "", release: str = "") -> list[str]:
    """The paths that the steps need, as lines at the top."""
    text = "\n".join(line for step in steps for line in step.lines)
    lines = [_assigned("DATA", data or place_of(state))] if re.search(r"\bDATA\b", text) else []
    if re.search(r"\bRELEASE\b", text):
        lines.append(_assigned("RELEASE", release or "released.csv"))
    return ["\n".join(lines)] if lines else []


def _cannot(what: str, hint: str) -> WorkbenchError:
    return WorkbenchError(f"{what} Python code cannot say that.", hint=hint, field="python")
