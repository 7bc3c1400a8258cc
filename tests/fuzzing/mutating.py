"""Changing files so that they are still nearly what they were: bytes, JSON, cells of a table, members of a zip.

Everything is drawn from one `random.Random`, so that a seed and a number lead to the same input again.
"""

from __future__ import annotations

import copy
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

PIECES = (
    b"\x00", b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b'"', b'""', b"'", b",", b";", b"\t", b"|", b"\r", b"\n",
    b"\r\n", b"\n\r", b"\x85", b"\x0c", b"\x1c", b"\xe2\x80\xa8", b"\xe2\x80\xae", b"\x1b[2J", b"\xed\xa0\x80",
    b"\xf0\x9f\x98\x80", b"\xc3", b"1e999", b"-1e999", b"nan", b"NaN", b"Infinity", b"-inf", b"1e-400", b"1e308",
    b"-0", b"1/0", b"1/3", b"0x10", b"1_000", b"9" * 40, b"9" * 400, b"9" * 5000, b"9223372036854775808",
    b"-9223372036854775809", b"2024-02-30", b"0000-00-00", b"99999-01-01", b"T25:00", b"null", b"true", b"[]", b"{}",
    b'{"a":', b"[" * 100, b"<!--", b"<script>", b"</script>", b"&#0;", b"=1+1", b"*", b"%s", b"{0}", b"../..", b"/",
    b"\\", b"\\ud800", b"(", b")", b"and ", b"or ", b"not ", b" in (", b" is missing", b"'a'", b"#", b"x" * 20_000,
)  # fmt: skip
"""What readers of text stumble over: marks, ends of lines, numbers that are none, halves of signs."""

RAW = (
    "1e999", "-1e999", "NaN", "Infinity", "9" * 5000, "1" + "0" * 400, "-" + "9" * 320, '"\\ud800"', '"\\udfff\\ud800"',
    "[" * 3000 + "]" * 3000, '{"a":1,"a":2}', "01", "'a'", "//", "1e-999", '"\\u0000"', '"\x01"',
)  # fmt: skip
"""JSON, or nearly, that no value of Python is written as."""

VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 3, 255, 2**31, 2**53 + 1, 2**63, -(2**63) - 1, 2**64, 10**30, 10**309, -(10**320),
    0.5, -0.5, 1e308, -1e308, 5e-324, 1e-320, 1e16, 0.1, "", " ", "a", "0", "1", "-1", "1/3", "0/1", "1/0", "nan",
    "inf", "1e999", "1e-400", "ln(3)", "\x00", "\x1b[2J", "é", "\u202e", "*", "=1+1", "<b>", "../x", "/dev/null",
    "9" * 5000, "x" * 10_000, "2024-02-30", "none", "mean", "k", [], {}, [None], [[]], [1], [1, 2], [2, 1],
    [1, 2, 3], ["a"], ["a", "a"], [0] * 1000, [1e308, -1e308], [10**309, 1], {"a": 1}, {"": None}, {"format": 1},
)  # fmt: skip
"""Values of every type at the ends of their ranges, to stand where others are expected."""

CELLS = (
    "", " ", '"', "*", "NA", "-", "0", "-0", "1", "-1", "1.5", "1,5", "1e5", "1e999", "nan", "inf", "9" * 400, "1/3",
    "0/0", "1/0", "٣", "½", "true", "2024-02-30", "31.12.1999", "1999-12-31T25:00", "\x00", "\x1b[2J", "é",
    "\u2028", "\ufeff", "a\nb", 'a"b', "=1+1", "x" * 70_000, "level 0", "#",
)  # fmt: skip
"""Texts that stand badly in a cell."""

_SLOT = "\ue000{}\ue001"
_NUMBER = re.compile(rb'"[^"<>]{0,40}"|>[^<>]{0,40}<')
_STEPS = (1, 1, 1, 2, 3, 6)


class Mutator:
    """Draws changes from one source of chance.

    Parameters
    ----------
    random
        That source. Nothing here is secret.
    """

    def __init__(self, random: Random) -> None:
        self.random = random

    def one_of(self, *ways: Callable[[], bytes]) -> bytes:
        """What one of these makes."""
        return self.random.choice(ways)()

    def bytes(self, content: bytes) -> bytes:
        """A few bytes flipped, cut out, put in, doubled or moved."""
        draw = self.random
        found = bytearray(content)
        for _ in range(draw.choice(_STEPS)):
            here = draw.randrange(len(found) + 1)
            there = min(len(found), here + draw.choice((1, 2, 4, 16, 100, 1000)))
            change = draw.randrange(8)
            if change == 0 and here < len(found):
                found[here] ^= 1 << draw.randrange(8)
            elif change == 1 and here < len(found):
                found[here] = draw.randrange(256)
            elif change == 2:
                del found[here:there]
            elif change == 3:
                found[here:here] = found[here:there]
            elif change == 4:
                del found[here:]
            elif change == 5:
                piece = found[here:there]
                del found[here:there]
                place = draw.randrange(len(found) + 1)
                found[place:place] = piece
            else:
                piece = draw.choice(PIECES)
                found[here : here + len(piece) * draw.randrange(2)] = piece
        return bytes(found)

    def json(self, document: Any) -> bytes:
        """A document with a few of its entries changed, and now and then what no document can hold."""
        draw = self.random
        slots: list[str] = []
        found = copy.deepcopy(document)
        for _ in range(draw.choice(_STEPS)):
            self._change(found, slots)
        text = json.dumps(found, ensure_ascii=draw.random() < 0.5, indent=draw.choice((None, 1)))
        for number, raw in enumerate(slots):
            for written in (json.dumps(_SLOT.format(number)), f'"{_SLOT.format(number)}"'):
                text = text.replace(written, raw)
        content = text.encode("utf-8", "surrogatepass")
        if draw.random() < 0.03:
            content = draw.choice((b"\xef\xbb\xbf" + content, content.decode("utf-8", "replace").encode("utf-16")))
        return self.bytes(content) if draw.random() < 0.05 else content

    def table(self, content: bytes, delimiters: bytes = b",;\t|") -> bytes:
        """Cells, lines and ends of lines of a delimited text changed."""
        draw = self.random
        delimiter = max(delimiters, key=content.count).to_bytes(1, "big")
        rows = [line.split(delimiter) for line in content.split(b"\n")]
        for _ in range(draw.choice(_STEPS)):
            row = draw.randrange(len(rows))
            cell = draw.randrange(max(len(rows[row]), 1))
            change = draw.randrange(8)
            if change < 3 and rows[row]:
                rows[row][cell] = draw.choice(CELLS).encode("utf-8", "surrogatepass")
            elif change == 3:
                del rows[row][cell : cell + 1]
            elif change == 4:
                rows[row].insert(cell, draw.choice(CELLS).encode())
            elif change == 5:
                rows.insert(row, list(draw.choice(rows)))
            elif change == 6 and len(rows) > 1:
                del rows[row]
            else:
                other = draw.choice(rows)
                if other:
                    rows[row].append(draw.choice(other))
        end = draw.choice((b"\n", b"\n", b"\n", b"\r\n", b"\r"))
        found = end.join(delimiter.join(row) for row in rows)
        if draw.random() < 0.1:
            found = found.replace(end, draw.choice((b"\n", b"\r\n", b"\r", b"\n\n")), draw.randrange(1, 4))
        return self.bytes(found) if draw.random() < 0.1 else found

    def markup(self, content: bytes) -> bytes:
        """An attribute, or the text of an element, replaced by another one or by one that stands badly there."""
        draw = self.random
        places = list(_NUMBER.finditer(content))
        if not places or draw.random() < 0.2:
            return self.bytes(content)
        for place in sorted(draw.sample(places, min(len(places), draw.choice(_STEPS))), key=lambda p: -p.start()):
            new = draw.choice(
                (
                    draw.choice(places)[0][1:-1],
                    draw.choice(CELLS).encode("utf-8", "surrogatepass").replace(b'"', b"&quot;").replace(b"<", b"&lt;"),
                    str(draw.choice((0, -1, 2**31, 2**32, 10**9))).encode(),
                )
            )
            content = content[: place.start() + 1] + new + content[place.end() - 1 :]
        return content

    def zip(self, content: bytes, change: Callable[[str, bytes], bytes]) -> bytes:
        """One member changed, left out or called otherwise, with check sums that are right; or the bytes of the whole.

        Parameters
        ----------
        change
            Makes another content of the name and the content of a member.
        """
        draw = self.random
        if draw.random() < 0.2:
            return self.bytes(content)
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = [(info.filename, archive.read(info)) for info in archive.infolist()]
        place = draw.randrange(len(members))
        name, inside = members[place]
        fate = draw.random()
        if fate < 0.03:
            del members[place]
        elif fate < 0.05:
            members[place] = (draw.choice(("../x", "", "a/" * 50, "é", name.upper())), inside)
        else:
            members[place] = (name, change(name, inside))
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w", draw.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as archive:
            for name, inside in members:
                archive.writestr(zipfile.ZipInfo(name), inside)
        return made.getvalue()

    def _change(self, document: Any, slots: list[str]) -> None:
        draw = self.random
        places = [(inside, key) for inside, key in _places(document)]
        if not places:
            return
        inside, key = draw.choice(places)
        change = draw.randrange(14)
        alike = [value for value in VALUES if type(value) is type(inside[key])]
        if change >= 10 and alike:
            inside[key] = copy.deepcopy(draw.choice(alike))
        elif change < 4:
            inside[key] = copy.deepcopy(draw.choice(VALUES))
        elif change == 4:
            slots.append(draw.choice(RAW))
            inside[key] = _SLOT.format(len(slots) - 1)
        elif change == 5:
            del inside[key]
        elif change == 6:
            other, name = draw.choice(places)
            inside[key] = copy.deepcopy(other[name])
        elif change == 7 and isinstance(inside[key], int | float):
            inside[key] = draw.choice((str(inside[key]), inside[key] * draw.choice((-1, 2, 1000)), [inside[key]]))
        elif change == 8 and isinstance(inside[key], list) and inside[key]:
            inside[key] = draw.choice((inside[key][:-1], inside[key] * 2, inside[key][::-1], inside[key][0]))
        elif isinstance(inside, dict):
            inside[draw.choice(("x", "", "format", "version", "é", key + "s"))] = copy.deepcopy(draw.choice(VALUES))
        else:
            inside.insert(key, copy.deepcopy(draw.choice(VALUES)))


def _places(document: Any, most: int = 60) -> Iterator[tuple[Any, Any]]:
    """Everything in a document, as what it is in and under which key; of long lists the first entries."""
    keys: Sequence[Any] = (
        list(document) if isinstance(document, dict) else range(min(len(document), most))
        if isinstance(document, list) else ()
    )  # fmt: skip
    for key in keys:
        yield document, key
        yield from _places(document[key], most)
