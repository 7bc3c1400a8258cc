"""Error of a curator's answer if values reach twice as far as was said for a comparison, as Query plans it."""

from __future__ import annotations

from dataclasses import replace

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import shown
from workbench.core.unit_words import in_unit
from workbench.evaluate.experiment import Experiment
from workbench.evaluate.question import Metric
from workbench.evaluate.tile import Tile
from workbench.query.plans import plan
from workbench.query.relevance import takes_most_below
from workbench.session.comparison_follow import GRID_NOISE, question_in_query
from workbench.session.session import Session


def longer_tail_words(session: Session, experiment: Experiment, tile: Tile, place: float) -> str:
    """The mean error of Global, were the number below which most values lie twice as far, such as “If below 2,000: …”.

    Of what was typed and declared alone. "" where that was not said, where the plan of the question does not depend on
    it, where errors are read otherwise than there, and where no more is lost.

    Parameters
    ----------
    tile
        What was found of Global there, which says the setting that answers.
    """
    setting = tile.setting
    if setting is None or setting.identifier not in GRID_NOISE or not tile.known:
        return ""
    if not experiment.narrowed or experiment.metric != Metric():
        return ""
    point, question = experiment.setting(setting, place, 1), experiment.question_at(place)
    schema = session.comparison.schema_of(question)
    try:
        draft = question_in_query(session, question, setting, point.epsilon)
        if not takes_most_below(draft, schema):
            return ""
        draft = replace(draft, assumed_rows=point.users, rows_typed=True, most_below=experiment.most_below)
        said = plan(draft, schema)
        longer = said.mechanism.along_longer_tail()
        error = None if longer is None else longer[0].planned(said.rows).error
    except WorkbenchError:
        return ""  # what is wrong with the question is said where it is asked
    if longer is None or error is None or error <= tile.error:
        return ""
    return f"If {longer[1]}: Global off by {in_unit(shown(error, None, 3), said.unit)}"
