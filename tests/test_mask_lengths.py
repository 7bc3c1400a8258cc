"""A mask for codes of a length that somebody said, where the rule of those who do not know has another."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from workbench.anonymise.recipe import ReleaseMechanism
from workbench.anonymise.terms import Terms, declared_hierarchies, hierarchies_line
from workbench.core.builder_suggestions import public_specification
from workbench.core.building import build_hierarchy, specification
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.occurring import code_length, entries_of
from workbench.core.progress import SILENT
from workbench.core.schema import ColumnSpec, Kind, Role
from workbench.project.model import new_project
from workbench.project.trim_settings import StepsBy
from workbench.session import Session
from workbench.session.asked_hierarchies import is_asked_of
from workbench.session.mask_edits import mask_builder, take_masks
from workbench.session.mask_lengths import mask_length, said_length
from workbench.session.release.draw_choice import FOLLOWS, declared_before
from workbench.session.release.own_choices import own_choices
from workbench.session.release.said import said_of
from workbench.session.release.wishes import enough_of, least_of, never_star, wish_enough

CODES = [1200 + i % 40 for i in range(200)]


def opened(path: Path, codes: list[int]) -> Session:
    path.write_text("ward,postcode\n" + "".join(f"{'AB'[i % 2]},{code}\n" for i, code in enumerate(codes)))
    session = Session(new_project())
    session.data.open(path)
    session.data.set_role(["ward", "postcode"], Role.QUASI)
    session.data.attach_hierarchies(session.data.hierarchy_suggester(["ward", "postcode"])(SILENT))
    return session


def masked(session: Session, length: int) -> Hierarchy:
    take_masks(session, mask_builder(session, {"postcode": length})(SILENT))
    return session.project.hierarchies["postcode"]


def chain(hierarchy: Hierarchy, value: str) -> tuple[str, ...]:
    return next(row for row in hierarchy.rows() if row[0] == value)


def choices(session: Session) -> tuple[str, ...]:
    terms = Terms(mechanism=ReleaseMechanism.TRIM, steps=2, balanced=True, occurring=True)
    return own_choices(session, terms, ("ward", "postcode"))


def asked(session: Session) -> bool:
    project = session.project
    spec, said = project.schema["postcode"], said_of(project).get("postcode", ())
    return is_asked_of(project.hierarchies["postcode"], spec, said)


@pytest.mark.parametrize(
    ("words", "length"),
    [
        ("1200-1299", 4),
        ("1200 to 1299; 8000", 4),
        ("AB1, CD2", 3),
        ("0, 12", None),
        ("12*, 13*", None),
        ("1200-99", None),
        ("*", None),
        ("", None),
    ],
)
def test_codes_that_are_named_have_a_length_where_it_is_one(words: str, length: int | None) -> None:
    assert code_length(entries_of(words)) == length


def test_a_mask_of_the_length_that_was_said_masks_from_the_last_character_of_whole_codes(tmp_path: Path) -> None:
    session = opened(tmp_path / "staff.csv", CODES)
    assert chain(session.project.hierarchies["postcode"], "1201")[2] == "120**", "of no length that anybody said"
    made = masked(session, 4)
    assert chain(made, "1201") == ("1201", "120*", "12**", "1***", "*")
    assert made.provenance is Provenance.PUBLIC and "length of 4" in made.origin
    assert mask_length(made) == 4


def test_whoever_says_what_occurs_has_said_it_of_the_length_and_else_it_is_asked(tmp_path: Path) -> None:
    session = opened(tmp_path / "staff.csv", CODES)
    assert not asked(session), "by the rule of those who do not know"
    masked(session, 4)
    assert asked(session), "nobody has said anything yet"
    session.release.steps.set_said("postcode", "1200-1299", "code list or law")
    assert not asked(session)
    session.release.steps.set_said("postcode", "12", "code list or law")
    assert asked(session), "beginnings of codes have no length"
    session.release.steps.set_said("postcode", "120-129")
    assert asked(session), "another one was said"


def test_the_length_is_in_what_somebody_signs(tmp_path: Path) -> None:
    session = opened(tmp_path / "staff.csv", CODES)
    session.release.steps.set_said("postcode", "1200-1299", "code list or law")
    assert any("Occurs in postcode: 1200-1299, from code list or law" in line for line in choices(session))
    masked(session, 4)
    assert any("Occurs in postcode: 1200-1299, whole codes, from code list or law" in line for line in choices(session))


def test_neighbours_have_the_same_question_and_the_same_rule(tmp_path: Path) -> None:
    """Whatever one row holds: a longer code, one that is no number, or none."""
    found = []
    for name, more in (("one", []), ("other", [123456]), ("third", [7])):
        session = opened(tmp_path / f"{name}.csv", CODES + more)
        before = said_length(session.project.hierarchies["postcode"], session.project.schema["postcode"])
        session.release.steps.set_said("postcode", "1200-1299")
        made = masked(session, 4)
        found.append((before, made.specification, made.origin, made.height, chain(made, "1201"), asked(session)))
    assert found[0] == found[1] == found[2]


def test_wishes_mean_as_many_characters_as_before(tmp_path: Path) -> None:
    session = opened(tmp_path / "staff.csv", CODES)
    never_star(session, ["postcode"])
    assert least_of(session, "postcode") == 4, "the first character"
    masked(session, 4)
    assert least_of(session, "postcode") == 3
    wish_enough(session, "postcode", 2)
    masked(session, 6)
    assert enough_of(session, "postcode") == 4, "the first 2"
    masked(session, 1)
    assert session.project.hierarchies["postcode"].height == 1


def test_only_a_mask_of_the_program_with_a_length_of_its_own_can_have_another() -> None:
    spec = ColumnSpec("postcode", Kind.TEXT)
    rule = build_hierarchy(public_specification(spec), ["1201"], column=spec)
    found = said_length(rule, spec)
    assert found is not None and (found.length, found.usual) == (5, 5)
    assert (found.asked_of("1200-1299"), found.asked_of("12345"), found.asked_of("0, 12")) == (4, None, None)
    assert found.asked_of("x" * 1001) is None, "longer than a mask can be"
    own = build_hierarchy(specification("masking", {"length": 5, "side": "left"}, column=spec), ["1201"], column=spec)
    assert said_length(own, spec) is None and mask_length(own) == 5, "somebody built it"
    read = build_hierarchy(specification("masking", {"length": 0}, column=spec), ["1201"], column=spec)
    assert mask_length(read) is None and mask_length(None) is None
    assert said_length(rule, ColumnSpec("age", Kind.INTEGER)) is None, "no mask is made of it"


@pytest.mark.parametrize(("words", "room"), [("1200-1299", FOLLOWS), ("12", "")])
def test_who_signs_what_occurs_signs_the_length_with_it_and_else_is_asked_of_the_mask(
    tmp_path: Path, words: str, room: str
) -> None:
    session = opened(tmp_path / "staff.csv", CODES * 3)
    session.release.set_guarantee(replace(session.project.anonymise.guarantee, epsilon=2.0, delta=1e-3))
    session.release.set_trimming(replace(session.project.anonymise.trim, steps=StepsBy.BALANCED, expected_rows=600))
    session.release.steps.set_said("postcode", words)
    masked(session, 4)
    session.release.anonymise()
    claim, project = session.release.current_claim(), session.project
    assert declared_hierarchies(claim.terms) == ("postcode",), "no rule of the program alone made it"
    assert hierarchies_line(claim.terms) in claim.asserted
    said = declared_before(claim, project.schema, project.hierarchies)
    assert said.get(hierarchies_line(claim.terms), "") == room
