"""Signing a statement with the publisher's own key, which is read here and nowhere else."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path

from workbench.core.errors import WorkbenchError
from workbench.io import ed25519
from workbench.io.atomic import atomic_write
from workbench.io.signing_key import make_key, read_key, usual_key_file
from workbench.project.storage import SUFFIX
from workbench.query.ledger_file import ledgers_folder
from workbench.report.signature import PublicKey, Signature, SignedContent


def new_key(path: Path | None = None) -> tuple[Path, PublicKey]:
    """Make a key where none is yet; returns its file, and what may be published of it.

    Raises
    ------
    WorkbenchError
        If it cannot be made there, or must not be.
    """
    target = path or usual_key_file()
    _refuse_place(target)
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
    _refuse_place(target)
    if _passed_on(target.resolve(), [path.resolve() for path in (*beside, out)]):
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


def _passed_on(key: Path, paths: Collection[Path]) -> bool:
    """Whether a key lies where it may be copied along with these files, or with their folders."""
    if key == usual_key_file().resolve():  # a file in the home folder, above the settings, is not passed on with it
        return any(path in key.parents if path.is_dir() else path.parent == key.parent for path in paths)
    return any((path if path.is_dir() else path.parent) in key.parents for path in paths)


def _refuse_place(target: Path) -> None:
    """Refuse where a key would be copied along with other things, or taken for one of them."""
    if target.suffix.lower() == SUFFIX:
        raise WorkbenchError(
            f"“{target.name}” is the name of a project, and no key is ever in one.",
            hint="Give the key another name.",
            field="key",
        )
    if ledgers_folder().resolve() in target.resolve().parents:
        raise WorkbenchError(
            f"“{target}” lies in the folder of the ledgers, where no key to sign with belongs.",
            hint="Keep it in a folder of its own.",
            field="key",
        )
