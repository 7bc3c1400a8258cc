"""The command that collects, or predicts, as the settings of a session say."""

from __future__ import annotations

from dataclasses import dataclass, replace

from workbench.core.errors import WorkbenchError
from workbench.core.flags import typed_words, words
from workbench.core.number_text import file_text
from workbench.core.schema import ColumnSpec, PrivacyUnit
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import chosen_how
from workbench.ldp.participation import Participation
from workbench.project.collect_settings import CollectSettings
from workbench.project.loading import Loaded
from workbench.project.model import DataSource, Preparation
from workbench.session.collection.mean_decision import MEAN
from workbench.session.collection.words import scale_of
from workbench.session.reading_words import reading_words
from workbench.session.session import Session

_FOR_PREDICTIONS, _FOR_SIMULATIONS = ("shape", "guess"), ("repetitions", "seed")
_OF_SHARES = ("participation", *_FOR_PREDICTIONS)
"""Of which a mean has nothing to say."""


@dataclass(frozen=True)
class Predicted:
    """The prediction that is shown: its protocols, and the error to reach.

    Parameters
    ----------
    protocols
        Those that are shown: the ticked ones, and the one to take.
    metric, target
        The error to reach, as the page shows it; of a mean its margin in units of the column.
    apart
        Whether the further answer of those who take no part counts.
    """

    protocols: tuple[ProtocolChoice, ...]
    metric: str
    target: float
    apart: bool = False

    @property
    def leaves_out(self) -> tuple[str, ...]:
        """Settings that say nothing of it."""
        return (*_FOR_SIMULATIONS, *(_OF_SHARES if self.metric == MEAN else ()))

    @property
    def need(self) -> str:
        """The error to reach as a command has it, such as `l1=0.1`."""
        return f"{self.metric}={file_text(self.target / scale_of(self.metric).factor)}"


def command(
    data: DataSource | None,
    settings: CollectSettings,
    spec: ColumnSpec,
    unit: PrivacyUnit,
    preparation: Preparation,
    loaded: Loaded | None = None,
    predicted: Predicted | None = None,
) -> list[str]:
    """The words of the command that simulates the same, or predicts it.

    Parameters
    ----------
    data
        The data file, and the engine it is in; None where a survey is planned without a table.
    spec, unit
        The column that is asked for, and who is protected; what they declare is written out.
    preparation
        Which rows take part.
    loaded
        The open data, and what its columns are proposed to be, which a command would read them as.
    predicted
        What is shown of a prediction; None to simulate.

    Raises
    ------
    WorkbenchError
        If a value cannot be written in a command.
    """
    public, choice = spec.declared(), settings.encoding
    encoding = replace(
        choice,
        how=chosen_how(choice, spec),
        bounds=choice.bounds if choice.bounds is not None else public.bounds,
        domain=choice.domain if choice.domain is not None else public.domain,
    )
    if predicted is not None:
        settings = replace(settings, protocols=predicted.protocols)
        if predicted.apart:  # of which a command that leaves it open predicts nothing
            settings = replace(settings, participation=Participation.HIDDEN)
    if data is None:
        settings = replace(settings, column=spec.name)
    # Where there are no rows a simulation, too, is of assumed shares, and these say nothing of a mean.
    of_mean = bool(settings.protocols) and all(one.estimates_mean for one in settings.protocols)
    without = _FOR_PREDICTIONS if data is not None else _OF_SHARES if of_mean else ()
    return [
        *("workbench", "collect"),
        *(() if data is None else (data.path,)),
        *(typed_words("--engine", data.engine) if data is not None and data.engine else ()),
        *words(settings, leave_out=without if predicted is None else predicted.leaves_out),
        *words(encoding),
        *words(unit),
        *words(preparation),
        *reading_words((spec,), loaded),
        *(() if predicted is None else ("--predict", "--need", predicted.need)),
        "--json",
    ]


def command_now(session: Session, predicted: Predicted | None = None) -> list[str]:
    """The words of the command for what is asked now, of the open table or of none.

    Parameters
    ----------
    predicted
        As of `command`.

    Raises
    ------
    WorkbenchError
        As `command`, or if nothing is asked.
    """
    project, desk = session.project, session.collection
    spec = desk.spec()
    if spec is None:
        raise WorkbenchError("No column is chosen.", hint="Choose what is asked.", field="column")
    if desk.without_table:
        return command(None, project.collect, spec, PrivacyUnit(), Preparation(), None, predicted)
    return command(
        project.data, project.collect, spec, project.schema.unit, project.preparation, session.data.loaded, predicted
    )
