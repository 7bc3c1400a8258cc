"""Tables whose rows stay in an engine, DuckDB or Spark, and what is computed of them there.

The rows of a `StoredTable` are integer codes in a relation of a `Store`; the distinct values of its columns and how
often they occur are in memory, as those of any table. One SQL serves all engines; `Dialect` lists what they say
differently, and quotes every name and text.
"""
