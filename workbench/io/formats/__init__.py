"""The kinds of file a release is written as, one module each: to add one, add a module that defines `FORMAT`."""
