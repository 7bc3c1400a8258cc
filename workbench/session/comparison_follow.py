"""The setting of a way that was compared, taken over to where it is carried out: Query, Anonymise or Collect."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from workbench.anonymise.recipe import ReleaseMechanism
from workbench.core.composition import ADD_REMOVE
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.number_text import exact, file_text
from workbench.core.progress import SILENT
from workbench.core.schema import Role, Schema
from workbench.evaluate.experiment import Experiment, Truth
from workbench.evaluate.experiment_edits import USUAL_PEOPLE
from workbench.evaluate.families import INTERVALS, intervals
from workbench.evaluate.method import Approach, MethodChoice
from workbench.evaluate.public_shape import public_domain
from workbench.evaluate.question import Question, Statistic
from workbench.evaluate.released_groups import delta_of
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import EncodingKind, Outside, chosen_how
from workbench.ldp.estimation import AUTO, EstimationMethod, default_protocol
from workbench.ldp.mean_prediction import MeanPlan, planned_means
from workbench.ldp.participation import Participation, attendance, can_report_none
from workbench.project.anonymise_settings import LevelsBy
from workbench.project.collect_settings import RANKED
from workbench.project.trim_settings import StepsBy, TrimUnknown
from workbench.query.catalogue import QUERIES, QueryDraft
from workbench.query.partition import OTHER
from workbench.query.relevance import counting_others, takes_most_below
from workbench.session.charged_words import charged_of
from workbench.session.collection.means import FOR_MEANS
from workbench.session.comparison_typed import survey_encoding
from workbench.session.release.knowledge import answer_number, number_answer
from workbench.session.session import Session
from workbench.session.standing import number_at_stake
from workbench.session.suggested_hierarchies import hierarchy_suggester

GRID_NOISE = ("global-grid", "global-narrowed")
"""Settings whose noise hides one row more or less."""
_REPLACED = {Approach.GLOBAL: "question in Query", Approach.LOCAL: "plan in Collect"}
_MANY = 1_000_000
"""So many people to compare protocols for means by, which are better or worse than each other of any number of them."""
_SAME = 1 + 1e-9
_NO_GOAL = "What is typed as enough is no goal there, where it is of another error"
CARRIED_OUT_IN = {Approach.GLOBAL: "query", Approach.ANONYMISED: "anonymise", Approach.LOCAL: "collect"}
"""Where a way is carried out."""


def follow(
    session: Session, experiment: Experiment, setting: MethodChoice, place: float, enough: float | None = None
) -> str:
    """Take a setting over; nothing is asked, drawn or collected by it.

    Parameters
    ----------
    setting
        The method with its parameters, as a tile names it.
    place
        Where on the axis of the experiment.
    enough
        The error that somebody typed as good enough, as it is read; it becomes the goal of a survey of shares.

    Returns
    -------
    str
        The room in which it is carried out.

    Raises
    ------
    WorkbenchError
        If the way has no room, or the setting does not go with the table.
    """
    approach = setting.method.approach
    if approach not in CARRIED_OUT_IN:
        raise WorkbenchError("A guess is carried out nowhere.", field="methods")
    if not can_follow(session, approach, experiment.question):
        raise WorkbenchError("This needs a table.", hint="Open one first.", field="data")
    epsilon = experiment.setting(setting, place, 1).epsilon
    question = experiment.question_at(place)
    {Approach.GLOBAL: _ask, Approach.ANONYMISED: _release, Approach.LOCAL: _collect}[approach](
        session, question, setting, epsilon, experiment
    )
    if approach is Approach.LOCAL and enough is not None and _misplaced(experiment):
        session.collection.change(rank_by="l1", aim=RANKED, target=enough)
    return CARRIED_OUT_IN[approach]


def can_follow(session: Session, approach: Approach, question: Question) -> bool:
    """Whether there is what a way is carried out on: of what was only typed no table is asked, and none released."""
    return approach is Approach.LOCAL or not session.comparison.is_typed(question)


def follow_words(
    session: Session,
    experiment: Experiment,
    setting: MethodChoice,
    place: float,
    *,
    done: bool = False,
    enough: float | None = None,
) -> str:
    """The effects of taking a setting over, in sentences that are true before and after.

    Once done only what else is set by it, "" where nothing is: the column and ε are seen in the room that it leads to.

    Parameters
    ----------
    enough
        As in `follow`.
    """
    epsilon = experiment.setting(setting, place, 1).epsilon
    question, approach = experiment.question_at(place), setting.method.approach
    spec = session.comparison.schema_of(question)[question.column]
    bounds = question.asked.bounds or spec.declared().bounds
    within = "" if bounds is None or not spec.kind.numeric else f", {exact(bounds[0])} to {exact(bounds[1])}"
    people = f", {experiment.users:,} people" if experiment.users else ""
    said = f"{setting.name} of “{question.column}”{within}"
    if approach is Approach.ANONYMISED:
        now = "The column is quasi-identifying, and has a hierarchy."
        return now if done else f"{said}, ε = {exact(epsilon)}. {now}"
    unsaid = question.statistic is Statistic.COUNT or experiment.users == USUAL_PEOPLE
    if approach is Approach.GLOBAL and (unsaid or session.looks.taken):
        people = ""
    listed = _undeclared_values(session, question) if approach is Approach.GLOBAL else ()
    declares = f" Its {len(listed)} values are declared as public." if listed else ""
    if approach is Approach.GLOBAL and _counts_others(session, question):
        # What stops a comparison of typed values would tell of a table that it has others.
        why = ": an error would tell that there are some" if question.asked.outside is Outside.STOP else ""
        declares += f" Query counts “{OTHER}”, too{why}; errors there can be a little larger."
    if approach is Approach.GLOBAL and _says_number(session, experiment):
        declares += (
            " That others know how many people there are is said of the table: each answer counts twice, and so does "
            "a release."
        )
    if approach is Approach.LOCAL:
        rows = session.comparison.schema_of(question).unit.rows_per_person
        sampling = _sampling(experiment)
        other = _other_recommended(setting, epsilon / rows, rows, sampling) if question.statistic.averages else ""
        hidden = _hidden_too(session, experiment, question, setting, epsilon)
        declares = f"{_asked_otherwise(question, setting)}{other}{hidden}"
        if enough is not None:
            goal = f"The goal there is {exact(enough)} % misplaced" if _misplaced(experiment) else _NO_GOAL
            declares += f" {goal}."
        # About whom errors are is set there as it is here.
        people = f"{people}, errors about {'all people sampled from' if sampling else 'those asked'}"
    if done:
        return declares.strip()
    if setting.identifier == "global-narrowed" or (
        approach is Approach.GLOBAL and question.statistic is Statistic.QUANTILE
    ):
        spread = "spread evenly between the bounds"
        if experiment.narrowed and experiment.most_below is not None:
            spread = f"in a long tail, 9 in 10 values below {exact(experiment.most_below)}"
        declares += f" The forecast in Query is for values {spread}."
    return f"{said}{people}, ε = {exact(epsilon)}.{declares} It replaces the {_REPLACED[approach]}."


def charged_in_query(session: Session, experiment: Experiment, setting: MethodChoice, place: float) -> str:
    """What Query charges for a setting that is taken over, as it says it there; "" where that is the ε of the axis."""
    twice = bool(number_at_stake(session.state)) or _says_number(session, experiment)
    if not twice or setting.identifier not in GRID_NOISE:
        return ""
    epsilon = Fraction(file_text(experiment.setting(setting, place, 1).epsilon, 6))
    return charged_of((epsilon, Fraction(0)), ADD_REMOVE, number_known=True)


def _asked_otherwise(question: Question, setting: MethodChoice) -> str:
    """What Collect asks for in place of what was compared, after a space; "" where it is the same.

    It asks for a mean, by protocols that estimate nothing else, or for shares.
    """
    if question.statistic.averages:
        by = f" by protocols for means, not by {setting.name}, whose error is another"
        by = "" if _estimates_mean(setting) else by
        follows = "" if question.statistic is Statistic.MEAN else ", of which the sum follows"
        return f" Collect asks for its mean{by}{follows}." if by or follows else ""
    name = question.statistic.value.replace("-", " ")
    return f" Collect asks for shares, of which the {name} follows." if question.statistic.of_numbers else ""


def _hidden_too(
    session: Session, experiment: Experiment, question: Question, setting: MethodChoice, epsilon: float
) -> str:
    """That Collect counts a further answer, after a space; "" where it does not.

    What is compared is about those who answer alone, and of people in a table values may decide that they do.
    """
    if session.comparison.is_typed(question) or question.statistic.averages:
        return ""
    schema, wanted = session.comparison.schema_of(question), session.project.collect.participation
    try:
        choice = _protocol(setting, question, schema, epsilon)
        size = public_domain(question, schema[question.column]).size
    except WorkbenchError:
        return ""  # the values are not known any more, and taking it over says so
    filtered = bool(session.project.preparation.where.strip())
    if choice.estimates_mean or wanted is Participation.OPEN or not can_report_none(choice.protocol):
        return ""
    none = attendance(wanted, choice, question.asked.absent, filtered=filtered, one_by_one=False).none
    if not none:
        return ""
    hides = ": that the number is public does not say who" if experiment.number_known else ", so that it is hidden who"
    apart = f"{size + 1:,} answers are told apart there, not {size:,}, so that errors can be larger"
    return f" In Collect who takes no part is counted, too{hides}. {apart}."


def _misplaced(experiment: Experiment) -> bool:
    """Whether errors are people misplaced, of which a survey has a goal, too."""
    return experiment.question.statistic is Statistic.HISTOGRAM and experiment.metric.shown_times != 1.0


def _counts_others(session: Session, question: Question) -> bool:
    """Whether Query counts values that are not listed as one more: it does, unless this column is asked for without."""
    spec, before = session.project.schema[question.column], session.project.queries.draft
    if question.statistic is not Statistic.HISTOGRAM or chosen_how(question.asked, spec) is not EncodingKind.CATEGORIES:
        return False
    same = before.kind == question.statistic.value and before.values.get("column") == question.column
    return bool(before.values.get("other")) if same else True


def _protocol(setting: MethodChoice, question: Question, schema: Schema, epsilon: float) -> ProtocolChoice:
    """The protocol of a local setting; one that is left open by the number of answers, and by the ε of a report."""
    text = str(setting.checked()["protocol"]).strip()
    if text == AUTO:
        share = epsilon / schema.unit.rows_per_person
        text = default_protocol(public_domain(question, schema[question.column]).size, share)
    return ProtocolChoice.parse(text)


def _sampling(experiment: Experiment) -> bool:
    """Whether errors have sampling in them, as those of a survey may."""
    return experiment.truth is Truth.POPULATION


def _other_recommended(setting: MethodChoice, epsilon: float, reports: int, sampling: bool) -> str:
    """What Collect recommends for a mean in place of what was compared, and why, after a space; "" where it is as good.

    Here errors are those of the values that were tried, there the worst that people may answer.
    """
    if not _estimates_mean(setting):
        return ""
    plan = MeanPlan(_MANY * reports, epsilon, (-1.0, 1.0), sampling, reports)
    (own,) = planned_means(plan, [ProtocolChoice.parse(str(setting.checked()["protocol"]))])
    best = planned_means(plan)[0]
    if not own.problem and own.worst <= _SAME * best.worst:
        return ""
    return f" Collect recommends {best.title}, which errs least whatever people answer."


def _estimates_mean(setting: MethodChoice) -> bool:
    text = str(setting.checked().get("protocol", AUTO)).strip()
    return text != AUTO and ProtocolChoice.parse(text).estimates_mean


def _undeclared_values(session: Session, question: Question) -> tuple[str, ...]:
    """The values that were typed as public for a histogram of categories, where others or none are declared."""
    spec, asked = session.project.schema[question.column], question.asked
    if question.statistic is not Statistic.HISTOGRAM or chosen_how(asked, spec) is not EncodingKind.CATEGORIES:
        return ()
    return asked.domain if asked.domain and asked.domain != spec.declared().domain else ()


def question_in_query(session: Session, question: Question, setting: MethodChoice, epsilon: float) -> QueryDraft:
    """The question that asks in Query what a setting of a curator was compared for; of how many rows is not said."""
    narrowed = setting.identifier == "global-narrowed"
    kind = QUERIES["narrowed" if narrowed else question.statistic.value]
    asked, spec = question.asked, session.comparison.schema_of(question)[question.column]
    values: dict[str, Any] = {"column": question.column, "figure": question.statistic.value, **setting.checked()}
    bounds = asked.bounds or spec.declared().bounds
    if bounds is not None:
        values |= {"lower": file_text(bounds[0]), "upper": file_text(bounds[1])}
    if step := _said_before(session, question, "resolution"):
        values["resolution"] = step
    if question.statistic is Statistic.QUANTILE:
        values["quantile"] = file_text(question.share, 6)
    if question.statistic is Statistic.HISTOGRAM:
        how = chosen_how(asked, spec)
        if how is EncodingKind.CATEGORIES:
            values["other"] = _counts_others(session, question)
            values["alike"] = bool(_said_before(session, question, "alike"))
        elif how is EncodingKind.BINS:
            values["bins"] = asked.bins
        elif how is EncodingKind.EDGES:
            values["edges"] = ", ".join(map(file_text, asked.edges))
        elif how is EncodingKind.WHOLE and bounds is not None:
            values["bins"] = int(bounds[1] - bounds[0]) + 1
            values["upper"] = file_text(bounds[1] + 1)
    known = {one.name for one in kind.parameters}
    where = ""
    if question.statistic is Statistic.COUNT:
        name, answer = question.column.replace('"', '""'), asked.answer.replace("'", "''")
        where = f"\"{name}\" = '{answer}'"
    chosen = MappingProxyType({name: value for name, value in values.items() if name in known})
    return QueryDraft(kind.identifier, file_text(epsilon, 6), chosen, where)


def _ask(session: Session, question: Question, setting: MethodChoice, epsilon: float, whole: Experiment) -> None:
    draft = question_in_query(session, question, setting, epsilon)
    if listed := _undeclared_values(session, question):
        session.data.set_domain(question.column, listed)  # a question has no list of its own
    draft = counting_others(draft, session.project.queries.draft, session.project.schema)
    if whole.users and question.statistic is not Statistic.COUNT and not session.looks.taken:
        # The number that was typed for the comparison; after a look it may be that of the rows. What a comparison
        # begins with was typed by nobody, and is as good a guess there.
        draft = replace(draft, assumed_rows=whole.users, rows_typed=whole.users != USUAL_PEOPLE)
    if whole.narrowed and takes_most_below(draft, session.project.schema):
        draft = replace(draft, most_below=whole.most_below)
    session.queries.set_draft(draft)
    if _says_number(session, whole):
        answer_number(session, known=True)


def _said_before(session: Session, question: Question, name: str) -> Any:
    """What the question in Query says of the same column that a comparison says nothing of; None if it says nothing."""
    before = session.project.queries.draft.values
    return before.get(name) if before.get("column") == question.column else None


def _says_number(session: Session, whole: Experiment) -> bool:
    """Whether the comparison says that others know how many people there are, and nobody answered that of the table.

    Not while there is a draw that can still leave: the answer would change what is promised of it.
    """
    release, results = session.release, session.state.results
    waits = any(one.draw not in release.exported for one in (results.result, *results.drawn) if one is not None)
    return whole.number_known and number_answer(session).given is None and not waits


def _release(session: Session, question: Question, setting: MethodChoice, epsilon: float, whole: Experiment) -> None:
    values, name = setting.checked(), question.column
    if name not in session.project.hierarchies:
        session.data.attach_hierarchy(name, _hierarchy(session, question, values["hierarchy"], whole))
    session.data.set_role([name], Role.QUASI)
    release, anonymise = session.release, session.project.anonymise
    people = whole.users or session.data.table.rows
    promise = replace(anonymise.guarantee, solve_for="k", epsilon=epsilon, delta=delta_of(values["delta"], people))
    sampled = setting.identifier == "anonymised"
    if sampled:
        beta = values["beta"].strip()
        promise = replace(promise, beta=beta if beta in ("max", "best") else float(beta))
    release.set_mechanism(ReleaseMechanism.SAMPLE if sampled else ReleaseMechanism.TRIM)
    release.set_guarantee(promise)
    release.columns.set_levels_by(LevelsBy.HAND)
    level = values["level"]
    if name in session.project.hierarchies:
        release.columns.set_level(name, level)
    if not sampled:
        steps = anonymise.trim
        if setting.identifier == "trimmed-in-steps" and name in session.project.hierarchies:
            height = session.project.hierarchies[name].height
            vectors = dict.fromkeys(min(level + up, height) for up in range(values["steps"]))
            steps = replace(steps, steps=StepsBy.TYPED, vectors=tuple(MappingProxyType({name: one}) for one in vectors))
        else:
            steps = replace(steps, steps=StepsBy.ONE)
        release.set_trimming(replace(steps, solve_for=TrimUnknown.SURVIVAL, shares=()))


def _hierarchy(session: Session, question: Question, wanted: str, whole: Experiment) -> Hierarchy:
    """The hierarchy for the release of a column that has none: without any no release could be drawn."""
    name = question.column
    table, schema = session.data.table, session.project.schema
    made = intervals(table[name], schema[name], question, whole.most_below if whole.narrowed else None)
    if made is None and wanted != INTERVALS:
        made = hierarchy_suggester(table, schema, [name])(SILENT).get(name)
    if made is None:
        raise WorkbenchError(
            f"“{name}” has no hierarchy, and none can be made by rule: nothing was taken over.",
            hint="Build one in Hierarchies first.",
            field="hierarchy",
        )
    return made


def _collect(session: Session, question: Question, setting: MethodChoice, epsilon: float, whole: Experiment) -> None:
    values, planned = setting.checked(), session.comparison.is_typed(question)
    schema = session.comparison.schema_of(question)
    share = epsilon / schema.unit.rows_per_person
    choice = _protocol(setting, question, schema, epsilon)
    # Who compared means wants a mean: a protocol for shares would have the shares of bins asked for in its place.
    mean = question.statistic.averages
    changes: dict[str, Any] = {
        "column": "" if planned else question.column,
        "encoding": survey_encoding(question) if planned else question.asked,
        "protocols": FOR_MEANS if mean and not choice.estimates_mean else (choice,),
        "epsilon": share,
        # Each of a person's rows is reported, as it was compared.
        **({"one_report_per_person": False} if schema.unit.rows_per_person > 1 else {}),
        "users": whole.users,
        "sampling": _sampling(whole),
    }
    if not (mean or choice.estimates_mean):
        changes["method"] = EstimationMethod(values["estimator"], values["postprocess"])
    session.collection.change(**changes)
