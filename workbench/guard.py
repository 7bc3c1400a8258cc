"""One sentence for what the program lacks to start, and for Ctrl+C before there is anything to interrupt.

The exit code is 2 or 130. The standard library only, and only as much of it as is needed: whatever is imported here is
imported before Ctrl+C is heeded.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # that of `typing` would have to be imported
if TYPE_CHECKING:
    import signal
    from collections.abc import Callable
    from types import FrameType
else:
    # The module behind `signal`, built in: the other one loads enum, and a Ctrl+C meanwhile would be a traceback.
    import _signal as signal

FAILED = 2
INTERRUPTED = 130
WINDOW_PACKAGES = (
    "libegl1 libgl1 libglib2.0-0 libdbus-1-3 libfontconfig1 libxkbcommon-x11-0 libxcb-cursor0 libxcb-icccm4 "
    "libxcb-image0 libxcb-keysyms1 libxcb-randr0 libxcb-render-util0 libxcb-shape0 libxcb-xkb1"
)
_DISTRIBUTION = "anonymisation-workbench"
_SOLD_AS = {"sklearn": "scikit-learn"}
_WINDOW = ("PySide6", "shiboken6")
_SYSTEM_LIBRARY = ("shared object file", "Library not loaded", "DLL load failed")


def guarded(run: Callable[[], int]) -> int:
    """Run a program and return its exit code; what it cannot start without, and an interruption, is put in words."""
    try:
        return run()
    except KeyboardInterrupt:
        _say("workbench: interrupted.")
        return INTERRUPTED
    except ImportError as error:
        if os.environ.get("WORKBENCH_DEBUG"):
            raise
        sentence, *hints = explained(error)
        _say("\n           ".join([f"workbench: {sentence}", *hints]))
        return FAILED


class importing:  # noqa: N801 - a context, read as a verb
    """Let Ctrl+C end the process at once while something is imported.

    There is nothing yet that could be lost, and a library that is interrupted while it is imported may well take the
    exception for one of its own.
    """

    def __enter__(self) -> None:
        self._heeded = signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if self._heeded:  # neither ignored nor somebody else's to heed
            self._heeded = _on_interrupt(_leave)

    def __exit__(self, *error: object) -> None:
        if self._heeded:
            _on_interrupt(signal.default_int_handler)


def explained(error: ImportError) -> tuple[str, ...]:
    """Explanation of an import that failed, and what to do about it.

    Returns
    -------
    tuple of str
        One sentence, and after it, where there is one, a hint.
    """
    text = next(iter(str(error).splitlines()), "") or type(error).__name__
    if any(mark in text for mark in _SYSTEM_LIBRARY):
        sentence = f"The operating system lacks a library that the window needs: {text}."
        return (sentence, f"On Debian and Ubuntu: apt install {WINDOW_PACKAGES}") if _is_linux() else (sentence,)
    package = (error.name or "").partition(".")[0]
    if package in _WINDOW and isinstance(error, ModuleNotFoundError):
        sentence = "This installation is without the window; the command line and the library work without it."
        return sentence, _extra_hint("gui")
    if package and package != "workbench" and isinstance(error, ModuleNotFoundError):
        sold_as = _SOLD_AS.get(package, package)
        return f"The package {sold_as} is needed, and it is not installed.", _install_hint(sold_as)
    what = f"The package {package}" if package and package != "workbench" else "Part of the program"
    return (
        f"{what} cannot be imported: {text}.",
        "Install the program again. WORKBENCH_DEBUG=1 shows where it happened.",
    )


def _is_linux() -> bool:
    return sys.platform.startswith("linux")


def _extra_hint(extra: str) -> str:
    """How a part of the program is added that was left out."""
    import importlib.util
    from pathlib import Path

    root = Path(__file__).resolve().parents[1]
    what = f"{root if (root / 'pyproject.toml').is_file() else _DISTRIBUTION}[{extra}]"
    if importlib.util.find_spec("pip") is None:  # as in the environments of uv and pipx
        return f'Install the program again with it, such as: pipx install --force "{what}"'
    return f'Install it with the command: {sys.executable or "python3"} -m pip install "{what}"'


def _install_hint(package: str) -> str:
    import importlib.util

    if importlib.util.find_spec("pip") is None:  # as in the environments of uv and pipx
        return "Install the program again."
    return f'Install it with the command: {sys.executable or "python3"} -m pip install "{_requirement(package)}"'


def _requirement(package: str) -> str:
    """The package with the versions the program works with, as its own installation says."""
    from importlib import metadata

    from workbench.requirements import for_this_python

    try:
        return for_this_python(metadata.requires(_DISTRIBUTION) or (), package) or package
    except metadata.PackageNotFoundError:
        return package


def _on_interrupt(handle: Callable[[int, FrameType | None], object]) -> bool:
    try:
        signal.signal(signal.SIGINT, handle)
    except ValueError:  # only the main thread may say
        return False
    return True


def _leave(number: int, frame: FrameType | None) -> None:
    try:
        os.write(2, b"workbench: interrupted.\n")
    finally:
        os._exit(INTERRUPTED)


def _say(text: str) -> None:
    try:
        # As `core.visible` would, which may be just what cannot be imported.
        shown = "".join(sign if sign.isprintable() or sign == "\n" else ascii(sign)[1:-1] for sign in text)
        print(shown, file=sys.stderr, flush=True)
    except OSError:
        return
