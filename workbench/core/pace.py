"""The remaining time of a job, as far as it can be told."""

from __future__ import annotations

_ESTIMATE_AFTER_SECONDS = 0.5
_ESTIMATE_AFTER_FRACTION = 0.02
_SILENT_SECONDS = 3.0


class Pace:
    """The progress of a job, and the time at which it last told it.

    A step that does not say how far it has come is no slow pace, or the estimate would grow as long as one waits. So
    the pace is that of the last news, and when there was none for too long there is no estimate.
    """

    def __init__(self) -> None:
        self.fraction = 0.0
        self._moved = 0.0

    def report(self, fraction: float, elapsed: float) -> None:
        """The job has come this far, so many seconds after it began."""
        if fraction != self.fraction:
            self._moved = elapsed
        self.fraction = fraction

    def seconds_left(self, elapsed: float) -> float | None:
        """Estimate so many seconds after it began; None while there is too little to judge from."""
        moving, fraction = self._moved, self.fraction
        if moving < _ESTIMATE_AFTER_SECONDS or fraction < _ESTIMATE_AFTER_FRACTION:
            return None
        silent = elapsed - moving
        left = moving * (1.0 - fraction) / fraction - silent
        return left if left >= 0.0 and silent <= max(moving, _SILENT_SECONDS) else None
