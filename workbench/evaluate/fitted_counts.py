"""Counts that are fitted to a number of people that is known, beside those that are not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.evaluate.method import MethodChoice

if TYPE_CHECKING:
    from workbench.evaluate.findings import ErrorSeries, Point


def by_unfitted_alone(series: ErrorSeries, than: Point, taken: Point) -> bool:
    """Whether a curve lies below another one because its counts are not fitted to a known number, as the other's are.

    What happens to counts after the noise makes no crossing.
    """
    both_alike = than.by is not None and not is_fitted(than.by)
    if taken.mean >= than.mean or both_alike or is_fitted(taken.by or series.choice):
        return False
    fitted = (one.at(than.axis_value) for one in series.rest if is_fitted(one.choice))
    return not any(point is not None and point.mean < than.mean for point in fitted)


def is_fitted(choice: MethodChoice) -> bool:
    """Whether a setting's counts are fitted to a number of people that is known."""
    return choice.method.fitted(choice.checked())
