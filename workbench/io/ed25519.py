"""Signatures by Ed25519 (RFC 8032), through the package cryptography, which is optional and imported when needed."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

from workbench.core.errors import WorkbenchError
from workbench.io.missing_package import install_command

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

EXTRA = "sign"
PUBLIC_BYTES = 32
SIGNATURE_BYTES = 64


def available() -> bool:
    """Whether signatures can be made and checked here."""
    try:
        import cryptography.hazmat.primitives.asymmetric.ed25519  # noqa: F401
    except ImportError:
        return False
    return True


def installed() -> bool:
    """Whether the package is there, without importing it."""
    try:
        return importlib.util.find_spec("cryptography") is not None
    except ValueError:  # it was tried before, in vain
        return False


def new_private_key() -> bytes:
    """A new private key from the operating system's randomness, as PEM (PKCS #8, without a passphrase).

    Raises
    ------
    WorkbenchError
        If cryptography is not installed.
    """
    _needed()
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def public_key_of(private: bytes) -> bytes:
    """The 32 bytes of the public key that goes with a private one.

    Raises
    ------
    WorkbenchError
        If it is no private key of Ed25519, or cryptography is not installed.
    """
    return _loaded(private).public_key().public_bytes_raw()


def sign(private: bytes, message: bytes) -> bytes:
    """The signature of a message, of 64 bytes, and the same each time; raises as `public_key_of` does."""
    return _loaded(private).sign(message)


def holds(public: bytes, signature: bytes, message: bytes) -> bool:
    """Whether the owner of the private key that goes with a public one has signed just this message.

    Raises
    ------
    WorkbenchError
        If cryptography is not installed.
    """
    _needed()
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def _loaded(private: bytes) -> Ed25519PrivateKey:
    _needed()
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    try:
        key = serialization.load_pem_private_key(private, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        key = None  # what went wrong could quote the key
    if not isinstance(key, Ed25519PrivateKey):
        raise WorkbenchError(
            "This file holds no private key of Ed25519, or one behind a passphrase.",
            hint="Give the file that “workbench sign --new-key” made.",
            field="key",
        )
    return key


def _needed() -> None:
    if not available():
        raise WorkbenchError(
            "To make and to check signatures, the package cryptography is needed, and it is not installed.",
            hint=f"Install it with the command: {install_command(EXTRA)}",
            field="key",
        )
