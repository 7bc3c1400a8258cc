"""Where the program `workbench` of a bundle begins."""

from workbench.starting import command_line

raise SystemExit(command_line())
