"""A package, so that programs in here are found before a package of this name that some library installs."""
