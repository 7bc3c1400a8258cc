"""Published figures and tables by number, as they were published and mended; in no registry, so no form offers them."""
