"""Members of a zip are read up to the size that was asked for, and not a byte further."""

from __future__ import annotations

import io
import zipfile

import pytest

from workbench.project.archive import BROKEN, member, members


def archive_of(**content: bytes) -> zipfile.ZipFile:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, value in content.items():
            archive.writestr(name, value)
    return zipfile.ZipFile(file)


def test_a_member_may_be_as_large_as_allowed_and_no_larger() -> None:
    with archive_of(one=b"12345") as archive:
        assert member(archive, "one", 5) == b"12345"
        with pytest.raises(BROKEN):
            member(archive, "one", 4)
        with pytest.raises(BROKEN):
            member(archive, "another")


def test_members_may_be_so_large_together() -> None:
    with archive_of(one=b"12345", other=b"123", third=bytes(99)) as archive:
        assert members(archive, ["one", "other"], 8) == {"one": b"12345", "other": b"123"}
        with pytest.raises(BROKEN):
            members(archive, ["one", "other"], 7)
