"""The key of pseudonyms: a file that its owner alone may read, made once and never overwritten.

Nothing but making pseudonyms reads it. It is in no project, ledger, statement or copied command, and nothing prints it.
"""

from __future__ import annotations

import base64
import binascii
import secrets
from pathlib import Path

import platformdirs

from workbench.core.errors import WorkbenchError
from workbench.core.pseudonyms import KEY_BYTES
from workbench.io.key_files import make_secret, read_secret

# A file that begins so is never written over, as one with a key to sign with is not.
_BEGIN, _END = "-----BEGIN PSEUDONYM PRIVATE KEY-----", "-----END PSEUDONYM PRIVATE KEY-----"


def usual_pseudonym_key() -> Path:
    """Where the key lies unless another place is named: in the person's settings. The file need not exist."""
    return Path(platformdirs.user_config_path("anonymisation-workbench", False)) / "pseudonyms" / "key.pem"


def make_pseudonym_key(path: Path) -> None:
    """Make a key of the operating system's randomness, with the mode 0600, where nothing is yet.

    Raises
    ------
    WorkbenchError
        If something is there already, or it cannot be written.
    """
    text = base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode("ascii")
    make_secret(path, f"{_BEGIN}\n{text}\n{_END}\n".encode("ascii"), "gives nobody the same pseudonyms again")


def read_pseudonym_key(path: Path) -> bytes:
    """The key in a file.

    Raises
    ------
    WorkbenchError
        If it cannot be read, holds none, is no file of this person's, or others may read it.
    """
    content = read_secret(
        path, "workbench pseudonymise --new-key", "whoever has read it can tell whom its pseudonyms stand for"
    )
    try:
        begin, text, end = content.decode("ascii").strip().splitlines()
        key = base64.b64decode(text, validate=True)
    except (ValueError, binascii.Error):
        begin, end, key = "", "", b""
    if (begin, end) != (_BEGIN, _END) or len(key) != KEY_BYTES:
        raise WorkbenchError(
            f"“{path}” holds no key of pseudonyms.",
            hint="Make one with “workbench pseudonymise --new-key”, or name yours with --key.",
            field="key",
        )
    return key
