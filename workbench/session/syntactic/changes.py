"""A change that would help, made."""

from __future__ import annotations

from dataclasses import replace

from workbench.session.session import Session
from workbench.session.syntactic.neighbours import AllowLevel, AllowSuppression, Change, RaiseLevel, WeakenModel


def carry_out(session: Session, change: Change) -> None:
    """Change the question or the levels."""
    asked = session.project.anonymise.question
    match change:
        case AllowSuppression(limit):
            session.syntactic.set_suppression_limit(limit)
        case RaiseLevel(column, level):
            session.release.columns.apply_levels({column: level})
        case AllowLevel(column, level):
            session.release.columns.set_level_limits(column, asked.limits[column][0], level)
        case WeakenModel(position, parameter, value):
            models = list(asked.models)
            models[position] = replace(models[position], values={**models[position].values, parameter: value})
            session.syntactic.set_models(models)
