"""Counting integer keys: by direct address or by sorting."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

_Keys = TypeVar("_Keys", bound=np.integer)

WIDEST = 1 << 62
"""Keys below this fit a signed 64-bit integer with room to spare."""

ALWAYS_COUNTED = 1 << 14
"""Up to so many possible keys they are counted by direct address, however few there are."""

_KEY_BITS = 63

_SHORT_BITS = 32
"""Integers of so many bits are sorted in less than half the time of longer ones."""

_FEW = 16
"""Weights that leave no room for themselves beside a short key may be at most one in so many."""

_SPARSE = 3
"""Counting by direct address beats sorting as long as there are at most this many possible keys per entry."""

_MANY = 1 << 18
"""Beyond so many entries, direct addresses no longer fit the cache, and there may be one possible key per entry."""

_CHUNK = 1 << 16


def count_keys(
    key: NDArray[np.integer], weights: NDArray[np.integer], radix: int, merged: int = 0
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Distinct keys, ascending, and the sum of the weights of each.

    Parameters
    ----------
    key, weights
        Shape (entries,), 0 ≤ key < radix, weights not negative. The keys are int64, or uint32 where `key_kind` says
        so, and are used up: their memory is written to.
    merged
        Keys that differ in so many of their last bits alone become one, as by `merged_runs`.
    """
    if _addressed(len(key), radix):
        dense = np.zeros(radix, dtype=np.int64)
        for start in range(0, len(key), _CHUNK):
            part = slice(start, start + _CHUNK)
            np.add.at(dense, key[part], weights[part].astype(np.int64))
        keys = np.flatnonzero(dense != 0)
        return merged_runs(keys, dense[keys], merged)
    weight_bits = int(weights.max(initial=0)).bit_length()
    key_bits = (radix - 1).bit_length()
    # numpy sorts plain integers many times faster than it sorts one array by another.
    if key_bits + weight_bits <= _SHORT_BITS:
        return _count_packed(key.astype(np.uint32, copy=False), weights, weight_bits, merged)
    if key_bits < _SHORT_BITS:
        room = _SHORT_BITS - key_bits
        large = np.flatnonzero(weights >= 1 << room)
        if len(large) * _FEW <= len(key):
            # The few weights that are too long are cut to the room there is, and the rest is added afterwards.
            short = key.astype(np.uint32, copy=False)
            where, rest = short[large], weights[large].astype(np.int64) >> room << room
            keys, counts = _count_packed(short, weights & ((1 << room) - 1), room)
            np.add.at(counts, np.searchsorted(keys, where), rest)
            return merged_runs(keys, counts, merged)
    long = key.astype(np.int64, copy=False)
    if key_bits + weight_bits <= _KEY_BITS:
        return _count_packed(long, weights, weight_bits, merged)
    order = np.argsort(long)
    ordered = long[order]
    starts = run_starts(ordered)
    counts = weights[order].astype(np.int64)
    return merged_runs(ordered[starts], np.add.reduceat(counts, starts) if len(starts) else counts, merged)


def key_kind(entries: int, radix: int) -> type[np.uint32] | type[np.int64]:
    """The integers in which so many keys below `radix` are best given to `count_keys`."""
    return np.uint32 if radix < 1 << _SHORT_BITS and not _addressed(entries, radix) else np.int64


def _addressed(entries: int, radix: int) -> bool:
    """Whether so many keys are counted by direct address."""
    return radix <= max(ALWAYS_COUNTED, entries * (1 if entries > _MANY else _SPARSE))


def _count_packed(
    key: NDArray[np.integer], weights: NDArray[np.integer], bits: int, merged: int = 0
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The same by sorting keys that have room for so many bits of a weight."""
    key <<= bits
    for start in range(0, len(key), _CHUNK):
        part = slice(start, start + _CHUNK)
        key[part] |= weights[part].astype(key.dtype)
    key.sort()
    new = _run_begins(key, bits + merged if merged else bits)
    if merged:
        starts = np.flatnonzero(new)
        keys = _joined_runs(key, starts, merged, bits).astype(np.int64, copy=False)
        key &= (1 << bits) - 1
        return keys, _sums_of_runs(key, starts)
    if (len(key) - np.count_nonzero(new)) * _FEW <= len(key):
        # Hardly a key comes twice, so the weight of each is what stands beside it, and few are added up.
        again, first = np.flatnonzero(~new), key[new]
        counts = (first & ((1 << bits) - 1)).astype(np.int64)
        owner = again - np.arange(1, len(again) + 1)
        np.add.at(counts, owner, (key[again] & ((1 << bits) - 1)).astype(np.int64))
        first >>= bits
        return first.astype(np.int64, copy=False), counts
    starts = np.flatnonzero(new)
    keys = (key[starts] >> bits).astype(np.int64, copy=False)
    key &= (1 << bits) - 1
    return keys, _sums_of_runs(key, starts)


def _sums_of_runs(weights: NDArray[np.integer], starts: NDArray[np.intp]) -> NDArray[np.int64]:
    """The sum of each run; weights are not negative, and used up."""
    if not len(starts):
        return np.empty(0, dtype=np.int64)
    if weights.dtype != np.int64 and int(weights.sum(dtype=np.int64)) >> _SHORT_BITS:
        return np.add.reduceat(weights, starts, dtype=np.int64)
    # Differences of sums so far take half the time of adding up each run by itself.
    np.cumsum(weights, dtype=weights.dtype, out=weights)
    upto = weights[_ends(starts, len(weights))]
    sums = upto.astype(np.int64)
    sums[1:] -= upto[:-1]
    return sums


def _ends(starts: NDArray[np.intp], entries: int) -> NDArray[np.intp]:
    """The last position of each run."""
    ends = np.empty_like(starts)
    np.subtract(starts[1:], 1, out=ends[:-1])
    ends[-1:] = entries - 1
    return ends


def merged_runs(
    keys: NDArray[np.int64], counts: NDArray[np.int64], bits: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """One key for all that differ in their last bits alone: these are all set where they differ. Counts are added.

    Keys are ascending, and none whose last bits are all set stands for one value.
    """
    if not bits:
        return keys, counts
    starts = run_starts(keys, bits)
    if len(starts) == len(keys):
        return keys, counts
    return _joined_runs(keys, starts, bits), np.add.reduceat(counts, starts)


def _joined_runs(keys: NDArray[_Keys], starts: NDArray[np.intp], bits: int, beside: int = 0) -> NDArray[_Keys]:
    """The key of each run, its last bits set where the first and the last of the run differ.

    So many bits `beside` a key belong to its weight.
    """
    joined, last = keys[starts], keys[_ends(starts, len(keys))]
    if beside:
        joined >>= beside
        last >>= beside
    joined[joined != last] |= (1 << bits) - 1
    return joined


def narrowed(counts: NDArray[np.integer]) -> NDArray[np.integer]:
    """The same numbers in the smallest signed integers that hold them."""
    bits = int(counts.max(initial=0)).bit_length()
    for room, kind in ((7, np.int8), (15, np.int16), (31, np.int32)):
        if bits <= room:
            return counts.astype(kind, copy=False)
    return counts


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


def count_sorted(ordered: NDArray[np.integer]) -> tuple[NDArray[np.integer], NDArray[np.integer]]:
    """Distinct numbers of an ascending array, and how often each occurs, in the smallest integers that hold that."""
    new = _run_begins(ordered)
    distinct = ordered[new]
    return distinct, narrowed(np.diff(np.flatnonzero(new), append=len(ordered)))


def run_starts(ordered: NDArray[np.integer], ignored: int = 0) -> NDArray[np.intp]:
    """The first position of each run of numbers that are equal but for so many of their last bits."""
    return np.flatnonzero(_run_begins(ordered, ignored))


def _run_begins(ordered: NDArray[np.integer], ignored: int = 0) -> NDArray[np.bool_]:
    new = np.ones(len(ordered), dtype=np.bool_)
    # In parts, so that little memory is taken besides.
    for start in range(1, len(ordered), _CHUNK):
        here = ordered[start : start + _CHUNK]
        before = ordered[start - 1 : start - 1 + len(here)]
        if ignored:
            np.not_equal((here ^ before) >> ignored, 0, out=new[start : start + len(here)])
        else:
            np.not_equal(here, before, out=new[start : start + len(here)])
    return new
