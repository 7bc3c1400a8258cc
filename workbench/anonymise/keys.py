"""Counting integer keys: by direct address, by hash, or by sorting."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

WIDEST = 1 << 62
"""Keys below this fit a signed 64-bit integer with room to spare."""

ALWAYS_COUNTED = 1 << 14
"""Up to so many possible keys they are counted by direct address, however few there are."""

_KEY_BITS = 63

_SPARSE = 24
"""Counting by direct address beats sorting as long as there are at most this many possible keys per entry."""

_WORTH_HASHING = 1024

_TOO_SPARSE = 6
"""Hashing beats counting by direct address beyond so many possible keys per entry."""

_SLOTS = 2
"""Slots per entry, at least, when keys are told apart by a hash."""

_HASH = np.uint64(0x9E3779B97F4A7C15)
"""An odd number close to 2**64 divided by the golden ratio: its multiples spread evenly."""


def count_keys(
    key: NDArray[np.int64], weights: NDArray[np.int64], radix: int, weight_bits: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Distinct keys, ascending, and the sum of the weights of each.

    Parameters
    ----------
    key, weights
        Shape (entries,), 0 ≤ key < radix.
    weight_bits
        Bits that hold the sum of all weights.
    """
    if radix <= max(ALWAYS_COUNTED, _SPARSE * len(key)):
        # float64 sums of integers are exact below 2**53, more rows than fit any memory.
        dense = np.bincount(key, weights=weights, minlength=radix)
        keys = np.flatnonzero(dense != 0)
        return keys, dense[keys].astype(np.int64)
    if (radix - 1).bit_length() + weight_bits <= _KEY_BITS:
        packed = key << weight_bits
        packed |= weights
        packed.sort()
        ordered = packed >> weight_bits
        packed &= (1 << weight_bits) - 1
        counts = packed
    else:
        order = np.argsort(key)
        ordered = key[order]
        counts = weights[order]
    starts = run_starts(ordered)
    return ordered[starts], np.add.reduceat(counts, starts) if len(starts) else counts


def count_hashed(
    key: NDArray[np.int64], weights: NDArray[np.int64], radix: int, weight_bits: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """As `count_keys`, but the keys come in no particular order, several times faster if they would be sorted.

    Every key is thrown into one of many slots, in which one entry stays. Entries with the key of the one that
    stayed are counted together; the few others shared a slot with another key and are counted by sorting.
    """
    if len(key) < _WORTH_HASHING or radix <= _TOO_SPARSE * len(key):
        return count_keys(key, weights, radix, weight_bits)
    bits = (_SLOTS * len(key)).bit_length()
    slot = ((key.view(np.uint64) * _HASH) >> np.uint64(64 - bits)).view(np.int64)
    entries = np.arange(len(key), dtype=np.int64 if len(key) >> 31 else np.int32)
    stayed: NDArray[np.integer] = np.empty(1 << bits, dtype=entries.dtype)
    stayed[slot] = entries
    first = stayed[slot]
    strangers = np.flatnonzero(key[first] != key)
    keepers = np.flatnonzero(first == entries)
    # The slots are used once more, to number the entries that stayed.
    stayed[slot[keepers]] = entries[: len(keepers)]
    group = stayed[slot]
    # What follows needs as much memory again.
    del slot, stayed, first, entries
    counts = np.bincount(group, weights=weights, minlength=len(keepers)).astype(np.int64)
    keys = key[keepers]
    if len(strangers):
        lost = weights[strangers]
        counts -= np.bincount(group[strangers], weights=lost, minlength=len(keepers)).astype(np.int64)
        more, their_counts = count_keys(key[strangers], lost, radix, weight_bits)
        keys, counts = np.concatenate([keys, more]), np.concatenate([counts, their_counts])
    return keys, counts


def group_ranks(parts: Sequence[tuple[NDArray[np.integer], int]], entries: int) -> NDArray[np.intp]:
    """For each entry the rank of its combination of digits among the distinct ones.

    `parts` are pairs (digits of shape (entries,), radix).
    """
    return group_wide(parts, entries)[0]


def group_wide(
    parts: Sequence[tuple[NDArray[np.integer], int]], entries: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Group by digits whose combined key would not fit 64 bits: rank the prefix whenever it gets too long."""
    key = np.zeros(entries, dtype=np.int64)
    radix = 1
    for digits, size in parts:
        if radix * size > WIDEST:
            key, first = _ranks(key)
            radix = len(first)
        key = key * size + digits
        radix *= size
    return _ranks(key)


def _ranks(key: NDArray[np.integer]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """For each entry the rank of its key among the distinct ones, and one entry of each rank."""
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    starts = run_starts(ordered)
    rank = np.empty(len(key), dtype=np.intp)
    rank[order] = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(key)))
    return rank, order[starts]


def run_starts(ordered: NDArray[np.integer]) -> NDArray[np.intp]:
    """The first position of each run of equal numbers."""
    if not len(ordered):
        return np.empty(0, dtype=np.intp)
    new = np.empty(len(ordered), dtype=np.bool_)
    new[0] = True
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
    return np.flatnonzero(new)
