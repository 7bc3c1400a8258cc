"""How Sphinx makes the manual: offline, the same bytes whenever and wherever it is built."""

from __future__ import annotations

from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx

from workbench import __version__

project = "Anonymisation workbench"
author = "the anonymisation workbench developers"
project_copyright = author
version = release = __version__
extensions = ["myst_parser"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3
nitpicky = True
html_theme = "furo"
html_title = f"Anonymisation workbench {__version__}"
html_copy_source = False
html_show_sphinx = False
html_use_index = False
html_last_updated_fmt = None
html_static_path: list[str] = []
html_theme_options = {"navigation_with_keys": False}
smartquotes = False


class Picture(Directive):
    """A picture of a room, in the theme the reader has chosen."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        caption = " ".join(self.content)
        found: list[nodes.Node] = []
        for mode in ("light", "dark"):
            image = nodes.image(uri=f"/pictures/{self.arguments[0]}-{mode}.png", alt=caption)
            image["classes"] = [f"only-{mode}"]
            found.append(image)
        figure = nodes.figure("", *found)
        figure += nodes.caption(caption, caption)
        return [figure]


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive."""
    app.add_directive("picture", Picture)
    assert (Path(app.srcdir) / "pictures").is_dir()
    return {"parallel_read_safe": True, "parallel_write_safe": True}
