"""Ways to build a hierarchy, one plugin file each; see `workbench.core.building`."""
