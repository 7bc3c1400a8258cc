"""A table as people keep it: dates in two ways, codes for what is missing, and persons in several rows."""

from __future__ import annotations

import random
from pathlib import Path

_CODES = ("01067", "01069", "01097", "04103", "04105", "08056", "80331", "80333", "10115", "20095")
_ILL = ("flu", "asthma", "diabetes", "fracture", "n.a.")


def write_messy(path: Path, people: int = 4000) -> Path:
    """Write visits of so many people, always the same.

    Columns: a number of the person, who has up to three rows; the date of birth as `31.12.1990`, `1990-12-31` or
    `n.a.`; a postcode with a leading zero; a salary as `45,000 €` or -99; a diagnosis.
    """
    draw, lines = random.Random(3), ["patient;born;postcode;salary;diagnosis"]
    for person in range(people):
        year, month, day = draw.randint(1940, 2005), draw.randint(1, 12), draw.randint(1, 28)
        way = draw.random()
        born = f"{day:02}.{month:02}.{year}" if way < 0.9 else f"{year}-{month:02}-{day:02}" if way < 0.97 else "n.a."
        salary = f"{draw.randrange(18_000, 98_000, 500):,} €" if draw.random() < 0.95 else "-99"
        code = draw.choice(_CODES)
        for _ in range(draw.choice((1, 1, 2, 3))):
            ill = draw.choices(_ILL, (8, 4, 3, 2, 1))[0]
            lines.append(f"P{person:05};{born};{code};{salary};{ill}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
