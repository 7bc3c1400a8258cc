"""Published figures to be made again; one file each."""
