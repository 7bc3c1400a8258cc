"""Means of tries are written with the digits that chance leaves them."""

from __future__ import annotations

import doctest

from workbench.core import chance


def test_the_examples_say_what_is_shown() -> None:
    found = doctest.testmod(chance)
    assert found.attempted == 1
    assert not found.failed
