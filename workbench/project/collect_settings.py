"""The settings of a collection from people who randomise their answers themselves."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from workbench.core.amount_text import float_amount
from workbench.core.errors import WorkbenchError
from workbench.core.exact import MOST_PEOPLE
from workbench.core.flags import read_numbers, written_numbers
from workbench.core.settings import Flag, Stored, check_settings, setting
from workbench.core.typed_fields import typed_fields
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import EncodingChoice
from workbench.ldp.estimation import AUTOMATIC, EstimationMethod
from workbench.ldp.participation import Participation
from workbench.ldp.prediction import MOST_USERS, Shape
from workbench.ldp.protocol import LARGEST_EPSILON, PROTOCOLS, SMALLEST_EPSILON
from workbench.ldp.share_margin import MARGIN
from workbench.ldp.simulation import METRICS

RANKED = ""
"""The aim for the error by which protocols are ranked."""
_USUAL_TARGET = 5.0


def _usual() -> tuple[ProtocolChoice, ...]:
    return tuple(map(ProtocolChoice, ("grr", "oue", "olh")))


def read_protocols(text: str) -> tuple[ProtocolChoice, ...]:
    """Protocols as they are typed in a command: `grr,ue=0.75:0.25`.

    Raises
    ------
    WorkbenchError
        If there is none, one twice, or one that nobody knows.
    """
    choices = tuple(ProtocolChoice.parse(part) for part in text.split(",") if part.strip())
    names = [choice.identifier for choice in choices]
    twice = next((name for name in names if names.count(name) > 1), None)
    if not names or twice is not None:
        raise WorkbenchError(
            "No protocol is named." if twice is None else f"The protocol “{twice}” is named twice.",
            hint="Write --protocol grr,oue, each at most once.",
            field="protocol",
        )
    return choices


def _written_protocols(choices: tuple[ProtocolChoice, ...]) -> str:
    return ",".join(map(_written_protocol, choices))


def _written_protocol(choice: ProtocolChoice) -> str:
    values = ":".join(f"{name}:{value}" for name, value in choice.values.items())
    return f"{choice.identifier}={values}" if values else choice.identifier


@dataclass(frozen=True)
@typed_fields
class CollectSettings:
    """A collection: what is asked of whom, by which protocols, and how that is tried out beforehand."""

    column: str = setting(
        "",
        title="What is asked",
        label="Column",
        about="what is asked",
        placeholder="Choose a column…",
        flag=Flag("C", required=True, always=True),
    )
    question: str = setting(
        "",
        title="Question in full",
        label="Wording",
        about="How people are asked, for the page to hand out.",
        placeholder="as asked",
        group="wording",
        undo="Change the words of the question",
    )
    asked_by: str = setting(
        "",
        title="Who asks",
        about="Who collects the answers and how to reach them, for the page to hand out.",
        placeholder="name, contact",
        group="wording",
        undo="Change who asks",
    )
    encoding: EncodingChoice = setting(
        factory=EncodingChoice, title="How values become answers", about="How answers become codes."
    )
    protocols: tuple[ProtocolChoice, ...] = setting(
        factory=_usual,
        title="Protocols",
        about="Those that are compared.",
        undo="Change the protocols",
        flag=Flag(
            "ID[=V:W],…",
            name="--protocol",
            help=lambda: (
                "one or more, such as grr,oue or ue=0.75:0.25; --predict without any takes all that suit; "
                f"known: {PROTOCOLS.names(titled=True)}"
            ),
            read=read_protocols,
            write=_written_protocols,
            required=True,
            always=True,
        ),
    )
    epsilon: float = setting(
        1.0,
        title="ε of one report",
        group="privacy",
        about="ε of one report",
        amount=True,
        minimum=0.0,
        open_minimum=True,
        offered=(SMALLEST_EPSILON, LARGEST_EPSILON),
        undo="Change ε",
        refusal=("ε must be above 0.", "Common values are 0.5 to 5."),
        flag=Flag("E", default=None, read=partial(float_amount, field="epsilon"), write=repr, always=True, joined=True),
    )
    users: int | None = setting(
        None,
        title="People who are asked",
        group="privacy",
        label="Asked",
        about="people who are asked (default: one per row)",
        minimum=1,
        maximum=MOST_PEOPLE,
        offered=(1, MOST_USERS),
        unit="people",
        undo="Change how many are asked",
        cleared="Ask all",
        refusal=("There must be at least one person.", "Give 1 or more."),
        flag=Flag("N"),
    )
    sampling: bool = setting(
        False,
        title="With sampling error",
        group="privacy",
        about="count in how far those who are asked are from all the people they are drawn from, also in simulations: "
        "each collection then asks others",
        undo="Count the sampling error",
        flag=Flag(),
    )
    method: EstimationMethod = setting(
        AUTOMATIC,
        title="Estimation",
        group="estimate",
        about="The way to estimate.",
        explain="estimator",
        stored=Stored(flat=True),
    )
    repetitions: int = setting(
        20,
        title="Repetitions",
        group="estimate",
        label="Repeat",
        about="How often a simulation is repeated.",
        minimum=1,
        offered=(1, 1000),
        unit="times",
        undo="Change the repetitions",
        refusal=("There must be at least one repetition.", "Give 1 or more."),
        flag=Flag("R", help="simulated collections (default: 1)", default=1, always=True),
    )
    seed: int | None = setting(
        1,
        title="Seed of the simulation",
        group="estimate",
        label="Seed",
        about="make it repeatable; reports are then a simulation",
        minimum=0,
        offered=(0, 2**31 - 1),
        placeholder="another each time",
        undo="Change the seed",
        cleared="Another seed each time",
        refusal=("The seed must not be negative.", "Give a whole number from 0."),
        flag=Flag("S", default=None),
    )
    one_report_per_person: bool = setting(
        False,
        title="One report per person",
        group="privacy",
        about="one row of each person, at random",
        undo="One report per person",
        explain="person",
        flag=Flag(),
    )
    shape: Shape = setting(
        Shape.AUTO,
        title="Assumed distribution",
        about="how the answers are spread, from public sources, for --predict and without a file (default: a "
        "smooth hump, spiky shares and equal shares, of which the worst counts, as with worse); protocols that smooth "
        "are recommended for hump and uniform only",
        undo="Assume another distribution",
        group="prediction",
        flag=Flag(),
    )
    guess: tuple[float, ...] = setting(
        (),
        title="Assumed shares",
        about="instead of --shape, own public shares, one per answer",
        placeholder="one share per answer: 50, 30, 20",
        group="prediction",
        when={"shape": (Shape.OWN,)},
        undo="Assume other shares",
        explain="shape",
        flag=Flag("S,S,…", read=partial(read_numbers, field="guess"), write=written_numbers, joined=True),
    )
    rank_by: str = setting(
        "l1",
        title="Which error",
        about="The error by which protocols are ranked.",
        choices=tuple((metric, metric) for metric in METRICS),
        undo="Rank by another error",
        group="prediction",
        explain="metric",
        refusal=("“{value}” is no error.", f"Known are: {', '.join(METRICS)}."),
    )
    aim: str = setting(
        RANKED,
        title="What is to be reached",
        about="The error whose price in people and ε is told: the one that ranks, or the 95 % margin of each share "
        "before post-processing.",
        choices=((RANKED, "the error that ranks"), (MARGIN, "the margin of each share")),
        explain="target",
        refusal=("“{value}” is no error that can be aimed at.", f"Write {MARGIN}, or nothing for the one that ranks."),
    )
    target: float = setting(
        _USUAL_TARGET,
        title="Error to reach",
        about="How large it may be: per cent of people misplaced, points of a margin, or the error as it is.",
        minimum=0.0,
        open_minimum=True,
        refusal=("The error to reach must be above 0.", "Give a number such as 5."),
    )
    participation: Participation = setting(
        Participation.AUTO,
        title="Who takes part",
        about="who takes part, where a filter or a missing value decides it: hidden makes everybody report, those who "
        "take no part a further answer, which is taken off again; open lets only those who take part report, and then "
        "no sum is claimed with other releases; auto hides it where the protocol can (default: auto)",
        undo="Change who is seen to take part",
        group="reports",
        flag=Flag(),
    )

    def __post_init__(self) -> None:
        check_settings(self)

    @property
    def without_aim(self) -> CollectSettings:
        """The same without what is to be reached and the words on the page: neither changes what is computed."""
        return replace(self, aim=RANKED, target=_USUAL_TARGET, question="", asked_by="")
