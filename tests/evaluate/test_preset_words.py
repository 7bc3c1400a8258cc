"""What presets and published figures say of what is run: of the sample, of other settings and of one's own column."""

from __future__ import annotations

import pytest

from tests.evaluate.test_published_figures import few
from workbench.evaluate.published.catalogue import figure_named

pytestmark = pytest.mark.timeout(300)


def test_a_chart_that_is_shown_twice_is_said_to_be_the_same() -> None:
    outcome = few(figure_named("4.7"))
    (published,), (mended,) = outcome.published.panels, outcome.mended.panels
    assert published.curves == mended.curves
    assert mended.title == "Mended: nothing to mend, the same chart"
    assert outcome.differs[0].startswith("There is nothing to mend, so both charts are the same: ")
