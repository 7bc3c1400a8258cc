"""Signatures of statements: what is signed, the file that holds a signature, and what it proves.

Signed is a short canonical JSON that holds three digests: of the note in canonical JSON (from which every sentence of
the statement follows), of the page as it lies on the disk, and of the released file. A signature is a file of its own
beside the statement, so statements stay what they are. It proves that whoever holds a key has signed these; not who
that is, nor that what is stated is true.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.core.json_values import read_json
from workbench.io import ed25519
from workbench.io.missing_package import install_command
from workbench.io.opening import explained
from workbench.report.note import StatementDocument

FORMAT = "anonymisation-workbench-signature"
SIGNED = "anonymisation-workbench-signed-statement"
VERSION = 1
ALGORITHM = "Ed25519"
_SCHEME = "ed25519:"
_LARGEST = 1 << 16


def canonical(plain: Mapping[str, Any]) -> bytes:
    """JSON that is the same for the same content: names sorted, nothing between, all in ASCII."""
    return json.dumps(plain, ensure_ascii=True, allow_nan=False, sort_keys=True, separators=(",", ":")).encode("ascii")


@dataclass(frozen=True)
class PublicKey:
    """A public key, of 32 bytes, which anybody may know."""

    content: bytes

    @property
    def text(self) -> str:
        """As it is published."""
        return _SCHEME + base64.b64encode(self.content).decode("ascii")

    @property
    def fingerprint(self) -> str:
        """Its SHA-256, in hexadecimal: as good as the key to tell it from others."""
        return hashlib.sha256(self.content).hexdigest()

    @classmethod
    def parse(cls, text: str) -> PublicKey:
        """From its text; raises ValueError if it is none."""
        if not text.startswith(_SCHEME):
            raise ValueError(f"a public key begins with {_SCHEME}")
        content = base64.b64decode(text.removeprefix(_SCHEME), validate=True)
        if len(content) != ed25519.PUBLIC_BYTES or cls(content).text != text:
            raise ValueError("it is no public key of Ed25519")
        return cls(content)


def named_fingerprint(given: str) -> str:
    """The fingerprint of the key a person names: by it, by the key, or by a file that holds either.

    Raises
    ------
    WorkbenchError
        If it is none of these.
    """
    found = _fingerprint(given)
    path = Path(given)
    if not found and path.is_file():
        with explained(path), path.open("rb") as file:
            text = file.read(_LARGEST).decode("utf-8", "replace")
        lines = [line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
        found = _fingerprint(lines[0]) if len(lines) == 1 else ""
    if not found:
        raise WorkbenchError(
            f"“{given}” is no public key, no fingerprint of one, and no file that holds one of them.",
            hint=f"Give the publisher's key ({_SCHEME}…), its fingerprint (64 digits), or a file with nothing else.",
            field="public_key",
        )
    return found


def _fingerprint(text: str) -> str:
    plain = text.strip().lower()
    if re.fullmatch("[0-9a-f]{64}", plain):
        return plain
    try:
        return PublicKey.parse(text.strip()).fingerprint
    except ValueError:
        return ""


@dataclass(frozen=True)
class SignedContent:
    """The content that is signed, as SHA-256 in hexadecimal.

    Parameters
    ----------
    note
        Of the note in canonical JSON.
    page
        Of the bytes of the statement; "" if it is not known.
    file
        Of the released file; of those of its parts for a folder of them.
    """

    note: str
    page: str
    file: str

    @classmethod
    def of(cls, documents: list[StatementDocument], fingerprint: str) -> SignedContent:
        """Of a statement, a note or both, and of the released file as it was counted."""
        page = next((one for one in documents if one.page), None)
        note = hashlib.sha256(canonical((page or documents[0]).facts)).hexdigest()
        return cls(note, page.sha256 if page is not None else "", fingerprint)

    def to_json(self) -> dict[str, str]:
        return {"note_sha256": self.note, "page_sha256": self.page, "file_sha256": self.file}

    @property
    def message(self) -> bytes:
        """The bytes that are signed."""
        return canonical({"format": SIGNED, "version": VERSION, **self.to_json()})


@dataclass(frozen=True)
class Signature:
    """A signature, and the public key that it is checked with."""

    key: PublicKey
    signed: SignedContent
    content: bytes

    def to_json(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "version": VERSION,
            "algorithm": ALGORITHM,
            "public_key": self.key.text,
            "fingerprint": self.key.fingerprint,
            "signed": self.signed.to_json(),
            "signature": base64.b64encode(self.content).decode("ascii"),
        }

    @classmethod
    def from_json(cls, plain: Any) -> Signature:
        """From what a file holds, and nothing beside it; raises ValueError, KeyError or TypeError if it is none."""
        signed = SignedContent(*(str(plain["signed"][f"{name}_sha256"]) for name in ("note", "page", "file")))
        content = base64.b64decode(plain["signature"], validate=True)
        found = cls(PublicKey.parse(plain["public_key"]), signed, content)
        if not all(re.fullmatch("[0-9a-f]{64}", digest) for digest in signed.to_json().values()):
            raise ValueError("what is signed in it is no SHA-256")
        if len(content) != ed25519.SIGNATURE_BYTES or canonical(found.to_json()) != canonical(plain):  # True is no 1
            raise ValueError("it is of another kind or a newer version, or holds more than a signature")
        return found


def signature_file(statement: Path) -> Path:
    """The name of the signature that belongs to a statement or a note."""
    return statement.with_name(f"{statement.stem}.sig.json")


def signs_another(path: Path, file: str) -> bool:
    """Whether a signature is there that is of another file than the one with this SHA-256, or cannot be read."""
    try:
        with path.open("rb") as stream:
            found = Signature.from_json(read_json(stream.read(_LARGEST + 1).decode("utf-8")))
    except FileNotFoundError:
        return False
    except (OSError, *_MALFORMED):
        return True
    return found.signed.file != file


@dataclass(frozen=True)
class Judged:
    """The findings about the signature of a statement.

    Parameters
    ----------
    name
        Of the file with the signature; "" if there is none.
    key
        That it says it was made with; None if it cannot be read, or there is none.
    named
        The fingerprint of the key it had to be made with; "" if none was named.
    checked
        Whether it was checked, for which cryptography is needed.
    faults
        What is wrong with it.
    """

    name: str
    key: PublicKey | None
    named: str
    checked: bool
    faults: tuple[str, ...]
    unchecked: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether nothing is wrong with it, as far as it was checked."""
        return not self.faults

    @property
    def proven(self) -> bool:
        """Whether the key has signed this."""
        return self.checked and self.holds

    @property
    def sentence(self) -> str:
        """The judgement in one or two sentences."""
        if self.holds and self.checked and not self.named:
            return f"{self.found.removesuffix('.')}, and can name it with --public-key."
        return self.found

    @property
    def found(self) -> str:
        """The same, without a word on how a key is named."""
        if self.faults:
            return "The signature does NOT hold." if self.name else "It is NOT signed."
        if not self.checked:
            return f"Signed, not checked: that needs the package cryptography ({install_command(ed25519.EXTRA)})."
        assert self.key is not None
        if self.named:
            return f"Signed by the key you named, {self.key.fingerprint}."
        return (
            f"Signed by the key {self.key.fingerprint}; whether that key is the publisher's you must know from "
            "elsewhere."
        )

    def to_json(self) -> dict[str, Any]:
        """As JSON would hold it."""
        return {
            "holds": self.holds,
            "checked": self.checked,
            "file": self.name or None,
            "public_key": None if self.key is None else self.key.text,
            "fingerprint": None if self.key is None else self.key.fingerprint,
            "named": self.named or None,
            "faults": list(self.faults),
            "unchecked": list(self.unchecked),
        }


def unsigned(named: str) -> Judged:
    """The judgement where somebody's signature is wanted, and there is none."""
    return Judged("", None, named, True, (f"There is no signature of the key {named}.",))


PAGE_NOT_GIVEN = "Whether the page is the one that was signed: it was not given."
"""The caution where only the note is at hand, and not its page."""


def judge(path: Path, given: SignedContent, named: str = "") -> Judged:
    """Check the signature in a file.

    Parameters
    ----------
    given
        What is in fact there, to which the signature must belong.
    named
        The fingerprint of the key it must be made with; "" for any.

    Raises
    ------
    WorkbenchError
        If the file cannot be read; or a key is named, and cryptography is not installed.
    """
    with explained(path), path.open("rb") as file:
        content = file.read(_LARGEST + 1)
    try:
        if len(content) > _LARGEST:
            raise ValueError("it is too large")
        found = Signature.from_json(read_json(content.decode("utf-8")))
    except _MALFORMED as error:
        why = error if isinstance(error, ValueError) else "it holds something else"
        return Judged(path.name, None, named, True, (f"“{path.name}” is no signature that can be read: {why}.",))
    faults = [
        f"“{path.name}” was made for another {what}."
        for what, one, other in (
            ("note", found.signed.note, given.note),
            ("page", found.signed.page, given.page or found.signed.page),
            ("released file", found.signed.file, given.file),
        )
        if one != other
    ]
    if found.signed.file != given.file:
        faults.append("It may be left from an earlier release of this name: then sign this one anew, or remove it.")
    if named and named != found.key.fingerprint:
        faults.append(f"It is of the key {found.key.fingerprint}, and not of the one you named.")
    checked = ed25519.available() or (bool(named) and not faults)
    if checked and not ed25519.holds(found.key.content, found.content, found.signed.message):
        faults.append(f"“{path.name}” was not made by the key that it names, or was changed.")
    unseen = () if given.page else (PAGE_NOT_GIVEN,)
    return Judged(path.name, found.key, named, checked, tuple(faults), unseen)


_MALFORMED = (ValueError, KeyError, TypeError, AttributeError, RecursionError)
