"""What can be compared: every method, and every local protocol as one of its own."""

from __future__ import annotations

from collections.abc import Callable

from tests import plugin_toys
from workbench.evaluate.experiment import MOST_CURVES, Experiment
from workbench.evaluate.method import METHODS, MethodChoice
from workbench.evaluate.method_list import (
    added,
    batches,
    key_of,
    offers,
    options_words,
    protocol_of,
    with_protocol_value,
    with_value,
)
from workbench.ldp.protocol import PROTOCOLS


def test_every_method_and_every_protocol_is_offered_once() -> None:
    keys = [offer.key for offer in offers()]
    assert len(keys) == len(set(keys)) == len(list(METHODS)) + len(list(PROTOCOLS))
    for offer in offers():
        assert key_of(offer.choice) == offer.key


def test_what_a_plug_in_brings_is_offered_while_it_is_there(plugged: Callable[..., None]) -> None:
    before = {offer.key for offer in offers()}
    plugged({"local-protocol.lazy-rr": plugin_toys.protocol()})
    assert {offer.key for offer in offers()} - before == {"local:lazy-rr"}


def test_chosen_methods_stand_in_the_order_of_the_offers() -> None:
    last, first = offers()[-1].choice, offers()[0].choice
    assert added((last,), first) == (first, last)


def test_usual_values_are_left_out_of_a_choice() -> None:
    choice = next(one.choice for one in offers() if one.choice.method.params and not one.group)
    spec = choice.method.params[0]
    assert with_value(choice, spec.name, spec.default).values == {}


def test_a_parameter_of_a_protocol_is_said_as_in_a_command() -> None:
    choice = MethodChoice("local", {"protocol": "olh"})
    changed = with_protocol_value(choice, "g", 4)
    found = protocol_of(changed)
    assert found is not None and dict(found.values) == {"g": 4}
    assert protocol_of(MethodChoice("local")) is None


def test_whether_offers_can_answer_is_asked_in_few_experiments() -> None:
    found = batches(Experiment())
    assert [key for _, keys in found for key in keys] == [offer.key for offer in offers()]
    assert all(len(one.methods) <= MOST_CURVES for one, _ in found)


def test_options_are_said_where_they_differ_from_the_usual() -> None:
    assert options_words(MethodChoice("global-grid", epsilon=0.5)) == "ε 0.5"
