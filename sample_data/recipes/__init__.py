"""How each synthetic sample is made; `generate.py` writes what these modules return."""
