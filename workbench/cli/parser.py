"""The parser of the program: its help does not get lost, and a slip is answered with what was probably meant."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NoReturn

from workbench.cli.printing import encoding, fail, print_help, put, refuse_closed
from workbench.core.visible import visible

ALIASES = {"anonymize": "anonymise", "-V": "--version"}
"""Other spellings of a first word. They are no commands of their own, so nothing is declared twice."""
FAILED = 2


def meant(words: Sequence[str]) -> list[str]:
    """The words of a command as the parser knows them: spellings and `help COMMAND` are taken for what they mean."""
    first, *rest = words or ("",)
    if first == "help":
        return [*rest, "--help"]
    return [ALIASES.get(first, first), *rest] if words else []


class Parser(argparse.ArgumentParser):
    """A parser whose help does not get lost without a word, and which says what was probably meant."""

    _extra: Sequence[str] = ()
    _about = ""
    narrower: Callable[[argparse.Namespace], str] | None = None
    """The help of what was typed before `--help`; "" for that of the whole command."""

    def __init__(self, **more: Any) -> None:
        wanted = more.pop("add_help", True)
        super().__init__(add_help=False, **more)
        if wanted:
            self.add_argument("-h", "--help", action=_Help, help="show this help message and exit")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As that of argparse; what nothing was made of is kept, for `error` to speak of it."""
        found, self._extra = super().parse_known_args(args, namespace)
        self._about = getattr(found, "declared", self).prog
        return found, self._extra

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the words, and end with 2."""
        refuse_closed()  # argparse would print how the command is used to standard output instead
        told, hint = (_unknown(self, self._extra), "") if self._extra else (message, _joined(message))
        told = told if told.endswith(("?", ".")) else f"{told}."
        fail(
            {"message": told, "hint": hint, "field": ""},
            *(told, hint) if hint else (told,),
            f"{self._about or self.prog} --help says what it takes.",
        )
        self.exit(FAILED)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        known = [str(one) for one in action.choices]
        if isinstance(action, argparse._SubParsersAction):
            noun = str(action.metavar or "command").lower()
            what = f"there is no {noun} “{value}”" if value else f"the name of the {noun} is missing"
            raise argparse.ArgumentError(None, f"{what}{_perhaps(str(value), known) or _among(known)}")
        raise argparse.ArgumentError(action, f"“{value}” is none of {', '.join(known)}{_perhaps(str(value), known)}")

    def _print_message(self, message: str, file: Any = None) -> None:
        put(message, file)


class _Help(argparse.Action):
    """Prints the help of the command, or of what was typed of it already."""

    def __init__(self, option_strings: Sequence[str], dest: str, help: str) -> None:  # noqa: A002
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, default=argparse.SUPPRESS, help=help)

    def __call__(self, parser: Any, namespace: argparse.Namespace, *rest: Any) -> None:
        text = parser.narrower(namespace) if parser.narrower is not None else ""
        print_help(text or parser.format_help())
        parser.exit()


class Version(argparse.Action):
    """Prints what a report of a fault needs."""

    def __init__(self, option_strings: Sequence[str], dest: str, help: str) -> None:  # noqa: A002
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, default=argparse.SUPPRESS, help=help)

    def __call__(self, parser: Any, namespace: argparse.Namespace, *rest: Any) -> None:
        print_help("\n".join(self.lines()) + "\n")
        parser.exit()

    def lines(self) -> list[str]:
        """The lines that are printed."""
        from workbench.core.versions import version_lines

        return version_lines(encoding())


class Licences(Version):
    """Prints the licence of everything that is brought along."""

    def lines(self) -> list[str]:
        from workbench.core.versions import licence_lines

        return licence_lines()


def options_of(parser: argparse.ArgumentParser) -> Iterator[str]:
    """The long options of a parser, and of all that are below it."""
    for action in parser._actions:
        yield from (one for one in action.option_strings if one.startswith("--"))
        if isinstance(action, argparse._SubParsersAction):
            for one in action.choices.values():
                yield from options_of(one)


def _unknown(parser: argparse.ArgumentParser, extra: Sequence[str]) -> str:
    """The message about words that the command could make nothing of."""
    flag = next((word for word in extra if word.startswith("-")), None)
    if flag is None:
        return f"“{visible(extra[0])}” is a word too many"
    name = flag.partition("=")[0]
    return f"There is no option {visible(name)}{_perhaps(name, options_of(parser))}"


def _perhaps(typed: str, known: Iterable[str]) -> str:
    """The word that is nearest to what was typed, as the end of a sentence; "" where none is near."""
    from difflib import get_close_matches  # wanted by nobody who types well

    near = get_close_matches(typed, dict.fromkeys(known), n=1, cutoff=0.65)
    return f"; did you mean {near[0]}?" if near else ""


def _among(known: Sequence[str]) -> str:
    return f"; known are {', '.join(known)}"


def _joined(message: str) -> str:
    """The hint at a value that was taken for an option, as it begins with a minus."""
    if not message.endswith("expected one argument"):
        return ""
    flag = next((word for word in message.replace(":", " ").split() if word.startswith("--")), "")
    return f"A value that begins with a minus is joined to it: {flag}=-5." if flag else ""
