"""The numbers behind published figures as files have them."""

from __future__ import annotations

import pytest

from tests.evaluate.figure_runs import few
from workbench.evaluate.published.catalogue import figure_named
from workbench.plots import published_panel
from workbench.plots.render import chart_csv
from workbench.session.published_figures import panels_of

pytestmark = pytest.mark.timeout(300)


def test_the_columns_of_a_file_say_what_is_along_the_axes_and_in_what_unit() -> None:
    (_, drawn), *_ = panels_of(few(figure_named("3.2")))
    heading, *_ = chart_csv(published_panel, drawn).splitlines()
    assert heading == 'curve,"place: ε","value: Absolute error, $",deviation of one repetition,repetitions'


def test_a_published_bar_stands_in_a_file_where_its_bar_does() -> None:
    (_, drawn), *_ = panels_of(few(figure_named("3.4")))
    _, *lines = chart_csv(published_panel, drawn).splitlines()
    (ours,) = (one for one in lines if one.startswith('"Non-private histogram","15,789"'))
    printed = [one for one in lines if "$15,789 to $31,579, non-private" in one]
    assert ours and [one.split('",')[1] for one in printed] == ['"15,789']
