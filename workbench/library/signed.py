"""Signing a release with the publisher's own key, which is never shown."""

from __future__ import annotations

from pathlib import Path

from workbench.library.plainly import plainly
from workbench.library.showing import showing
from workbench.session import signing
from workbench.session.signing import PublisherKey, SignedRelease
from workbench.session.verifying.beside import received_files
from workbench.session.verifying.verify import ReceivedRelease, documents_of


@plainly
def sign(
    path: str | Path, *, key: str | Path = "", out: str | Path = "", statement: str | Path = "", force: bool = False
) -> SignedRelease:
    """Verify a release, and sign its statement if that holds; needs `pip install '.[sign]'`.

    >>> import os
    >>> os.mkdir("out")
    >>> key = wb.new_key("mine/key.pem")
    >>> file = wb.open(people).release(["job"], levels={"job": 0}).save("out/jobs.csv")
    >>> wb.sign(file, key=key.path).signature.name
    'jobs_statement.sig.json'
    >>> wb.verify(file, key=key.key.text).holds
    True

    Parameters
    ----------
    path
        The released file; its statement and note lie beside it.
    key
        The file of your key; "" for the one in your settings, which `new_key` makes.
    out
        Where the signature is written; "" for beside the statement, where `verify` finds it.
    statement
        The statement, where it lies elsewhere.
    force
        Whether a signature that is there may be overwritten.

    Returns
    -------
    SignedRelease
        `signature`, its file, which is passed on with the release, and `key`: what may be published of the key.

    Raises
    ------
    Refused
        If there is no statement, it does not hold, the key cannot be used or lies beside what is published, or the
        package cryptography is missing.
    """
    found = received_files(Path(path))
    if statement:
        found = found.beside(Path(statement))
    received = ReceivedRelease((found.release,), documents_of((found.release,), found.named))
    with showing("Verifying") as progress:
        return signing.sign_release(
            received, Path(key) if key else None, Path(out) if out else None, overwrite=force, progress=progress
        )


@plainly
def new_key(path: str | Path = "") -> PublisherKey:
    """Make a key to sign with, once, in a file that only you may read; needs `pip install '.[sign]'`.

    >>> made = wb.new_key("keys/mine.pem")
    >>> made.path.name, len(made.key.fingerprint) > 20
    ('mine.pem', True)

    Parameters
    ----------
    path
        The file, where nothing is yet; "" for the one in your settings.

    Returns
    -------
    PublisherKey
        `path`, and `key` with its `text` and `fingerprint`, to be published where readers know that it is from you.

    Raises
    ------
    Refused
        If something is there, or a key must not lie there.
    """
    return PublisherKey(*signing.new_key(Path(path) if path else None))
