"""Signing a release with the publisher's own key, which is read here and nowhere else."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from workbench.core.errors import WorkbenchError
from workbench.core.paths import followed
from workbench.core.progress import SILENT, Progress
from workbench.engines.store import Store
from workbench.io import ed25519
from workbench.io.atomic import atomic_write
from workbench.io.missing_package import install_command
from workbench.io.signing_key import make_key, read_key, usual_key_file
from workbench.report.signature import PublicKey, Signature, SignedContent, signature_file
from workbench.session.key_places import passed_on, refuse_place
from workbench.session.verifying.beside import received_files
from workbench.session.verifying.verify import ReceivedRelease, documents_of, verify


@dataclass(frozen=True)
class SignedRelease:
    """A signature that was written, and what its readers need of the key.

    Parameters
    ----------
    signature
        Its file, which is passed on with the release.
    key
        What may be published of the key.
    content
        The digests that were signed.
    page
        The statement.
    """

    signature: Path
    key: PublicKey
    content: SignedContent
    page: Path


@dataclass(frozen=True)
class PublisherKey:
    """The file of a key, and what may be published of it."""

    path: Path
    key: PublicKey


def cannot_sign() -> str:
    """Why nothing can be signed here, with the command that changes it; "" where it can be."""
    if ed25519.installed():
        return ""
    return f"Signing needs the package cryptography, which is not installed. {install_command(ed25519.EXTRA)}"


def sign_release(
    received: ReceivedRelease,
    key: Path | None = None,
    out: Path | None = None,
    *,
    overwrite: bool = False,
    store: Store | None = None,
    progress: Progress = SILENT,
) -> SignedRelease:
    """Verify a release, and sign what its statement says of it if that holds.

    Parameters
    ----------
    key
        Another file of the key than the usual one.
    out
        Where the signature is written; None for beside the statement, where `verify` finds it.
    overwrite
        Whether a signature that is there may go.
    store
        The engine that counts; None for this program.

    Raises
    ------
    WorkbenchError
        If there is no statement, it does not hold, the key cannot be used, or the signature cannot be written.
    """
    documents = list(received.documents)
    page = next((document.path for document in documents if document.page), None)
    if page is None:
        raise WorkbenchError(
            "What is signed is a statement, and there is none.",
            hint="Give the statement (HTML) that was written with the release as --statement.",
            field="statement",
        )
    checked = verify(received, store, progress)
    if not checked.holds:
        first, *more = checked.lines()
        raise WorkbenchError(
            "Nothing was signed.", hint="“workbench verify” says the same.", field="path", details=[first, *more]
        )
    content = SignedContent.of(documents, checked.fingerprint)
    target = out or signature_file(page)
    beside = [*checked.paths, *(document.path for document in documents)]
    signature = sign_statement(content, target, key, beside=beside, overwrite=overwrite)
    return SignedRelease(target, signature.key, content, page)


def sign_beside(release: Path, key: Path, *, overwrite: bool = False, progress: Progress = SILENT) -> SignedRelease:
    """The same of a released file with the statement that lies beside it."""
    found = received_files(release)
    documents = documents_of((found.release,), found.named)
    return sign_release(ReceivedRelease((found.release,), documents), key, overwrite=overwrite, progress=progress)


def make_key_in(path: Path) -> PublisherKey:
    """Make a key in this file, where nothing is yet; see `new_key`."""
    return PublisherKey(*new_key(path))


def usual_key() -> Path:
    """Where the key lies unless another place is named; the file need not exist."""
    return usual_key_file()


def new_key(path: Path | None = None) -> tuple[Path, PublicKey]:
    """Make a key where none is yet; returns its file, and what may be published of it.

    Raises
    ------
    WorkbenchError
        If it cannot be made there, or must not be.
    """
    target = path or usual_key_file()
    refuse_place(target)
    return target, PublicKey(make_key(target))


def public_key(path: Path | None = None) -> tuple[Path, PublicKey]:
    """The file of the key, and what may be published of it; raises WorkbenchError if it cannot be used."""
    target = path or usual_key_file()
    return target, PublicKey(ed25519.public_key_of(read_key(target)))


def sign_statement(
    content: SignedContent,
    out: Path,
    key: Path | None = None,
    *,
    beside: Collection[Path] = (),
    overwrite: bool = False,
) -> Signature:
    """Sign what was checked, and write the signature.

    Parameters
    ----------
    content
        The digests of note, page and file.
    key
        Another file of the key than the usual one.
    beside
        What is passed on with the signature, or is what it signs: never overwritten, and the key lies in none of
        their folders.
    overwrite
        Whether a signature that is there may go.

    Raises
    ------
    WorkbenchError
        If the key cannot be used or must not lie where it does, or the signature cannot be written.
    """
    target = key or usual_key_file()
    refuse_place(target)
    if passed_on(followed(target), usual_key_file(), [followed(path) for path in (*beside, out)]):
        raise WorkbenchError(
            f"The key “{target}” lies in the folder of what is published, and would be passed on with it.",
            hint="Keep it in a folder of its own.",
            field="key",
        )
    if out.exists() and not overwrite:
        raise WorkbenchError(
            f"“{out}” is there already.", hint="Give another name with --out, or add --force.", field="out"
        )
    private = read_key(target)
    made = PublicKey(ed25519.public_key_of(private))
    signature = Signature(made, content, ed25519.sign(private, content.message))
    text = json.dumps(signature.to_json(), indent=1, sort_keys=False) + "\n"
    with atomic_write(out, "t", protected=[*beside, target]) as file:
        file.write(text)
    return signature
