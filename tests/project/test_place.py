"""Where a document is: what is told to other windows, and what is not written over what others have saved."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from workbench.core.errors import WorkbenchError
from workbench.project.anonymise_settings import AnonymiseSettings
from workbench.project.marks import mark_of
from workbench.project.model import GuaranteeSettings, Preparation, Project
from workbench.project.place import SAVED_ELSEWHERE, DocumentPlace, Newer
from workbench.project.recovery import ProjectLock
from workbench.project.storage import save_project

Open = Callable[[Path | None], DocumentPlace]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "p.wbench"
    save_project(Project(), path)
    return path


@pytest.fixture
def opened() -> Iterator[Open]:
    """Windows with a file, or none, that are closed in the end."""
    places = []

    def open_one(path: Path | None) -> DocumentPlace:
        place = DocumentPlace()
        places.append(place)
        place.move(None if path is None else place.look(path))
        return place

    yield open_one
    for place in places:
        place.leave()


def is_free(path: Path) -> bool:
    lock = ProjectLock(path)
    free = lock.take()
    lock.release()
    return free


def saved_by_somebody(path: Path) -> None:
    save_project(Project(preparation=Preparation(sample=0.5)), path)


def test_what_another_window_has_open_is_not_written_to(file: Path, opened: Open) -> None:
    first, second = opened(file), opened(file)
    assert (first.alone, second.alone) == (True, False)
    for other in (second, opened(None)):
        with pytest.raises(WorkbenchError, match="open in another window") as refused:
            other.claim(file, overwrite=True)
        assert refused.value.field == SAVED_ELSEWHERE
    first.leave()
    assert first.path is None and first.mark is None and is_free(file)
    second.move_to(second.claim(file))
    assert second.alone and not is_free(file)


def test_what_others_have_saved_is_overwritten_by_those_who_say_so(file: Path, opened: Open) -> None:
    place = opened(file)
    place.claim(file)
    saved_by_somebody(file)
    with pytest.raises(Newer) as refused:
        place.claim(file)
    assert refused.value.field == SAVED_ELSEWHERE
    place.move_to(place.written(place.claim(file, overwrite=True)))
    assert place.mark == mark_of(file)
    place.claim(file)


def test_only_the_file_that_was_opened_is_known_from_before(file: Path, tmp_path: Path, opened: Open) -> None:
    """Whether another one may be overwritten is asked by whoever names it; a link to this one is this one."""
    place, other, link = opened(file), tmp_path / "other.wbench", tmp_path / "link.wbench"
    saved_by_somebody(other)
    place.give_up(place.claim(other))
    link.symlink_to(file)
    saved_by_somebody(file)
    for path in (file, link):
        with pytest.raises(Newer):
            place.claim(path)


def test_a_place_that_is_given_up_is_free_unless_it_was_ours_before(file: Path, tmp_path: Path, opened: Open) -> None:
    place, other = opened(file), tmp_path / "other.wbench"
    claimed = place.claim(other)
    assert not is_free(other)
    place.give_up(claimed)
    assert is_free(other)
    place.give_up(place.claim(file))
    assert not is_free(file)
    saved_by_somebody(file)
    with pytest.raises(Newer):
        place.claim(file)
    assert not is_free(file), "what is refused is given up, but not what is open here"


def test_whoever_opened_it_second_has_no_claim_that_outlasts_a_refusal(file: Path, opened: Open) -> None:
    first, second = opened(file), opened(file)
    first.leave()
    saved_by_somebody(file)
    with pytest.raises(Newer):
        second.claim(file)
    assert is_free(file)


def test_a_document_that_is_expected_somewhere_leaves_where_it_was(file: Path, tmp_path: Path, opened: Open) -> None:
    """Work that is taken over belongs to a file nobody has looked at yet, so others may open both."""
    place, other = opened(file), tmp_path / "other.wbench"
    shutil.copy(file, other)
    mark = mark_of(other)
    place.expect(other, mark)
    assert (place.path, place.mark, place.alone) == (other, mark, True)
    assert is_free(file) and is_free(other)
    saved_by_somebody(other)
    with pytest.raises(Newer):
        place.claim(other)


def test_whoever_moves_lets_the_last_place_go(file: Path, tmp_path: Path, opened: Open) -> None:
    place, other = opened(file), tmp_path / "other.wbench"
    save_project(Project(anonymise=AnonymiseSettings(guarantee=GuaranteeSettings(epsilon=2.0))), other)
    place.move(place.look(other))
    assert place.path == other and is_free(file) and not is_free(other)
    place.move_to(place.claim(other))
    assert not is_free(other), "saving where it was keeps it"
    place.move(None)
    assert place.alone and place.path is None and is_free(other)
