"""Logos: small pictures that go into a page, as PNG or JPEG and without anything in them that is no picture.

A picture is taken apart into its segments and put together again from those that draw it. So neither a place, a name
nor a day that a camera or a drawing program wrote into it goes along, nor anything behind its end, and what is kept
follows from the picture alone. SVG is refused, because it can hold scripts and fetch other files.
"""

from __future__ import annotations

import base64
import binascii
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from workbench.core.errors import WorkbenchError

LARGEST_LOGO = 128 << 10
"""Bytes of a logo in a page; every page and every note holds it."""
MOST_PIXELS = 2_000
"""Of a side."""
_LARGEST_FILE = 4 << 20
_PNG, _JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8"
_KEPT_CHUNKS = frozenset((b"IHDR", b"PLTE", b"tRNS", b"gAMA", b"sRGB", b"IDAT", b"IEND"))
_DEPTHS = {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}
"""Of PNG: the bits a sample may have, by the kind of colour."""
_FRAMES, _TABLES = frozenset((0xC0, 0xC1, 0xC2)), frozenset((0xC4, 0xDB, 0xDD))
_JFIF, _ADOBE, _SCAN, _END = 0xE0, 0xEE, 0xDA, 0xD9
_TOLD = frozenset((*range(0xE0, 0xF0), 0xFE))
"""Of JPEG: segments of programs and comments, which are left out but for those of the two before."""


@dataclass(frozen=True)
class Logo:
    """A picture in a page.

    Parameters
    ----------
    media
        `image/png` or `image/jpeg`.
    content
        Its bytes.
    width, height
        In pixels.
    """

    media: str
    content: bytes = field(repr=False)
    width: int
    height: int

    @classmethod
    def of(cls, content: bytes) -> Self:
        """The picture in these bytes, without what does not draw it.

        Raises
        ------
        ValueError
            If they are neither PNG nor JPEG, or the picture is too large; in words that fit behind a colon.
        """
        if content.startswith(_PNG):
            made = cls("image/png", *_png(content))
        elif content.startswith(_JPEG):
            made = cls("image/jpeg", *_jpeg(content))
        else:
            raise ValueError("it is neither PNG nor JPEG")
        if not (0 < made.width <= MOST_PIXELS and 0 < made.height <= MOST_PIXELS):
            raise ValueError(f"it has {made.width:,} × {made.height:,} pixels, and at most {MOST_PIXELS:,} a side fit")
        if len(made.content) > LARGEST_LOGO:
            raise ValueError(f"it has {len(made.content):,} bytes, and at most {LARGEST_LOGO:,} fit into a statement")
        return made

    @classmethod
    def from_text(cls, text: str) -> Self:
        """The picture in a text of `text`.

        Raises
        ------
        ValueError
            If it is not what this program writes of a picture.
        """
        head, _, encoded = text.partition(",")
        made = cls.of(base64.b64decode(encoded, validate=True))
        if head != f"data:{made.media};base64" or made.text != text:
            raise ValueError("it is not written as this program writes a logo")
        return made

    @property
    def text(self) -> str:
        """The picture as a page and a note hold it."""
        return f"data:{self.media};base64,{base64.b64encode(self.content).decode('ascii')}"


def read_logo(path: Path) -> Logo:
    """The logo in a file.

    Raises
    ------
    WorkbenchError
        If it cannot be read, is no PNG or JPEG, or is too large.
    """
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise ValueError("it is no ordinary file")
        if found.st_size > _LARGEST_FILE:
            raise ValueError(f"it has {found.st_size:,} bytes, and at most {LARGEST_LOGO:,} fit into a statement")
        return Logo.of(path.read_bytes())
    except OSError as error:
        raise WorkbenchError(
            f"The logo “{path.name}” cannot be read: {error.strerror or error}.",
            hint="Check that it exists and that you may read it; its name counts from the folder of the template.",
            field="template",
        ) from error
    except ValueError as error:
        raise WorkbenchError(
            f"“{path.name}” cannot be a logo: {error}.",
            hint="Save it as a small PNG or JPEG, such as 400 pixels wide.",
            field="template",
        ) from error


def _png(content: bytes) -> tuple[bytes, int, int]:
    """The chunks that draw, the width and the height."""
    kept, kinds, width, height = [_PNG], [], 0, 0
    for kind, data, whole in _chunks(content):
        if kind not in _KEPT_CHUNKS:
            if not kind[0] & 0x20:  # whoever does not know a chunk with a capital cannot draw the picture
                raise ValueError("it has a part that no PNG has")
            continue
        if kind == b"IHDR":
            if len(data) != 13 or data[8] not in _DEPTHS.get(data[9], ()) or data[10:12] != b"\0\0" or data[12] > 1:
                raise ValueError("its beginning is not that of a PNG")
            width, height = int.from_bytes(data[:4], "big"), int.from_bytes(data[4:8], "big")
        kept.append(whole)
        kinds.append(kind)
    if kinds[:1] != [b"IHDR"] or kinds.count(b"IHDR") != 1 or b"IDAT" not in kinds or kinds[-1:] != [b"IEND"]:
        raise ValueError("it is a PNG that is not whole")
    return b"".join(kept), width, height


def _chunks(content: bytes) -> Iterator[tuple[bytes, bytes, bytes]]:
    place = len(_PNG)
    while place < len(content):
        end = place + 12 + int.from_bytes(content[place : place + 4], "big")
        whole = content[place:end]
        if len(whole) < 12 or end > len(content):
            raise ValueError("it is a PNG that is not whole")
        kind, data = whole[4:8], whole[8:-4]
        if binascii.crc32(whole[4:-4]).to_bytes(4, "big") != whole[-4:]:
            raise ValueError("it is a PNG that was damaged")
        yield kind, data, whole
        if kind == b"IEND":
            return  # whatever stands behind it is no part of the picture
        place = end


def _jpeg(content: bytes) -> tuple[bytes, int, int]:
    """The segments that draw, the width and the height."""
    kept, width, height, scans = [_JPEG], 0, 0, 0
    for marker, data, scan in _segments(content):
        said = data
        if marker in _FRAMES:
            if width or len(data) < 6:
                raise ValueError("its beginning is not that of a JPEG")
            height, width = int.from_bytes(data[1:3], "big"), int.from_bytes(data[3:5], "big")
        elif marker == _SCAN:
            scans += 1
        elif marker == _JFIF and data.startswith(b"JFIF\0") and len(data) >= 14:
            said = data[:12] + b"\0\0"  # without the small picture that may stand in it
        elif marker == _ADOBE and data.startswith(b"Adobe") and len(data) >= 12:
            said = data[:12]  # says which colours are meant
        elif marker in _TOLD:
            continue
        elif marker not in _TABLES:
            raise ValueError("it is a JPEG of a kind that browsers do not show")
        kept += [bytes((0xFF, marker)), (len(said) + 2).to_bytes(2, "big"), said, scan]
    if not (width and scans):
        raise ValueError("it is a JPEG that is not whole")
    return b"".join((*kept, bytes((0xFF, _END)))), width, height


def _segments(content: bytes) -> Iterator[tuple[int, bytes, bytes]]:
    """Each marker with what it says, and behind that of a scan the scan; the end is not among them."""
    place = len(_JPEG)
    while content[place : place + 1] == b"\xff":
        while content[place : place + 1] == b"\xff":  # any number of them may come before a marker
            place += 1
        marker = int.from_bytes(content[place : place + 1], "big")
        if marker == _END:
            return
        size = int.from_bytes(content[place + 1 : place + 3], "big")
        begin, end = place + 3, place + 1 + size
        if size < 2 or end > len(content):
            break
        place = _behind_scan(content, end) if marker == _SCAN else end
        yield marker, content[begin:end], content[end:place]
    raise ValueError("it is a JPEG that is not whole")


def _behind_scan(content: bytes, place: int) -> int:
    """Where the next marker is that ends a scan."""
    while (place := content.find(b"\xff", place)) >= 0:
        follows = content[place + 1 : place + 2]
        if follows and follows[0] and not 0xD0 <= follows[0] <= 0xD7 and follows[0] != 0xFF:
            return place
        place += 1
    return len(content)
