"""Connection strings of Spark, and whether anybody answers there."""

from __future__ import annotations

import re
import socket
from dataclasses import dataclass
from enum import StrEnum

from workbench.core.errors import WorkbenchError

LOCAL = "spark-local"
"""The connection string of Spark on this machine with all its processors."""

_PROBE = 4.0  # seconds a host has to accept a connection
_HOSTS = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?")
_LOCAL = re.compile(r"local(\[(\*|[1-9]\d{0,3})\])?")


class SparkPlacement(StrEnum):
    """The place where a Spark runs."""

    LOCAL = "local"
    CLUSTER = "cluster"
    CONNECT = "connect"


@dataclass(frozen=True)
class Connection:
    """A connection string that was understood.

    Parameters
    ----------
    text
        As Spark wants it.
    hosts
        Host and port of each server that may answer; none for this machine.
    """

    kind: SparkPlacement
    text: str
    hosts: tuple[tuple[str, int], ...] = ()

    @property
    def title(self) -> str:
        """Name of the connection as people call it."""
        return "Spark on this machine" if self.kind is SparkPlacement.LOCAL else f"Spark at {self.hosts[0][0]}"

    @classmethod
    def of(cls, text: str) -> Connection:
        """Understand `spark-local`, `local[4]`, `spark://host:7077` or `sc://host:15002`.

        Raises
        ------
        WorkbenchError
            If it is something else, or holds a password or token: connection strings are kept in projects.
        """
        given = text.strip()
        if given == LOCAL:
            return cls(SparkPlacement.LOCAL, "local[*]")
        if _LOCAL.fullmatch(given):
            return cls(SparkPlacement.LOCAL, given)
        scheme, mark, rest = given.partition("://")
        kinds = {"spark": (SparkPlacement.CLUSTER, 7077), "sc": (SparkPlacement.CONNECT, 15002)}
        if not mark or scheme not in kinds:
            raise _not_understood(f"“{_shown(given)}” is no connection to Spark.")
        if "@" in rest or re.search(r"token|passw|secret|user_id", rest, re.IGNORECASE):
            raise WorkbenchError(
                "A connection to Spark must not hold a name, password or token: it is kept in the project.",
                hint="Leave it out. Spark reads a token from the environment variable "
                "SPARK_CONNECT_AUTHENTICATE_TOKEN, and other secrets from its own spark-defaults.conf.",
                field="engine",
            )
        kind, usual = kinds[scheme]
        where, _, options = rest.partition("/")
        if options.strip("/;") and not (
            kind is SparkPlacement.CONNECT and re.fullmatch(r";use_ssl=(true|false);?", options)
        ):
            raise _not_understood(f"“{_shown(options)}” after the host is not understood.")
        hosts = []
        for part in where.split(",") if kind is SparkPlacement.CLUSTER else [where]:
            found = _HOSTS.fullmatch(part)
            port = int(found[2] or usual) if found else 0
            if found is None or not 0 < port < 1 << 16:
                raise _not_understood(f"“{_shown(part)}” is no host and port.")
            hosts.append((found[1], port))
        named = ",".join(f"{host}:{port}" for host, port in hosts)
        return cls(kind, f"{scheme}://{named}{'/' + options if options.strip('/;') else ''}", tuple(hosts))


def _not_understood(message: str) -> WorkbenchError:
    return WorkbenchError(
        message,
        hint=f"Give {LOCAL} or local[2] for this machine, spark://host:7077 for a cluster, or sc://host:15002 for "
        "Spark Connect.",
        field="engine",
    )


def _shown(text: str) -> str:
    return re.sub(r"[^\x20-\x7e]", "?", text[:60])


def probe(connection: Connection) -> None:
    """Refuse a connection where no server answers; Spark itself would try for minutes.

    Raises
    ------
    WorkbenchError
        If none of the hosts accepts a connection.
    """
    reasons = []
    for host, port in connection.hosts:
        try:
            socket.create_connection((host.strip("[]"), port), _PROBE).close()
            return
        except (OSError, UnicodeError) as error:
            unknown = isinstance(error, socket.gaierror | UnicodeError)
            late = isinstance(error, TimeoutError)
            why = "there is no such host" if unknown else "it does not answer" if late else "nothing listens there"
            reasons.append(f"{host}:{port}: {why}")
    if reasons:
        raise WorkbenchError(
            f"Spark cannot be reached at {'; '.join(reasons)}.",
            hint="Check host and port, and that the cluster runs and lets this machine in.",
            field="engine",
        )
