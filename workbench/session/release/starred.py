"""The columns that are `*` in a release, in words: counted in its rows alone, as anybody can who has the file."""

from __future__ import annotations

from collections.abc import Collection

from workbench.core.first_few import first_few
from workbench.core.number_text import percent, whole_percent
from workbench.session.release.result import Result, mostly_starred

_FROM = 0.05
"""From this share of the rows on a column is named."""
_NAMED = 3


def starred_words(result: Result, left_out: Collection[str] = ()) -> str:
    """Which columns say nothing in some of the rows, and in how many, those with most first; "" if none does."""
    most = mostly_starred(result, left_out)
    shares = {name: share for name, share in result.starred.items() if name not in left_out}
    if most and len(most) == len(shares):
        return f"Nearly empty: {most[-1]} is * in {whole_percent(shares[most[-1]])} of rows, and the others in more"
    many = sorted((-share, name) for name, share in shares.items() if share >= _FROM)
    if not many:
        return ""
    every = [name for share, name in many if share == -1]
    some = [(name, whole_percent(-share)) for share, name in many if share > -1]
    said = [f"* in every row: {first_few(every, _NAMED)}"] if every else []
    if some and len(many) == len(most):
        said.append(f"* in most rows: {first_few([f'{name} in {part}' for name, part in some], _NAMED)}")
    elif some:
        # How many rows are many is for the reader to say: each column has its share.
        said.append(f"* in some rows: {first_few([f'{name} in {part}' for name, part in some], _NAMED)}")
    return "; ".join(said)


def starred_lines(result: Result) -> str:
    """In how many rows each column says nothing, a line for each that does somewhere."""
    return "\n".join(f"{name}: * in {percent(share)} of the rows" for name, share in result.starred.items() if share)
