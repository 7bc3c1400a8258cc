"""The command that collects as the settings of a session say."""

from __future__ import annotations

from dataclasses import replace

from workbench.core.flags import typed_words, words
from workbench.core.schema import ColumnSpec, PrivacyUnit
from workbench.ldp.encoding import chosen_how
from workbench.project.collect_settings import CollectSettings
from workbench.project.loading import Loaded
from workbench.project.model import DataSource, Preparation
from workbench.session.reading_words import reading_words


def command(
    data: DataSource,
    settings: CollectSettings,
    spec: ColumnSpec,
    unit: PrivacyUnit,
    preparation: Preparation,
    loaded: Loaded | None = None,
) -> list[str]:
    """The words of the command that simulates the same.

    Parameters
    ----------
    data
        The data file, and the engine it is in.
    spec, unit
        The column that is asked for, and who is protected; what they declare is written out.
    preparation
        Which rows take part.
    loaded
        The open data, and what its columns are proposed to be, which a command would read them as.

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
    return [
        *("workbench", "collect", data.path),
        *(typed_words("--engine", data.engine) if data.engine else ()),
        *words(settings, leave_out=("shape", "guess")),  # those are for predictions
        *words(encoding),
        *words(unit),
        *words(preparation),
        *reading_words((spec,), loaded),
        "--json",
    ]
