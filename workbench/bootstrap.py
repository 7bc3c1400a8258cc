"""The way from a fresh checkout to a running program, with nothing but Python.

`python3 -m workbench` and `python3 tests` call `prepare` before they import anything that must be installed
first. It looks, in this order, for:

1. an active virtual environment of a person's: what is missing is installed into it;
2. the environment that an earlier start made, or a `.venv` that a person made: if its own Python says that it has
   what is needed, the program starts again in it;
3. a Python that already has everything: the program just runs;
4. otherwise an environment is made, filled, and the program starts again in it.

An environment that a start made is never changed or removed to be replaced: another one is made beside it (see
`environments.py`). Whatever goes wrong meanwhile, the old one is there and is used. This module imports the standard
library only, since nothing else is there yet. Everything it says goes to standard error.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from workbench.checkout import BootstrapError, Checkout, say
from workbench.environments import BESIDE, EnvironmentStamp, alone, hold, python_of

FAILED = 2
INTERRUPTED = 130
PROGRAM = "gui,published"
"""The extras of a start from the program's folder: its window, and what answers are compared with."""
_RESTARTED = "WORKBENCH_RESTARTED"


def restart(python: Path) -> NoReturn:
    """Start the program again, with the same arguments, in another Python."""
    command = [str(python), *sys.orig_argv[1:]]
    os.environ[_RESTARTED] = "1"
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # as one is that was closed
            with contextlib.suppress(OSError, ValueError):  # the program that starts again says so itself
                stream.flush()
    if os.name == "nt":
        # There, execv returns to the shell at once and leaves two programs reading the same console.
        raise SystemExit(subprocess.call(command))
    os.execv(command[0], command)


def prepare(
    extra: str = "",
    *,
    checkout: Checkout | None = None,
    restart: Callable[[Path], None] = restart,
) -> None:
    """Return only in a Python that has everything the program needs; install or start again as necessary.

    Parameters
    ----------
    extra
        Names of extras of `pyproject.toml` that are needed too, with commas between them, such as "test".
    checkout
        The source folder; by default the one this module lies in. Where the program was installed rather than
        checked out there is none, and nothing to do.
    restart
        Starts the program again in another Python.

    Raises
    ------
    SystemExit
        With code 2, after a message on standard error, if the environment cannot be prepared.
    """
    checkout = checkout or Checkout(Path(__file__).resolve().parents[1])
    again = os.environ.pop(_RESTARTED, "")
    if not checkout.exists:
        return
    try:
        if again:
            _confirm(checkout)
        else:
            _prepare(checkout, extra, restart)
    except BootstrapError as error:
        say(str(error))
        raise SystemExit(FAILED) from None
    except OSError as error:
        say(f"The environment could not be prepared: {error}.")
        raise SystemExit(FAILED) from None
    except KeyboardInterrupt:
        say("Interrupted; the next start goes on from here.")
        raise SystemExit(INTERRUPTED) from None


def _prepare(checkout: Checkout, extra: str, restart: Callable[[Path], None]) -> None:
    active = checkout.active
    if active is not None:
        return _prepare_active(checkout, active, extra)
    _tidy(checkout)
    found = checkout.find()
    if found is None or checkout.lacks(found, extra) != []:
        if not checkout.interpreter.in_environment and not checkout.unmet(extra):
            return None
        found = _made(checkout, extra)
    return _enter(checkout, extra, found, restart)


def _prepare_active(checkout: Checkout, active: Path, extra: str) -> None:
    """See that a person's environment, in which the program runs already, has what is needed."""
    stamp = EnvironmentStamp.read(active) or EnvironmentStamp()
    if set(checkout.unmet(extra)) <= set(stamp.accepted):
        return
    with alone(checkout.root, _say_waiting):
        _keeping(checkout, active, extra, lambda: checkout.complete(extra, active))
    importlib.invalidate_caches()


def _made(checkout: Checkout, extra: str) -> Path:
    """An environment that has what is needed, made now unless another start made it meanwhile."""
    with alone(checkout.root, _say_waiting):
        found = checkout.find()
        if found and checkout.lacks(found, extra) == []:
            return found
        stamp = EnvironmentStamp.read(found) if found else None
        in_place = found is not None and not (BESIDE and stamp and stamp.made_by_start)
        make = checkout.complete if in_place else checkout.build
        _keeping(checkout, found, extra, lambda: make(extra, found))
        checkout.shelf.tidy()
        found = checkout.find()
    assert found is not None
    return found


def _keeping(checkout: Checkout, found: Path | None, extra: str, make: Callable[[], object]) -> None:
    """Make an environment; where that fails and there is one in which the program starts, that is good enough."""
    say(f"Preparing the environment in {_shown(checkout, found)} (once, about a minute)…")
    try:
        make()
    except (BootstrapError, OSError):
        if found is None or not checkout.can_start(found, extra):
            raise
        lacking = checkout.lacks(found, extra) or checkout.unmet(extra)
        say(f"This could not be installed: {', '.join(lacking)}; going on without, the next start tries again.")
    else:
        say("The environment is ready.")


def _shown(checkout: Checkout, found: Path | None) -> Path:
    place = checkout.shelf.link() if found is None or checkout.shelf.holds(found) else found
    return place.relative_to(checkout.root) if place.is_relative_to(checkout.root) else place


def _enter(checkout: Checkout, extra: str, found: Path, restart: Callable[[Path], None]) -> None:
    """Go on in an environment, by its own path: through the link, a program would import from whatever comes next."""
    if not hold(found, across_restart=True):
        return _prepare(checkout, extra, restart)
    if checkout.interpreter.prefix == found:
        return None
    return restart(python_of(found))


def _confirm(checkout: Checkout) -> None:
    """See that a start which was to lead into an environment did."""
    if not checkout.interpreter.in_environment:
        raise BootstrapError(
            f"{checkout.interpreter.executable} was started, but it is not running as the virtual environment it "
            "belongs to.\nIs PYTHONHOME set? If not, delete .venv and .venvs and start again."
        )


def _tidy(checkout: Checkout) -> None:
    if checkout.shelf.is_tidy:
        return
    with alone(checkout.root) as only:
        if only:
            checkout.shelf.tidy()


def _say_waiting() -> None:
    say("Another start is preparing the environment; waiting for it…")
