"""Mistakes of the originals, as published: not private, or misnamed. Only published figures use them."""
