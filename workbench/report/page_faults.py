"""The differences of a page from the one that the facts in it give, word by word and around its words."""

from __future__ import annotations

import re
from html import unescape

from workbench.report.page import Dissected, signed_off
from workbench.report.page_lines import differing, lines_of


def page_faults(name: str, taken: Dissected, given: str, version: object, day: object) -> list[str]:
    """The differences from the page as this program writes it, in words.

    Parameters
    ----------
    taken
        The page, taken apart.
    given
        What must stand in it, as HTML.
    version, day
        Of the program and of the page, as the facts give them; None for a day that they do not give.
    """
    faults = differing(lines_of(taken.body), lines_of(given)) if taken.body != given else []
    if taken.body != given and not faults:
        faults.append(f"“{name}” is not as this program writes it: something in it was added, hidden or marked.")
    if not taken.intact:
        faults.append(f"Around its text “{name}” is not as this program writes it: something was added or hidden.")
    if day is None:
        match = re.search(r" on (\d{4}-\d\d-\d\d)\.</footer>$", taken.footer)
        day = "" if match is None else match[1]
    if taken.footer != signed_off(version, day):
        said = unescape(re.sub("<[^>]*>", "", taken.footer))
        faults.append(f"The page ends with “{said}”, and the facts in it give version {version} and the day “{day}”.")
    return faults
