"""Addresses of tables on a database server, such as `postgresql://host:5432/name`, and who may ask there.

An address stands wherever a path does: `Path` writes it with one slash, `postgresql:/host:5432/name`, and both are
read. It never holds a user or a password. Those come from the environment (`PGUSER`, `PGPASSWORD`, `~/.pgpass`, …) or
are asked for, are kept in this process only, by the address they are for, and are written nowhere.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

from workbench.core.errors import WorkbenchError

_SCHEME = re.compile(r"(?:postgresql|postgres)(?:\+[a-z0-9_]+)?:/{1,3}", re.IGNORECASE)
"""Also with the driver that SQLAlchemy would be told."""
_OTHER = re.compile(r"(?:^|[/\\])[a-z][a-z0-9+.-]+:(?:[a-z0-9+.-]+:)?/{1,3}[^/]*@", re.IGNORECASE)
_HOST = re.compile(r"(?:[\w.-]+|\[[0-9A-Fa-f:.]+\])?(?::([0-9]{1,5}))?")
EXAMPLE = "postgresql://host:5432/database"
PASSWORD = "password"
"""The field of errors that another user or password is the way out of."""


def is_address(given: str | os.PathLike[str]) -> bool:
    """Whether something that stands for data is the address of a database server and no path."""
    return _SCHEME.match(os.fspath(given)) is not None


def is_other_address(given: str | os.PathLike[str]) -> bool:
    """Whether it is the address of another kind of server, with who asks there and perhaps a password."""
    return _OTHER.search(os.fspath(given)) is not None


@dataclass(frozen=True)
class Address:
    """The address of a database.

    Parameters
    ----------
    host
        The server with its port, as it was written; "" for the usual one, which `PGHOST` and `PGPORT` name.
    database
        Its name there.
    """

    host: str
    database: str

    @classmethod
    def of(cls, given: str | os.PathLike[str]) -> Address:
        """The address that was typed; a user in it is remembered for this process.

        Raises
        ------
        WorkbenchError
            If it is none, or holds a password, which is not repeated.
        """
        text = os.fspath(given)
        found = _SCHEME.match(text)
        if found is None:
            raise no_address()
        place, slash, database = text[found.end() :].rpartition("/")
        user, at, host = place.rpartition("@")
        if ":" in user or "?" in text or "#" in text or (not slash and "@" in database):
            raise WorkbenchError(
                "The address of a database may hold no password and no options: whatever stands there is kept.",
                hint=f"Write it like {EXAMPLE}, and give a password in PGPASSWORD or ~/.pgpass, or when it is asked "
                "for. Options are given by PGSSLMODE and its like.",
                field="path",
            )
        named = _HOST.fullmatch(host)
        if not database or "/" in place or named is None or (named[1] and int(named[1]) > 65535):
            raise no_address()
        address = cls(host.lower(), unquote(database))
        if at and user:
            remember(address, Credentials(unquote(user)))
        return address

    @property
    def path(self) -> Path:
        """The address where a path is wanted."""
        return Path(f"postgresql:/{self.host}/{_quoted(self.database)}")

    def __str__(self) -> str:
        return f"postgresql://{self.host}/{_quoted(self.database)}"


@dataclass(frozen=True)
class Credentials:
    """The name and password of whoever asks; what is empty comes from the environment. Never shown."""

    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)


_known: dict[Address, Credentials] = {}
_lock = threading.Lock()
_askers: list[Callable[[Address], Credentials | None]] = []


def remember(address: Address, credentials: Credentials) -> None:
    """Keep who asks at an address until this process ends; a password that is known stays with its user."""
    with _lock:
        before = _known.get(address, Credentials())
        if not credentials.password and credentials.user in ("", before.user):
            return
        _known[address] = credentials


def credentials_for(address: Address) -> Credentials:
    """Who was said to ask at an address; nobody if the environment is to say."""
    with _lock:
        return _known.get(address, Credentials())


def ask_with(asker: Callable[[Address], Credentials | None] | None) -> None:
    """Let a person be asked, on whatever thread reads, where a server refuses who asks; None asks nobody."""
    _askers[:] = [asker] if asker is not None else []


def asked(address: Address) -> bool:
    """Ask the person, if there is one to be asked; whether there is an answer, which is remembered then."""
    given = _askers[0](address) if _askers else None
    if given is not None:
        remember(address, given)
    return given is not None


def forget(address: Address) -> None:
    """Forget who asks at an address."""
    with _lock:
        _known.pop(address, None)


def _quoted(name: str) -> str:
    return re.sub(r"[%/?#@*\[\]]", lambda found: f"%{ord(found[0]):02X}", name)


def no_address() -> WorkbenchError:
    """The error of an address that none is read from, which is not repeated."""
    return WorkbenchError("This is no address of a database.", hint=f"Write it like {EXAMPLE}.", field="path")
