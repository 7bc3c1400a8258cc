"""Ways to answer a question. A method is one file of `workbench.evaluate.methods` that declares itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import file_text
from workbench.core.params import ParamSpec, ParamType, filled
from workbench.core.plugins import Described, Registry
from workbench.core.progress import Progress
from workbench.core.settings import Stored, check_settings, setting
from workbench.core.settings_json import from_json, to_json
from workbench.core.typed_fields import Scalar, typed_fields
from workbench.core.worded import Worded
from workbench.evaluate.question import Floats, Metric
from workbench.evaluate.subject import EncodedColumn, SubjectSample
from workbench.ldp.protocol import PROTOCOLS

_TEXTS = (ParamType.TEXT, ParamType.CHOICE, ParamType.LINES)


class Approach(Worded):
    """An approach, by whom a person must trust. Each has one colour everywhere."""

    GLOBAL = "global", "Global: a trusted curator answers"
    ANONYMISED = "anonymised", "Anonymised: a table is released"
    LOCAL = "local", "Local: everybody adds noise"
    BASELINE = "baseline", "To compare with"


class Answerer(ABC):
    """A method with everything fixed but the rows.

    Attributes
    ----------
    epsilon
        The ε a person really spends, at most the one that was asked for; 0 if there is no promise to spend it on.
    notes
        What must be known to read the answers.
    with_sampling
        Whether what formulas expect of a sample of far more people (`SubjectSample.shares`) is about all of these.
    answers_each
        How many answers each try has about the same people; more than one where they take little time, and a few of
        them are so far off that the mean of a hundred would depend on whether one is among them.
    """

    epsilon: float = 0.0
    answers_each: int = 1
    with_sampling: bool = False
    notes: tuple[str, ...] = ()

    @abstractmethod
    def draw(self, sample: SubjectSample, repetitions: int, seed: np.random.SeedSequence, progress: Progress) -> Floats:
        """Simulated answers about a sample, shape (repetitions, outputs); nan where there is none."""

    def draw_each(self, samples: Sequence[SubjectSample], seed: np.random.SeedSequence, progress: Progress) -> Floats:
        """The answers about each of several samples as large as each other, shape (samples · answers_each, outputs)."""
        found = [
            self.draw(sample, self.answers_each, own, progress.part(number / len(samples), (number + 1) / len(samples)))
            for number, (sample, own) in enumerate(zip(samples, seed.spawn(len(samples)), strict=True))
        ]
        return np.concatenate(found)

    def expected(self, sample: SubjectSample, metric: Metric) -> float | None:
        """The expected error by formula, if there is one."""
        return None

    def off(self, sample: SubjectSample) -> Floats | None:
        """Absolute errors of a single number that stand for their law, each as likely as every other, shape (points,).

        None where the law is not known.
        """
        return None

    def noise(self, sample: SubjectSample) -> float | None:
        """Mean size of the noise by formula, which orders settings whose answers are treated alike after it is added.

        None where settings of its kind are not told apart by it.
        """
        return None


@dataclass(frozen=True)
class Method(Described):
    """One way to answer.

    Parameters
    ----------
    approach
        Whom a person must trust.
    params
        What it needs to know.
    answers
        Why it cannot answer this question with these parameters, or "".
    prepare
        Fix it for a subject, an ε and a number of users. Raises WorkbenchError where it does not exist.
    names
        A short name for its curve, from its parameters.
    version
        Counts up when its answers change, so that kept results are not mistaken for its own.
    uses_hierarchies
        Whether its answers depend on the hierarchies.
    candidates
        For a family: the settings that are tried for a subject, of which at each place the best one answers; None for
        a method with a setting of its own.
    raw
        Whether with these parameters its histograms stay as the noise left them, so that where they cross consistent
        ones says something about post-processing alone.
    fitted
        Whether with these parameters its histograms are fitted to a number of people that is known; else they stay, as
        shares of that number, which need not add up to 1.
    rising
        Why its error may rise with ε, or "".
    afterwards
        Parameters that say nothing but what becomes of noisy answers. With each value of theirs the noise is the same,
        so that settings are told apart by what is done with it and not by luck.
    """

    approach: Approach
    params: tuple[ParamSpec, ...]
    answers: Callable[[EncodedColumn, Mapping[str, Any]], str]
    prepare: Callable[[EncodedColumn, float, int, Mapping[str, Any]], Answerer]
    names: Callable[[Mapping[str, Any]], str]
    version: int = 1
    uses_hierarchies: bool = False
    candidates: Callable[[EncodedColumn], tuple[MethodChoice, ...]] | None = None
    raw: Callable[[Mapping[str, Any]], bool] = lambda _values: False
    fitted: Callable[[Mapping[str, Any]], bool] = lambda _values: True
    rising: str = ""
    afterwards: frozenset[str] = frozenset()


def _check_name(method: Method, _own: Iterable[Method]) -> None:
    if method.identifier in PROTOCOLS:
        raise WorkbenchError(f"the method “{method.identifier}” is named like a local protocol.")


METHODS: Registry[Method] = Registry("method", "workbench.evaluate.methods", Method, _check_name)


@dataclass(frozen=True)
@typed_fields
class MethodChoice:
    """A method with its parameters: one curve.

    Parameters
    ----------
    identifier, values
        Which method, and its parameters; those that are left out have their defaults.
    epsilon
        An ε of its own; None takes that of the experiment.
    label
        A name of its own; "" takes the usual one.
    """

    REFUSES_UNKNOWN: ClassVar[bool] = True

    identifier: str = setting(
        title="Method",
        about="Which method, by its identifier.",
        explain="methods",
        stored=Stored(key="method", noun="the name of a method"),
    )
    values: Mapping[str, Scalar] = setting(
        factory=lambda: MappingProxyType({}),
        title="Parameters",
        about="What the method needs to know, by name; what is left out has its usual value.",
        explain="methods",
        stored=Stored(noun="values"),
    )
    epsilon: float | None = setting(
        None,
        title="ε of this curve",
        label="Own ε",
        about="ε of this curve, where it does not change along the axis.",
        amount=True,
        minimum=0.0,
        open_minimum=True,
        placeholder="as set below",
        group="curve",
        explain="methods",
        refusal=("ε must be above 0.", "Common values are 0.5 to 5."),
        stored=Stored(noun="the ε of a method"),
    )
    label: str = setting(
        "",
        title="Name of this curve",
        label="Name",
        about="What the curve is called.",
        group="curve",
        explain="methods",
        stored=Stored(noun="the label of a method"),
    )

    def __post_init__(self) -> None:
        check_settings(self)

    @classmethod
    def parse(cls, text: str) -> MethodChoice:
        """Read a choice as it is written in a command: `global-grid`, or a local protocol such as `ue=0.75:0.25`.

        Raises
        ------
        WorkbenchError
            If there is no such method.
        """
        name = text.partition("=")[0].strip()
        if text.strip() in METHODS:
            return cls(text.strip())
        if name in PROTOCOLS:
            return cls("local", MappingProxyType({"protocol": text.strip()}))
        raise WorkbenchError(
            f"There is no method “{text}”.",
            hint=f"Known are: {', '.join(one.identifier for one in METHODS)}; and the local protocols "
            f"{', '.join(one.identifier for one in PROTOCOLS)}.",
            field="methods",
        )

    @property
    def method(self) -> Method:
        return METHODS[self.identifier]

    @property
    def fitted(self) -> bool:
        """Whether its histograms are fitted to a number of people that is known."""
        return self.method.fitted(self.checked())

    def checked(self) -> dict[str, Any]:
        """All parameters, checked and with defaults.

        Raises
        ------
        WorkbenchError
            If there is no such method, or a parameter is unknown or not allowed.
        """
        types = {spec.name: spec for spec in self.method.params}
        read = {
            name: types[name].parse(value)
            if isinstance(value, str) and name in types and types[name].type not in _TEXTS
            else value
            for name, value in self.values.items()
        }
        return filled(self.method.params, read)

    @property
    def name(self) -> str:
        """Name of the curve."""
        usual = self.label or METHODS.origin(self.identifier).beside(self.method.names(self.checked()))
        return usual if self.label or self.epsilon is None else f"{usual}, ε = {file_text(self.epsilon, 4)}"

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return to_json(self)

    @classmethod
    def from_json(cls, plain: Any) -> MethodChoice:
        """The choice of `to_json`, or of a text as in a command.

        Raises
        ------
        ValueError, TypeError, WorkbenchError
            If something in it has the wrong type or an impossible value.
        """
        if isinstance(plain, str):
            return cls.parse(plain)
        found = from_json(cls, plain, "a method")
        start = cls.parse(found.identifier)
        return replace(found, identifier=start.identifier, values=MappingProxyType({**start.values, **found.values}))
