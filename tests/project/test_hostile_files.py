"""Files made to do harm, and files that only look like projects, are refused in words."""

from __future__ import annotations

import copy
import json
import os
import threading
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.properties import examples
from workbench.core.errors import WorkbenchError
from workbench.project.storage import load_project
from workbench.session import Session

KEPT = sorted((Path(__file__).parents[1] / "data" / "projects").glob("version_*.wbench"))
JSON = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.just(10**400), st.floats(), st.text(max_size=5),
        st.sampled_from(["", "age", "public", "../x", "1/0", "-1"]),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=6,
)  # fmt: skip


def members(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(path: Path, content: dict[str, bytes | str], **options: Any) -> Path:
    with zipfile.ZipFile(path, "w", **options) as archive:
        for name, text in content.items():
            archive.writestr(name, text)
    return path


def changed(path: Path, document: Any) -> Path:
    content: dict[str, bytes | str] = {**members(KEPT[-1]), "project.json": json.dumps(document)}
    return packed(path, content)


def refused(path: Path) -> str:
    with pytest.raises(WorkbenchError, match=path.name.replace(".", r"\.")) as caught:
        load_project(path)
    assert caught.value.hint
    return caught.value.message


def places(document: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to everything in a document."""
    inside = (
        document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    )
    found = [here] if here else []
    for key, value in inside:
        found += places(value, (*here, key))
    return found


@settings(max_examples=examples(300), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_whatever_stands_in_the_document_nothing_crashes(tmp_path: Path, data: st.DataObject) -> None:
    document = json.loads(members(data.draw(st.sampled_from(KEPT)))["project.json"])
    for _ in range(data.draw(st.integers(1, 3))):
        way = data.draw(st.sampled_from(places(document)))
        inner = document
        for key in way[:-1]:
            inner = inner[key]
        if isinstance(inner, dict) and data.draw(st.booleans()):
            del inner[way[-1]]
        else:
            inner[way[-1]] = copy.deepcopy(data.draw(JSON))
        if not places(document):
            break
    path = changed(tmp_path / "p.wbench", document)
    try:
        project = load_project(path)
    except WorkbenchError as error:
        assert "p.wbench" in error.message
    else:
        Session(project)  # what is read can be worked with


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000, '{"a":' * 100_000, "1" * 5_000, '{"version":' + "9" * 5_000 + "}", "NaN", "[1e999]", "", "null",
        "\ud800".encode("utf-8", "surrogatepass"), b"\xff\xfe\x00", '{"format": NaN}',
    ],
    ids=range(11),
)  # fmt: skip
def test_malformed_json_is_refused(tmp_path: Path, text: str | bytes) -> None:
    refused(packed(tmp_path / "p.wbench", {"project.json": text}))


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity", "1e999", "9" * 4_000])
def test_numbers_that_are_none_are_refused(tmp_path: Path, text: str) -> None:
    content: dict[str, bytes | str] = dict(members(KEPT[-1]))
    plain = members(KEPT[-1])["project.json"].decode()
    assert '"epsilon": 0.7' in plain
    content["project.json"] = plain.replace('"epsilon": 0.7', f'"epsilon": {text}', 1)
    refused(packed(tmp_path / "p.wbench", content))


@pytest.mark.parametrize("name", ["../evil", "/etc/passwd", "hierarchies/../../evil", "C:\\evil"])
def test_no_path_leads_out_of_the_archive(tmp_path: Path, name: str) -> None:
    document = json.loads(members(KEPT[-1])["project.json"])
    for entry in document["hierarchies"]:
        if entry["file"]:
            entry["file"] = name
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "evil").write_text("secret;*\n", encoding="utf-8")
    path = packed(folder / "p.wbench", {"project.json": json.dumps(document), "elsewhere": "x"})
    refused(path)
    # A member of such a name is read like any other and never written.
    packed(path, {"project.json": json.dumps(document), name: "Basel;north;*\n"})
    before = sorted(tmp_path.rglob("*"))
    load_project(path)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_bomb_in_a_hierarchy_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "p.wbench"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("project.json", members(KEPT[-1])["project.json"])
        with archive.open("hierarchies/000.csv", "w", force_zip64=True) as member:
            for _ in range(280):
                member.write(bytes(1 << 20))
    assert "unpack" in refused(path)


def test_a_directory_that_lies_about_sizes_is_not_believed(tmp_path: Path) -> None:
    path = tmp_path / "p.wbench"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("project.json", "w") as member:
        for _ in range(100):
            member.write(b" " * (1 << 20))
    content = bytearray(path.read_bytes())
    place = content.rfind(b"PK\x01\x02")
    content[place + 24 : place + 28] = (10).to_bytes(4, "little")
    path.write_bytes(bytes(content))
    refused(path)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_ways_to_pack_are_refused(tmp_path: Path, method: int) -> None:
    refused(packed(tmp_path / "p.wbench", dict(members(KEPT[-1])), compression=method))


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_documents_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "p.wbench"
    text = members(KEPT[-1])["project.json"]
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("project.json", text)
        archive.writestr("project.json", text)
        archive.writestr("hierarchies/000.csv", "Basel;north;*\n")
    refused(path)


def test_a_password_is_told_as_damage(tmp_path: Path) -> None:
    path = packed(tmp_path / "p.wbench", dict(members(KEPT[-1])))
    content = bytearray(path.read_bytes())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = content.find(mark)
        content[place + offset] |= 1
    path.write_bytes(bytes(content))
    refused(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "p.wbench"
    os.mkfifo(path)
    done = threading.Event()

    def look() -> None:
        refused(path)
        done.set()

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    assert done.wait(10)
    thread.join()


def test_a_folder_and_nothing_are_told(tmp_path: Path) -> None:
    (tmp_path / "folder.wbench").mkdir()
    refused(tmp_path / "folder.wbench")
    refused(tmp_path / "none.wbench")
