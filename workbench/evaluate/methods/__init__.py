"""Ways to answer a question; one file each."""
