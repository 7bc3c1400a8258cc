"""The publisher's own key: a file that its owner alone may read, made once and never overwritten.

Nothing but signing reads it. It is in no project and in no folder of ledgers, and nothing prints it.
"""

from __future__ import annotations

from pathlib import Path

import platformdirs

from workbench.io import ed25519
from workbench.io.key_files import make_secret, read_secret


def usual_key_file() -> Path:
    """Where the key lies unless another place is named: in the person's settings. The file need not exist."""
    return Path(platformdirs.user_config_path("anonymisation-workbench", False)) / "signing" / "key.pem"


def make_key(path: Path) -> bytes:
    """Make a key, with the mode 0600, and write it where nothing is yet; returns the public key.

    Raises
    ------
    WorkbenchError
        If something is there already, it cannot be written, or cryptography is not installed.
    """
    private = ed25519.new_private_key()
    make_secret(path, private, "signs nothing any more")
    return ed25519.public_key_of(private)


def read_key(path: Path) -> bytes:
    """The private key in a file.

    Raises
    ------
    WorkbenchError
        If it cannot be read, is no file of this person's, or others may read it.
    """
    return read_secret(path, "workbench sign --new-key", "what it signs proves nothing")
