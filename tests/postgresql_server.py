"""A PostgreSQL server of our own, for the tests that read from one."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from workbench.io import addresses
from workbench.io.addresses import Address, Credentials

USER, PASSWORD = "planted_alice", "PLANTED-pa55"
TABLES = """
CREATE TABLE people (id int, zip text, w numeric(9, 2), born date, seen timestamptz, ok bool, tags text[]);
INSERT INTO people SELECT i, lpad(i::text, 5, '0'), i * 1.5, date '2000-01-01' + i, timestamptz '2020-01-01 12:00+00',
  i % 2 = 0, array['a'] FROM generate_series(1, 200) i;
CREATE SCHEMA other; CREATE TABLE other."odd %name" (a int); INSERT INTO other."odd %name" VALUES (7);
CREATE ROLE stranger LOGIN PASSWORD 'x';
"""


def _program(name: str) -> str | None:
    places = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return shutil.which(name) or (str(places[-1]) if places else None)


def _started(folder: Path, port: int) -> list[str]:
    """Make a server and start it; the command that stops it."""
    # It refuses to run as root, and must reach its folder.
    owner: dict[str, Any] = {}
    if os.name == "posix" and os.geteuid() == 0:
        import pwd

        nobody = pwd.getpwnam("nobody")
        os.chown(folder, nobody.pw_uid, nobody.pw_gid)
        owner = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}

    def run(*command: str) -> None:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder, **owner)

    data, control = str(folder / "data"), str(_program("pg_ctl"))
    secret = folder / "password"
    secret.write_text(PASSWORD)
    secret.chmod(0o644)
    run(str(_program("initdb")), "-D", data, "-U", USER, f"--pwfile={secret}", "-A", "scram-sha-256", "--no-sync")
    options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off"
    run(control, "-D", data, "-w", "-t", "120", "-o", options, "-l", str(folder / "log"), "start")
    return [control, "-D", data, "-m", "immediate", "stop"]


@pytest.fixture(scope="session")
def server() -> Iterator[Address]:
    """A server of our own, with two tables."""
    psycopg = pytest.importorskip("psycopg")
    pytest.importorskip("sqlalchemy")
    if _program("initdb") is None or _program("pg_ctl") is None:
        pytest.skip("there is no PostgreSQL")
    folder = Path(tempfile.mkdtemp(prefix="pg"))
    folder.chmod(0o755)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    stop: list[str] = []
    try:
        stop = _started(folder, port)
        with psycopg.connect(
            host="127.0.0.1", port=port, user=USER, password=PASSWORD, dbname="postgres", autocommit=True
        ) as made:
            made.execute(TABLES)
        yield Address(f"127.0.0.1:{port}", "postgres")
    finally:
        if stop:
            owner = {"user": "nobody", "extra_groups": []} if os.geteuid() == 0 else {}
            subprocess.run(stop, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **owner)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def address(server: Address, monkeypatch: pytest.MonkeyPatch) -> Iterator[Address]:
    """The server, with somebody who may ask there."""
    for name in ("PGUSER", "PGPASSWORD", "PGHOST", "PGPASSFILE", "PGSERVICE"):
        monkeypatch.delenv(name, raising=False)
    addresses.remember(server, Credentials(USER, PASSWORD))
    yield server
    addresses.forget(server)
    addresses.ask_with(None)
