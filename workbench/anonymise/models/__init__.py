"""Privacy models, one file each. One more is a module here with `PLUGIN`, see docs/extending.md."""
