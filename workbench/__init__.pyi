from workbench.core.errors import WorkbenchError as Refused
from workbench.library import hierarchy as hierarchy
from workbench.library.answer import AskedAnswer as AskedAnswer
from workbench.library.columns import category as category
from workbench.library.columns import date as date
from workbench.library.columns import integer as integer
from workbench.library.columns import moment as moment
from workbench.library.columns import money as money
from workbench.library.columns import number as number
from workbench.library.columns import percent as percent
from workbench.library.columns import text as text
from workbench.library.data import Data as Data
from workbench.library.opening import open_data as open
from workbench.library.pseudonyms import new_pseudonym_key as new_pseudonym_key
from workbench.library.published import published as published
from workbench.library.release import Release as Release
from workbench.library.repeated import report_project as report_project
from workbench.library.repeated import run_project as run_project
from workbench.library.reported import aggregate as aggregate
from workbench.library.signed import new_key as new_key
from workbench.library.signed import sign as sign
from workbench.library.without_data import audit as audit
from workbench.library.without_data import guarantee as guarantee
from workbench.library.without_data import verify as verify

__all__ = [
    "AskedAnswer",
    "Data",
    "Refused",
    "Release",
    "aggregate",
    "audit",
    "category",
    "date",
    "guarantee",
    "hierarchy",
    "integer",
    "moment",
    "money",
    "new_key",
    "new_pseudonym_key",
    "number",
    "open",
    "percent",
    "published",
    "report_project",
    "run_project",
    "sign",
    "text",
    "verify",
]
__version__: str
