"""Running experiments: on several cores, with what is there already used, stopped at any time, told as it comes."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from functools import cache

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, CancelToken, Progress
from workbench.engines.budget import BeyondMemory
from workbench.evaluate.cell import ExperimentCell
from workbench.evaluate.cell_key import cell_key
from workbench.evaluate.cell_result import CellResult
from workbench.evaluate.experiment import Axis, Experiment
from workbench.evaluate.experiment_slots import Cells, ExperimentSlot
from workbench.evaluate.families import ROUNDS, furnished, trial
from workbench.evaluate.findings import Findings
from workbench.evaluate.method import Answerer, MethodChoice
from workbench.evaluate.question import Floats, Question
from workbench.evaluate.result_reading import ResultReading
from workbench.evaluate.store import ResultStore
from workbench.evaluate.subject import EncodedColumn, ExperimentData, subject_of

_CHECKED_EVERY = 0.05
"""Seconds after which a run looks whether it was cancelled or paused."""
_TOLD_EVERY = 0.1
"""Seconds between two partial results, at least."""
_TOLD_SHARE = 20
"""So many times as long as it took to put a partial result together the run goes on before the next one."""


class Gate:
    """Lets a run be paused and go on. May be used on several threads."""

    def __init__(self) -> None:
        self._open = threading.Event()
        self._open.set()

    @property
    def paused(self) -> bool:
        return not self._open.is_set()

    def pause(self) -> None:
        """Begin nothing new; what runs already is finished, which takes a moment."""
        self._open.clear()

    def resume(self) -> None:
        self._open.set()

    def wait(self, seconds: float) -> None:
        """Until it is open, or so long."""
        self._open.wait(seconds)


def run(
    experiment: Experiment,
    material: ExperimentData,
    *,
    store: ResultStore | None = None,
    partial: Callable[[Findings], None] | None = None,
    gate: Gate | None = None,
    workers: int | None = None,
    first: float | None = None,
    progress: Progress = SILENT,
) -> Findings:
    """Run what is not there already.

    Every repetition has random numbers of its own, from the seed, the question, the method, the place and the number
    of its block. So the findings do not depend on the number of workers, on what was run before, or on what else is
    asked for; but along ε a family may stand at a place with what it does at a smaller one.

    Parameters
    ----------
    store
        Results that are there, and where new ones go.
    partial
        Is told what was found so far, on the thread that runs this.
    gate
        Pauses the run.
    workers
        Threads; as many as there are cores unless given.
    first
        Where one looks, so that what tiles there are known from is run before the rest.

    Raises
    ------
    WorkbenchError
        If the question cannot be asked of this data. A method that cannot answer leaves a gap, and says why.
    Cancelled
        If the progress was cancelled; finished cells stay in the store.
    """
    # An empty store is false, and still the one that is to be filled.
    results = ResultStore() if store is None else store
    making = _Run(experiment, material, results, partial, gate or Gate(), progress, first)
    try:
        return making.go(workers)
    finally:
        making.let_go()


def known(experiment: Experiment, material: ExperimentData, store: ResultStore) -> Findings:
    """Findings that are there already, without running anything.

    Raises
    ------
    WorkbenchError
        If the question cannot be asked of this data.
    """
    looking = _Run(experiment, material, store, None, Gate(), SILENT)
    try:
        return looking.found.findings()
    finally:
        looking.let_go()


def cells_of(experiment: Experiment, material: ExperimentData) -> list[ExperimentCell]:
    """Every method at every place, with the key its result is kept under; of a family every setting and its tries.

    Raises
    ------
    WorkbenchError
        If the question cannot be asked of this data.
    """
    return _Run(experiment, material, ResultStore(), None, Gate(), SILENT).found.cells


def refusals(experiment: Experiment, material: ExperimentData) -> dict[int, str]:
    """Why methods cannot answer the question at all, by their place in the experiment.

    Raises
    ------
    WorkbenchError
        If the question cannot be asked of this data.
    """
    subject = subject_of(material, experiment.question_at(experiment.places[0]))
    found = {}
    for number, choice in enumerate(experiment.methods):
        try:
            refused = choice.method.answers(subject, choice.checked())
        except WorkbenchError as error:
            refused = error.message
        if refused:
            found[number] = refused
    return found


@dataclass(eq=False)
class _Work:
    """A cell on its way: its blocks as they come in."""

    cell: ExperimentCell
    answerer: Answerer
    blocks: dict[int, dict[str, Floats]] = field(default_factory=dict)


# Neither of these refers to the run, which holds what they give: a circle of so much stays until somebody looks for it.


def _tries(
    experiment: Experiment, every: Sequence[MethodChoice], place: float, subjects: Sequence[EncodedColumn], round_: int
) -> Callable[[int, int], Cells]:
    """The tries of a setting of a family, by its number, in a round of so many settings."""

    @cache
    def tries(number: int, settings: int) -> Cells:
        tried = trial(experiment, settings * len(subjects), round_)
        return _cells_at(tried, every[number], place, subjects, chooses=True)

    return tries


def _cells_at(
    experiment: Experiment,
    choice: MethodChoice,
    place: float,
    subjects: Sequence[EncodedColumn],
    *,
    chooses: bool = False,
) -> Cells:
    found = []
    for subject in subjects:
        setting = experiment.setting(choice, place, len(subject))
        key = cell_key(subject.material, experiment, choice, place, setting, chooses=chooses)
        found.append(ExperimentCell(experiment, choice, place, setting, subject, key, chooses))
    return tuple(found)


class _Run:
    def __init__(
        self,
        experiment: Experiment,
        material: ExperimentData,
        store: ResultStore,
        partial: Callable[[Findings], None] | None,
        gate: Gate,
        progress: Progress,
        first: float | None = None,
    ) -> None:
        self.first = experiment.first_places(first)
        self.experiment, self.material, self.store = experiment, material, store
        self.partial, self.gate, self.progress = partial, gate, progress
        progress(0.0, "Encoding the column")
        self.metric = experiment.metric
        self.subjects = self._subjects()
        self.slots = self._slots()
        self.found = ResultReading(experiment, material, store, self.subjects, self.slots)

    def _subjects(self) -> dict[float, tuple[EncodedColumn, ...]]:
        places = self.experiment.places
        if self.experiment.axis is not Axis.BINS:
            return dict.fromkeys(places, self._encoded(self.experiment.question))
        return {place: self._encoded(self.experiment.question_at(place)) for place in places}

    def _encoded(self, question: Question) -> tuple[EncodedColumn, ...]:
        every = (self.material, *self.material.also)
        return tuple(subject_of(furnished(one, self.experiment, question), question) for one in every)

    def _slots(self) -> list[ExperimentSlot]:
        found = []
        for place in self.experiment.places:
            subjects = self.subjects[place]
            for choice in self.experiment.methods:
                candidates = choice.method.candidates
                if candidates is None:
                    found.append(ExperimentSlot((_cells_at(self.experiment, choice, place, subjects),)))
                    continue
                every = [replace(one, epsilon=choice.epsilon) for one in candidates(subjects[0])]
                numbers = range(ROUNDS if len(every) > 1 else 0)
                rounds = [_tries(self.experiment, every, place, subjects, one) for one in numbers]
                cells = (_cells_at(self.experiment, one, place, subjects) for one in every)
                found.append(ExperimentSlot(tuple(cells), tuple(rounds)))
        return found

    def let_go(self) -> None:
        """Forget who was drawn, once nothing is asked any more."""
        for subjects in self.subjects.values():
            for subject in subjects:
                subject.let_go()

    def _stages(self) -> Iterator[list[ExperimentCell]]:
        """Stages that are run one after the other: at each place the tries, round by round, then what they chose.

        Where one looks first, way by way, so that a first one is seen early.
        """
        slots = self._spread()
        if not any(slot.rounds for slot in slots):
            yield [cell for slot in slots for cell in slot.cells[0]]
            return
        width = len(self.experiment.methods)
        for start in range(0, len(slots), width):
            here = slots[start : start + width]
            quick = sorted(here, key=lambda slot: len(slot.cells))
            early = start < width * len(self.first)
            for some in [[slot] for slot in quick] if early else [here]:
                for _ in range(ROUNDS):
                    yield [cell for slot in some for cell in slot.tries(self.store, self.metric)]
                yield [cell for slot in some for cell in slot.chosen(self.store, self.metric)]

    def go(self, workers: int | None) -> Findings:
        waiting = [cell for cell in self.found.cells if self.store.get(cell.key) is None]
        if not waiting:
            found = self.found.findings()
            self.progress(1.0)
            return found
        self._all = sum(len(cell.blocks) for cell in waiting)
        self._done, self._share, self._told, self._pause = 0, 0.0, time.monotonic(), _TOLD_EVERY
        # Workers stop through a token of their own, because the progress belongs to this thread.
        stop = CancelToken()
        threads = workers or os.cpu_count() or 1
        pool = ThreadPoolExecutor(threads, thread_name_prefix="experiment")
        try:
            self._tell(force=True)
            for stage in self._stages():
                missing = [cell for cell in stage if self.store.get(cell.key) is None]
                # What is tried again was not among what there was to do.
                left = sum(len(cell.blocks) for cell in self.found.cells if self.store.get(cell.key) is None)
                self._all = max(self._all, self._done + left)
                self._work(pool, self._blocks(missing), 2 * threads, Progress(token=stop))
                self._tell(force=bool(missing))
        except BaseException:
            stop.cancel()
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
        self.progress(1.0)
        return self.found.findings()

    def _spread(self) -> list[ExperimentSlot]:
        """The slots so that the tiles and then a curve as a whole are seen early: where one looks first, the ends, …"""
        places = list(self.experiment.places)
        step = 1 << max(len(places) - 1, 1).bit_length()
        order: list[int] = [*map(places.index, self.first), 0, len(places) - 1]
        while step >= 1:
            order += range(0, len(places), step)
            step //= 2
        width = len(self.experiment.methods)
        return [cell for place in dict.fromkeys(order) for cell in self.slots[place * width : (place + 1) * width]]

    def _blocks(self, waiting: list[ExperimentCell]) -> Iterator[tuple[_Work, int]]:
        for cell in waiting:
            try:
                work = _Work(cell, cell.answerer())
            except BeyondMemory:
                # Says nothing about the method: with more room, or in memory, there is an answer.
                raise
            except WorkbenchError as error:
                # One method that does not exist at this place is a gap in its curve, and no reason to stop.
                hint = f" {error.hint}" if error.hint else ""
                self.store.put(cell.key, CellResult(problem=f"{error.message}{hint}"))
                self._done += len(cell.blocks)
                continue
            yield from ((work, number) for number in cell.blocks)

    def _work(
        self, pool: ThreadPoolExecutor, blocks: Iterator[tuple[_Work, int]], ahead: int, progress: Progress
    ) -> None:
        running: dict[Future[dict[str, Floats]], tuple[_Work, int]] = {}
        left = True
        while left or running:
            while left and len(running) < ahead and not self.gate.paused:
                following = next(blocks, None)
                left = following is not None
                if following is not None:
                    work, number = following
                    running[pool.submit(work.cell.block, work.answerer, number, progress)] = following
            title = "Paused" if self.gate.paused else "Trying the methods"
            self._share = max(self._share, min(self._done / self._all, 1.0))
            self.progress(self._share, title)
            if not running:
                self.gate.wait(_CHECKED_EVERY)
                continue
            finished, _ = wait(running, _CHECKED_EVERY, FIRST_COMPLETED)
            for future in finished:
                work, number = running.pop(future)
                self._take(work, number, future)
            self._tell()

    def _take(self, work: _Work, number: int, future: Future[dict[str, Floats]]) -> None:
        cell = work.cell
        self._done += 1
        if self.store.get(cell.key) is not None:
            return  # another block of it found that the method cannot answer
        try:
            work.blocks[number] = future.result()
        except BeyondMemory:
            raise
        except WorkbenchError as error:
            self.store.put(cell.key, CellResult(problem=error.message))
            return
        if len(work.blocks) == len(cell.blocks):
            together = [work.blocks[one] for one in cell.blocks]
            self.store.put(cell.key, cell.result(work.answerer, together))
            work.blocks.clear()

    def _tell(self, *, force: bool = False) -> None:
        now = time.monotonic()
        if self.partial is not None and (force or now - self._told > self._pause):
            self.partial(self.found.findings())
            self._told = time.monotonic()
            self._pause = max(_TOLD_EVERY, _TOLD_SHARE * (self._told - now))
