"""What the originals got wrong, as published: not private, or not what it is called. Only published figures use it."""
