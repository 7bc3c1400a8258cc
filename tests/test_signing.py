"""Signatures of statements: what they prove, what breaks them, and that the key stays with its owner."""

from __future__ import annotations

import base64
import json
import os
import shutil
import stat
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.kept import recording
from workbench.cli.main import main
from workbench.io import ed25519, signing_key
from workbench.io.signing_key import usual_key_file
from workbench.report.proof import NOT_SIGNED
from workbench.session import signing

KEPT = recording.HERE / "releases"
Say = Callable[..., tuple[int, str]]


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Say:
    """Run a command; returns its exit code and what it prints on both streams."""

    def run(*words: str | Path) -> tuple[int, str]:
        code = main([str(word) for word in words])
        printed = capsys.readouterr()
        return code, printed.out + printed.err

    return run


@dataclass
class Published:
    """A signed release, as somebody gets it."""

    release: Path
    statement: Path
    note: Path
    signature: Path
    fingerprint: str
    say: Say

    def verify(self, *more: str | Path) -> tuple[int, str]:
        return self.say("verify", self.release, "--statement", self.statement, *more)

    def sign(self, *more: str | Path) -> tuple[int, str]:
        return self.say("sign", self.release, "--statement", self.statement, *more)

    @property
    def signed(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.signature.read_text("utf-8"))
        return found


def copied(name: str, folder: Path, say: Say) -> Published:
    """A kept release in the names that the program gives, not signed yet."""
    place = folder / name
    shutil.copytree(KEPT / name, place)
    (release,) = place.glob("release*")
    statement = (place / "statement.html").rename(place / "release_statement.html")
    note = (place / "note.json").rename(place / "release_metadata.json")
    return Published(release, statement, note, place / "release_statement.sig.json", "", say)


@pytest.fixture
def published(tmp_path: Path, say: Say) -> Published:
    """A release that was signed with the usual key."""
    made = copied("claim", tmp_path, say)
    assert say("sign", "--new-key")[0] == 0
    assert say("sign", made.release)[0] == 0
    made.fingerprint = made.signed["fingerprint"]
    return made


@pytest.fixture
def without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which cryptography is not installed."""
    for name in [*sys.modules]:
        if name.partition(".")[0] == "cryptography":
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "cryptography", None)


# What is said


def test_a_signature_is_found_and_whose_key_it_is_stays_open(published: Published) -> None:
    code, said = published.verify()
    assert code == 0 and f"Signed by the key {published.fingerprint}" in said and "from elsewhere" in said
    assert NOT_SIGNED not in said


@pytest.mark.parametrize("how", ["fingerprint", "capitals", "key", "file", "file of a fingerprint"])
def test_the_key_can_be_named(how: str, published: Published, tmp_path: Path) -> None:
    file = tmp_path / "published.txt"
    text = published.fingerprint if "fingerprint" in how else published.signed["public_key"]
    file.write_text(f"# The key of the office\n\n  {text}  \n", encoding="utf-8")
    named = {"capitals": published.fingerprint.upper(), "file": file, "file of a fingerprint": file}.get(how, text)
    code, said = published.verify("--public-key", named)
    assert code == 0 and f"Signed by the key you named, {published.fingerprint}" in said
    assert "elsewhere" not in said
    answer = json.loads(published.verify("--public-key", named, "--json")[1])
    assert answer["statement"]["signed"] is True and answer["signature"]["holds"] and answer["signature"]["checked"]


@pytest.mark.parametrize("given", ["", "0" * 63, "ed25519:AAAA", "nothing.txt", "two.txt", "sig"])
def test_what_names_no_key_is_refused(given: str, published: Published, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    Path("two.txt").write_text(f"{'0' * 64}\n{'1' * 64}\n", encoding="utf-8")
    named = published.signature if given == "sig" else given
    code, said = published.verify("--public-key", named)
    assert code == 2 and "no public key" in said


def test_another_key_does_not_hold(published: Published, tmp_path: Path, say: Say) -> None:
    published.signature.unlink()
    assert say("sign", "--new-key", "--key", tmp_path / "own" / "key")[0] == 0
    assert published.sign("--key", tmp_path / "own" / "key")[0] == 0
    assert published.verify()[0] == 0
    code, said = published.verify("--public-key", published.fingerprint)
    assert code == 1 and said.startswith("The signature does NOT hold.") and "not of the one you named" in said


def test_a_signature_that_was_removed_is_missed_where_a_key_is_named(published: Published) -> None:
    published.signature.unlink()
    code, said = published.verify("--public-key", published.fingerprint)
    assert code == 1 and said.startswith("It is NOT signed.") and published.fingerprint in said
    assert "Yes: the file is what its statement says" not in said and NOT_SIGNED not in said
    code, said = published.verify()
    assert code == 0 and NOT_SIGNED in said
    assert json.loads(published.verify("--json")[1])["signature"] is None


def test_a_signature_somewhere_else_is_named(published: Published, tmp_path: Path) -> None:
    elsewhere = published.signature.rename(tmp_path / "elsewhere.json")
    assert NOT_SIGNED in published.verify()[1]
    assert "Signed by the key" in published.verify("--signature", elsewhere)[1]
    assert published.verify("--signature", tmp_path / "none.json")[0] == 2


def test_a_signature_without_a_statement_is_none_of_anything(published: Published) -> None:
    for more in (["--public-key", published.fingerprint], ["--signature", str(published.signature)]):
        code, said = published.say("verify", published.release, "--model", "k=2", *more)
        assert code == 2 and "--statement" in said


def test_of_a_note_alone_the_page_is_not_checked(published: Published) -> None:
    published.statement.unlink()
    code, said = published.say("verify", published.release, "--statement", published.note)
    assert code == 0 and "Signed by the key" in said and "Not checked: Whether the page is the one" in said


# What breaks it


def test_a_page_that_is_right_and_not_the_one_that_was_signed(published: Published) -> None:
    """The program's own comparison takes any end of a line; the signature is one of bytes."""
    content = published.statement.read_bytes()
    published.statement.write_bytes(content.replace(b"\n", b"\r\n"))
    assert published.verify("--signature", published.signature)[0] == 1
    published.signature.unlink()
    assert published.verify()[0] == 0


def test_another_release_under_the_same_name(published: Published, tmp_path: Path, say: Say) -> None:
    """Page, note and file agree with each other, and are not what was signed."""
    other = copied("rows_per_person", tmp_path, say)
    for one in ("release", "statement", "note"):
        shutil.copy(getattr(other, one), getattr(published, one))
    code, said = published.verify()
    assert code == 1 and said.startswith("The signature does NOT hold.\n")
    assert all(f"made for another {what}." in said for what in ("note", "page", "released file"))
    published.signature.unlink()
    assert published.verify()[0] == 0


@pytest.mark.parametrize("where", ["release", "statement", "note"])
def test_one_byte_breaks_it(where: str, published: Published) -> None:
    file = getattr(published, where)
    content = file.read_bytes()
    file.write_bytes(content.replace(b"claim", b"CLAIM", 1) if where != "release" else content + b"A,B,C\n")
    code, said = published.verify()
    assert code in (1, 2) and "Yes: the file is what its statement says" not in said


def changes() -> list[tuple[str, Any]]:
    zeros = base64.b64encode(bytes(64)).decode()
    return [
        ("signature", zeros),
        ("signature", "AAAA"),
        ("signature", 7),
        ("public_key", "ed25519:" + base64.b64encode(bytes(32)).decode()),
        ("public_key", None),
        ("fingerprint", "0" * 64),
        ("algorithm", "none"),
        ("version", 2),
        ("version", True),
        ("format", "other"),
        ("signed", {"note_sha256": "0" * 64, "page_sha256": "0" * 64, "file_sha256": "0" * 64}),
        ("signed", {}),
        ("signed", []),
        ("by", "The statistical office"),
    ]


@pytest.mark.parametrize(("name", "value"), changes())
def test_a_signature_that_was_changed_is_said_first(name: str, value: Any, published: Published) -> None:
    published.signature.write_text(json.dumps(published.signed | {name: value}), encoding="utf-8")
    code, said = published.verify()
    assert code == 1 and said.startswith("The signature does NOT hold.\n  - ")
    answer = json.loads(published.verify("--json")[1])
    assert not answer["holds"] and not answer["signature"]["holds"] and not answer["statement"]["signed"]


def test_why_it_is_no_signature_is_said_in_plain_words(published: Published) -> None:
    for name, value in (("public_key", None), ("signature", []), ("signed", "x")):
        published.signature.write_text(json.dumps(published.signed | {name: value}), encoding="utf-8")
        assert "that can be read: it holds something else." in published.verify()[1]


@pytest.mark.parametrize("content", ["", "{", "[]", "null", '{"a":1,"a":1}', "[" * 50_000, "\ud800", "x" * 70_000])
def test_what_is_no_signature_does_not_hold(content: str, published: Published) -> None:
    published.signature.write_bytes(content.encode("utf-8", "surrogatepass"))
    code, said = published.verify()
    assert code == 1 and "no signature that can be read" in said


# Without the library


@pytest.mark.usefixtures("without_the_extra")
class TestWithoutTheExtra:
    """The signatures are kept ones."""

    def test_verify_says_that_nothing_was_checked(self, tmp_path: Path, say: Say) -> None:
        made = copied("claim", tmp_path, say)
        shutil.copy(recording.HERE / "signatures" / "claim.sig.json", made.signature)
        code, said = made.verify()
        assert code == 0 and "Signed, not checked" in said and "[sign]" in said and NOT_SIGNED not in said
        answer = json.loads(made.verify("--json")[1])
        assert answer["signature"]["checked"] is False and answer["statement"]["signed"] is False

    def test_what_can_be_seen_without_it_is_seen(self, tmp_path: Path, say: Say) -> None:
        made = copied("rows_per_person", tmp_path, say)
        shutil.copy(recording.HERE / "signatures" / "claim.sig.json", made.signature)
        code, said = made.verify()
        assert code == 1 and said.startswith("The signature does NOT hold.")

    def test_a_key_that_is_named_cannot_be_checked_and_nothing_is_said_to_hold(self, tmp_path: Path, say: Say) -> None:
        made = copied("claim", tmp_path, say)
        shutil.copy(recording.HERE / "signatures" / "claim.sig.json", made.signature)
        code, said = made.verify("--public-key", made.signed["fingerprint"])
        assert code == 2 and "cryptography" in said and "holds" not in said
        assert made.verify("--public-key", "0" * 64)[0] == 1

    def test_nothing_is_signed(self, tmp_path: Path, say: Say) -> None:
        made = copied("claim", tmp_path, say)
        for words in (["sign", "--new-key"], ["sign", made.release]):
            assert say(*words)[0] == 2 and not made.signature.exists()
        assert "[sign]" in say("sign", "--new-key")[1] and not usual_key_file().exists()


# The key


def test_a_key_is_for_its_owner_alone_and_never_printed_or_overwritten(say: Say) -> None:
    code, said = say("sign", "--new-key")
    file = usual_key_file()
    assert code == 0 and stat.S_IMODE(file.stat().st_mode) == 0o600 and [*file.parent.iterdir()] == [file]
    secret = file.read_text("utf-8")
    body = secret.splitlines()[1]
    assert body not in said and "PRIVATE" not in said
    code, again = say("sign", "--new-key")
    assert code == 2 and "there already" in again and file.read_text("utf-8") == secret
    assert say("sign", "--new-key", "--force")[0] == 2 and file.read_text("utf-8") == secret
    code, shown = say("sign", "--show-key")
    assert code == 0 and shown.splitlines()[1:] == said.splitlines()[1:]


def test_the_key_is_in_nothing_that_signing_writes_or_prints(published: Published) -> None:
    body = usual_key_file().read_text("utf-8").splitlines()[1]
    texts = [published.signature.read_text("utf-8"), published.sign("--force", "--json")[1], published.verify()[1]]
    assert not [text for text in texts if body in text or body[:20] in text]


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o620, 0o601])
def test_a_key_that_others_can_read_signs_nothing(mode: int, published: Published) -> None:
    published.signature.unlink()
    usual_key_file().chmod(mode)
    code, said = published.sign()
    assert code == 2 and "chmod 600" in said and not published.signature.exists()
    assert published.say("sign", "--show-key")[0] == 2


@pytest.mark.parametrize("what", ["folder", "garbage", "another kind", "pipe", "nothing"])
def test_what_is_no_key_signs_nothing(what: str, published: Published, tmp_path: Path) -> None:
    published.signature.unlink()
    (tmp_path / "keys").mkdir()
    key = tmp_path / "keys" / "key"
    if what == "folder":
        key.mkdir()
    elif what == "pipe":
        os.mkfifo(key, 0o600)
    elif what != "nothing":
        key.write_text("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", encoding="utf-8")
        if what == "another kind":
            from cryptography.hazmat.primitives import serialization
            from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

            how = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            key.write_bytes(X25519PrivateKey.generate().private_bytes(*how))
        key.chmod(0o600)
    code, said = published.sign("--key", key)
    assert code == 2 and "Traceback" not in said and "unexpected" not in said and not published.signature.exists()


def test_what_lies_in_the_home_folder_is_signed_with_the_usual_key(
    published: Published, tmp_path: Path, say: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The settings lie below it; it is files of it that are passed on, not the whole of it."""
    home = published.release.parent
    settings = home / ".config" / "anonymisation-workbench" / "signing" / "key.pem"
    for place in (signing, signing_key):
        monkeypatch.setattr(place, "usual_key_file", lambda: settings)
    published.signature.unlink()
    assert say("sign", "--new-key")[0] == 0
    assert say("sign", published.release)[0] == 0 and published.verify()[0] == 0
    published.signature.unlink()
    beside = settings.with_name("release.csv")
    shutil.copy(published.release, beside)
    code, said = say("sign", beside, "--statement", published.statement)
    assert code == 2 and "passed on with it" in said and not published.signature.exists()


def test_a_key_lies_in_no_project_no_ledgers_and_nothing_that_is_published(
    published: Published, tmp_path: Path, say: Say
) -> None:
    ledgers = Path(os.environ["WORKBENCH_LEDGERS"])
    for place in (ledgers / "key.pem", ledgers / "deep" / "key.pem", tmp_path / "key.wbench"):
        code, said = say("sign", "--new-key", "--key", place)
        assert code == 2 and not place.exists(), said
    published.signature.unlink()
    for place in (published.release.parent / "key.pem", published.release.parent / "keys" / "key.pem"):
        assert say("sign", "--new-key", "--key", place)[0] == 0
        code, said = published.sign("--key", place)
        assert code == 2 and "passed on with it" in said and not published.signature.exists()


# Signing


def test_what_does_not_hold_is_not_signed(published: Published) -> None:
    published.signature.unlink()
    with published.release.open("a", encoding="utf-8") as file:
        file.write("A,B,C\n")
    code, said = published.sign()
    assert code == 2 and said.startswith("workbench: Nothing was signed.") and "NOT what is stated" in said
    assert not published.signature.exists()


def test_nothing_is_overwritten_unasked(published: Published) -> None:
    before = published.signature.read_bytes()
    assert published.sign()[0] == 2
    assert published.sign("--force")[0] == 0
    assert published.signature.read_bytes() == before  # the same key signs the same in the same way
    for one in (published.release, published.statement, published.note, usual_key_file()):
        content = one.read_bytes()
        assert published.sign("--out", one, "--force")[0] == 2
        assert one.read_bytes() == content


def test_a_note_alone_and_nothing_at_all_are_not_signed(published: Published, tmp_path: Path) -> None:
    assert published.say("sign")[0] == 2
    assert published.say("sign", "--new-key", published.release)[0] == 2
    published.statement.unlink()
    code, said = published.say("sign", published.release, "--statement", published.note, "--out", tmp_path / "s.json")
    assert code == 2 and "there is none" in said


@pytest.mark.parametrize("name", sorted(folder.name for folder in KEPT.iterdir() if folder.is_dir()))
def test_statements_of_every_kind_and_version_can_be_signed(name: str, tmp_path: Path, say: Say) -> None:
    made = copied(name, tmp_path, say)
    before = {file: file.read_bytes() for file in (made.statement, made.note)}
    assert say("sign", "--new-key")[0] == 0
    assert made.sign()[0] == 0
    assert before == {file: file.read_bytes() for file in before}
    code, said = made.verify("--public-key", made.signed["fingerprint"])
    assert code == 0 and "Signed by the key you named" in said


def test_a_new_release_is_signed_by_its_name_alone(tmp_path: Path, say: Say) -> None:
    out = tmp_path / "public" / "release.csv"
    out.parent.mkdir()
    data = tmp_path / "data.csv"
    data.write_text("town,job\n" + "Aarau,Nurse\nBasel,Cook\n" * 200, encoding="utf-8")
    made = say(
        "anonymise", data, "--group", "town", "--group", "job", "--epsilon", "1", "--delta", "1e-2", "--out", out,
        "--statement", out.with_name("release_statement.html"),
    )  # fmt: skip
    assert made[0] == 0, made
    assert say("sign", "--new-key")[0] == 0
    assert say("sign", out)[0] == 0
    assert "Signed by the key" in say("verify", out, "--statement", out.with_name("release_statement.html"))[1]


def test_kept_signatures_hold(say: Say) -> None:
    """What was signed once can be checked for ever."""
    for file in sorted((recording.HERE / "signatures").glob("*.sig.json")):
        folder = KEPT / file.name.removesuffix(".sig.json")
        named = json.loads(file.read_text("utf-8"))["public_key"]
        given = ["--statement", folder / "statement.html", "--signature", file, "--public-key", named]
        (release,) = folder.glob("release*")
        code, said = say("verify", release, *given)
        assert code == 0 and "Signed by the key you named" in said


@pytest.mark.parametrize(
    ("public", "message", "signature"),
    [
        (
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
            "d25bf5f0595bbe24655141438e7a100b",
        ),
        (
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            "72",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
            "387b2eaeb4302aeeb00d291612bb0c00",
        ),
    ],
)
def test_it_is_the_ed25519_of_rfc_8032(public: str, message: str, signature: str) -> None:
    """Section 7.1, tests 1 and 2."""
    given = bytes.fromhex(public), bytes.fromhex(signature), bytes.fromhex(message)
    assert ed25519.holds(*given)
    assert not ed25519.holds(given[0], given[1], given[2] + b"x")
