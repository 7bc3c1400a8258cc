"""The built-in questions, one file each. One more is a module here with `PLUGIN`, see docs/extending.md."""
