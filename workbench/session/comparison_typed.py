"""The column of a question that is compared without a table: the possible values as they are typed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from types import MappingProxyType

from workbench.core.number_text import file_text
from workbench.core.schema import ColumnSpec, Schema
from workbench.evaluate.experiment_edits import USUAL_PEOPLE
from workbench.evaluate.question import UNNAMED, Question, Statistic
from workbench.ldp.encoding import EncodingChoice, EncodingKind
from workbench.project.experiments import CompareSettings, ExperimentDocument
from workbench.session.collection.typed_answers import ANY_NUMBERS, as_typed
from workbench.session.state import SessionState

_ANY_OTHER = "any other"
"""What people answer in a survey who have not the value that is counted."""


def possible_values(question: Question) -> tuple[str, ...]:
    """The possible values of a question, or its two bounds; none where neither is typed."""
    choice, statistic = question.encoding, question.statistic
    ends = choice.bounds or ((choice.edges[0], choice.edges[-1]) if choice.edges else ())
    numbers, listed = tuple(map(file_text, ends)), choice.domain or ()
    in_bars = statistic is Statistic.HISTOGRAM and choice.how not in (None, EncodingKind.CATEGORIES)
    first, second = (numbers, listed) if statistic.of_numbers or in_bars else (listed, numbers)
    counted = (choice.answer,) if statistic is Statistic.COUNT and choice.answer else ()
    return first or second or counted


def is_typed(state: SessionState, question: Question) -> bool:
    """Whether a question is about what is typed: there is no table, or one was opened beside it afterwards.

    Then an experiment of the project is about something that is no column of it, and says which values are possible.
    Of any other question that is a column misspelt.
    """
    if state.without_table:
        return True
    name, project = question.column, state.project
    if name in ("", *project.schema.names) or not possible_values(question):
        return False
    return any(one.experiment.question.column == name for one in project.comparing.documents)


def typed_schema(question: Question) -> Schema:
    """The one column that a question without a table is about; nothing is declared of it but what is typed."""
    return Schema((_typed_spec(question),))


def _typed_spec(question: Question) -> ColumnSpec:
    how, statistic = question.encoding.how, question.statistic
    in_bars = statistic is Statistic.HISTOGRAM and how not in (None, EncodingKind.CATEGORIES)
    values = possible_values(question) or (ANY_NUMBERS if statistic.of_numbers or in_bars else ())
    return as_typed(question.column or UNNAMED, values)[1]


def asked_of(settings: CompareSettings, names: Collection[str]) -> CompareSettings:
    """Experiments beside another table: of a column that it lacks nothing that was typed is said of it any more.

    How many people, between which bounds, below what most values lie and what is enough was true of what was asked
    about. Of what has no name it may have been said of this table, as long as nobody chose a column; and what was typed
    while there was no table at all is a question of its own, for which `asked_of` is not called.
    """
    documents = tuple(
        one if one.experiment.question.column in (*names, "", UNNAMED) else _begun_again(one)
        for one in settings.documents
    )
    return replace(settings, documents=documents)


def _begun_again(document: ExperimentDocument) -> ExperimentDocument:
    """An experiment without what was typed of its column and its people."""
    before = document.experiment
    choice = replace(before.question.encoding, bounds=None, domain=None, edges=(), answer="")
    asked = replace(
        before,
        question=replace(before.question, encoding=choice),
        most_below=None,
        users=USUAL_PEOPLE if before.basis.public else before.users,
    )
    return replace(document, experiment=asked, kept=MappingProxyType({}), enough=None)


def survey_encoding(question: Question) -> EncodingChoice:
    """The answers that a survey about the same would ask for, as Collect has them typed where no table is asked."""
    choice = question.asked
    if question.statistic is Statistic.COUNT:
        return EncodingChoice(how=EncodingKind.CATEGORIES, domain=(choice.answer, _ANY_OTHER))
    if choice.how is None:
        choice = replace(choice, how=EncodingKind.CATEGORIES if choice.domain is not None else EncodingKind.BINS)
    return choice
