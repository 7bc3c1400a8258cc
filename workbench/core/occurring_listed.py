"""Lists of what can occur, as they are shown to be typed anew and as a project keeps them: read, they are the same."""

from __future__ import annotations

from workbench.core.occurring import Entries, entries_of, unquoted_entries


def listing_of(entries: Entries, parting: str = ", ") -> str:
    """The entries in a line, which `entries_of` reads as the same: in quotes where one would be read as another."""
    return parting.join(map(in_listing, entries))


def in_listing(entry: str) -> str:
    """An entry, or a label, as it stands among others in a line: in quotes where its commas would part it.

    >>> in_listing("North"), in_listing("West, old")
    ('North', '"West, old"')
    """
    return _in_quotes(entry) if _needs_quotes(entry) else entry


def as_cell(entry: str) -> str:
    """An entry among others in a line that is read as CSV: in quotes, too, where commas or quotes would part nothing.

    >>> as_cell("North"), as_cell("0-120,000"), as_cell('5" pipe')
    ('North', '"0-120,000"', '"5"" pipe"')
    """
    return _in_quotes(entry) if "," in entry or '"' in entry else in_listing(entry)


def saved_listing(entries: Entries) -> str:
    """The entries as a project keeps them; one with quotes has a semicolon, which no program wrote that read none."""
    if not any(map(_needs_quotes, entries)):
        return listing_of(entries)
    return listing_of(entries, "; ") + ";" * (len(entries) == 1)


def saved_entries(saved: str) -> tuple[str, ...]:
    """What `saved_listing` wrote, or a program that took quotes for letters of an entry."""
    if ";" in saved:
        return entries_of(saved)
    return tuple(dict.fromkeys(part for line in saved.splitlines() for part in unquoted_entries(line) if part))


def perhaps_one(entries: Entries) -> str:
    """Two neighbours that may be one value, of which a comma without quotes made two; "" for none.

    In a list of words that begin with capitals a small one after a comma rarely is a value. The words alone tell it.

    >>> perhaps_one(["West", "old", "East", "South"]), perhaps_one(["yes", "no"]), perhaps_one(["North", "East"])
    ('West, old', '', '')
    """
    small = [entry[:1].islower() for entry in entries]
    if 2 * sum(small) >= len(small):
        return ""
    pairs = zip(entries, entries[1:], small[1:], strict=False)
    return next((f"{one}, {other}" for one, other, is_small in pairs if is_small and one[:1].isupper()), "")


def _needs_quotes(entry: str) -> bool:
    return entry.startswith('"') or entries_of(entry) != (entry,)


def _in_quotes(entry: str) -> str:
    return '"' + entry.replace('"', '""') + '"'
