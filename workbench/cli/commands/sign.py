"""Signatures on the command line: `workbench sign`, and what `workbench verify` says of them."""

from __future__ import annotations

import argparse
from pathlib import Path
from textwrap import fill
from typing import Any

from workbench.cli.command_output import CommandOutput, progress
from workbench.cli.commands.verify import add_checked, received_of
from workbench.cli.engines import engine_at_work
from workbench.cli.files import read_file, written_file
from workbench.core.errors import WorkbenchError
from workbench.project.names_beside import statement_beside
from workbench.report.signature import ALGORITHM, PublicKey
from workbench.session.signing import new_key, public_key, sign_release

_MEANING = (
    "A signature proves that whoever holds the key has signed this file and this statement, and that neither was "
    "changed since. It does not prove who that is, which your readers must know from elsewhere; nor that what is "
    "stated of the data is true, which only you can know; nor when it was signed. Whoever reads the key can sign as "
    "you: it lies in a file that only you may read, without a passphrase, and is never printed."
)
_EXAMPLE = """Once, and then for each release:

  workbench sign --new-key
  workbench sign RELEASE.csv --statement S.html"""
_WIDTH = 78


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of `workbench sign`: its own, and those of `verify`, which comes before."""
    parser.description = fill(f"{parser.description} It is verified first, as by verify. {_MEANING}", _WIDTH)
    parser.epilog = _EXAMPLE
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    own = parser.add_argument_group("keys and signatures")
    once = own.add_mutually_exclusive_group()
    once.add_argument("--new-key", action="store_true", help="make a key, once, and print what to publish of it")
    once.add_argument("--show-key", action="store_true", help="print again what to publish of the key")
    own.add_argument(
        "--key", type=read_file, metavar="KEY.pem", help="the file of your key (default: one in your settings' folder)"
    )
    own.add_argument(
        "--out",
        type=written_file,
        metavar="S.sig.json",
        help="the signature (default: beside the statement, where verify finds it)",
    )
    own.add_argument("--force", action="store_true", help="overwrite a signature that is there; never a key")
    add_checked(parser, files="*")


def run(options: argparse.Namespace) -> CommandOutput:
    """Make a key, show it, or sign a statement that holds."""
    if options.new_key or options.show_key:
        if options.files:
            raise WorkbenchError(
                "A key is made and shown by itself.", hint="Sign with a command of its own, without it.", field="key"
            )
        return _of_key(*(new_key if options.new_key else public_key)(options.key), made=options.new_key)
    if not options.files:
        raise WorkbenchError("There is nothing to sign.", hint="Name the released file, or --new-key.", field="path")
    if options.statement is None:
        options.statement = statement_beside(options.files[0])
    received = received_of(options)
    with engine_at_work(options) as store:
        signed = sign_release(
            received, options.key, options.out, overwrite=options.force, store=store, progress=progress()
        )
    data = {"signature": str(signed.signature), **_key(signed.key), "signed": signed.content.to_json()}
    return CommandOutput(
        data,
        (
            f"Signed: {', '.join(str(path) for path in options.files)}, as “{signed.page.name}” states it.",
            f"The signature is in {signed.signature}. Pass it on with them.",
            f"Key {signed.key.fingerprint}",
        ),
    )


def _of_key(path: Path, key: PublicKey, *, made: bool) -> CommandOutput:
    what = "A new key is" if made else "The key is"
    lines = [
        f"{what} in {path}. Keep it for yourself, and a copy of it in a safe place.",
        "To publish, where your readers know that it is from you:",
        f"  {key.text}",
        f"  fingerprint {key.fingerprint}",
    ]
    return CommandOutput({"key": str(path), **_key(key)}, tuple(lines))


def _key(key: PublicKey) -> dict[str, Any]:
    return {"algorithm": ALGORITHM, "public_key": key.text, "fingerprint": key.fingerprint}
