"""The use cases, without a window: open, describe, generalise, guarantee, run, export, save.

A `Session` is made of desks over one `SessionState`: the project, the data it speaks of and the results. Anything slow
is split in two: a function without side effects that a window can run on another thread (`load`,
`Session.data.preparer`, `Session.release.anonymiser`), and a method that takes its result in (`adopt`,
`accept_prepared`, `accept`).

`Session.data.reading` is the data as it was read; `Session.data.table` is the working table, which the project's
preparation makes of it, and everything that is generalised, released or claimed is about the latter.

What the desks take and return is imported from the modules where it stands, so that a session costs no more than the
desks that are used.
"""

from workbench.session.session import Session

__all__ = ["Session"]
