"""Where the program `workbench-gui` of a bundle begins."""

from workbench.starting import window

raise SystemExit(window())
