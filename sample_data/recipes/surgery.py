"""Average payments for surgery: one row per type of surgery and hospital."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from recipes.common import (
    ANY,
    HierarchyFile,
    Sample,
    apportion,
    dollars,
    interval_rows,
    randomness,
    steps,
)
from recipes.places import STATES, State

ROWS = 200_000
HOSPITALS = 3_200
MEAN_TOTAL = 13_168.0

# Every payment there can be, in cents: a grid fixed beforehand, coarser for larger amounts, so that the
# hierarchy of a payment can list all of them without a look at the data.
GRID = steps((50_000, 2_000_000, 1_250), (2_000_000, 5_000_000, 2_500), (5_000_000, 10_000_000, 5_000),
             (10_000_000, 20_000_000, 25_000))[:-1]  # fmt: skip
PAYMENT_LEVELS = (
    steps((0, 20_000, 1_000), (20_000, 50_000, 2_500), (50_000, 100_000, 5_000), (100_000, 200_000, 25_000)),
    steps((0, 50_000, 5_000), (50_000, 200_000, 25_000)),
    (0, 10_000, 20_000, 50_000, 100_000, 200_000),
)

# Kind of hospital: share, size and price (average = 1) of its kind.
KINDS = {
    "General Hospital": (0.24, 1.0, 1.00),
    "Community Hospital": (0.26, 0.6, 0.94),
    "Regional Medical Center": (0.22, 1.5, 1.02),
    "Memorial Hospital": (0.16, 1.0, 0.99),
    "University Hospital": (0.07, 2.6, 1.32),
    "Specialty Surgical Hospital": (0.05, 0.35, 1.06),
}

SEVERITIES = {
    "1": "with major complications",
    "2": "with complications",
    "0": "without complications",
    "3": "with any complications",
    "4": "without major complications",
}

# Body system: procedure, volume, then relative cost per severity (keys of `SEVERITIES`).
SYSTEMS: dict[str, str] = {
    "Nervous system": """Craniotomy 14 1:4.9 2:3.1 0:2.3; Extracranial procedures 22 1:3.2 2:1.7 0:1.1;
        Spinal neurostimulator implant 5 3:4.6 0:3.2""",
    "Ear, nose and throat": """
        Major head and neck procedure 6 3:2.2 0:1.4; Sinus and mastoid procedure 4 3:1.9 0:1.1""",
    "Respiratory system": """Major chest procedure 24 1:4.9 2:2.6 0:1.8""",
    "Circulatory system": """Heart valve replacement 18 1:9.4 2:6.6 0:5.4; Coronary bypass 24 1:7.0 4:4.9;
        Defibrillator implant 14 1:6.7 4:5.2; Permanent pacemaker implant 40 1:3.6 2:2.6 0:2.1;
        Coronary stent 62 1:3.2 4:2.0; Vascular procedure 44 1:3.2 2:2.5 0:1.8;
        Amputation for circulatory disorder 14 1:4.4 2:2.5 0:1.7""",
    "Digestive system": """
        Stomach and duodenal procedure 14 1:5.6 2:2.9 0:1.7; Large bowel procedure 56 1:5.1 2:2.5 0:1.6;
        Rectal resection 8 1:4.6 2:2.4 0:1.6; Appendectomy 14 1:2.3 2:1.5 0:1.0;
        Hernia procedure 20 1:2.6 2:1.5 0:1.0; Anal procedure 6 3:1.6 0:0.8""",
    "Liver, gall bladder and pancreas": """Laparoscopic gall bladder removal 46 1:2.5 2:1.7 0:1.2;
        Open gall bladder removal 10 1:3.6 2:2.3 0:1.6""",
    "Bones, joints and muscles": """
        Knee or hip replacement 120 1:3.4 4:2.1; Hip and femur procedure 66 1:3.1 2:2.0 0:1.6;
        Spinal fusion 40 1:6.4 4:3.9; Cervical spinal fusion 26 1:4.7 2:2.9 0:2.2;
        Back and neck procedure 38 3:1.8 0:1.1; Revision of joint replacement 26 1:5.0 2:3.4 0:2.7;
        Shoulder or elbow replacement 22 3:2.5 0:2.1; Lower leg and foot procedure 28 1:3.2 2:2.0 0:1.5""",
    "Skin and breast": """Skin graft 10 1:4.5 2:2.5 0:1.5; Mastectomy 12 3:1.6 0:1.2""",
    "Hormones and metabolism": """Obesity procedure 14 1:3.2 2:1.9 0:1.6; Thyroid procedure 9 3:1.8 0:1.0""",
    "Kidney and urinary tract": """Kidney removal 20 1:3.4 2:1.9 0:1.4; Bladder procedure 8 1:5.3 2:2.6 0:1.6;
        Prostatectomy 10 3:1.9 0:1.0; Transurethral procedure 16 1:2.6 2:1.6 0:0.9""",
    "Reproductive system": """Radical prostatectomy 14 3:1.8 0:1.4; Hysterectomy 16 3:1.9 0:1.1""",
}  # fmt: skip


class _Surgery(NamedTuple):
    """A type of surgery: how often it is done and what it costs relative to others."""

    name: str
    procedure: str
    system: str
    volume: float
    cost: float


class _Hospital(NamedTuple):
    number: int
    kind: str
    city: str
    state: State

    @property
    def name(self) -> str:
        return f"{self.kind} {self.number:04d}"


def make() -> Sample:
    """The 200,000 likeliest pairs of type and hospital, each with its average payments."""
    rng = randomness(2014)
    hospitals = _hospitals()
    types = _types()
    count = len(hospitals)
    price = np.array([hospital.state.price * KINDS[hospital.kind][2] for hospital in hospitals])
    price *= np.exp(rng.normal(0.0, 0.13, count))
    size = np.array([KINDS[hospital.kind][1] for hospital in hospitals])
    size *= np.exp(rng.normal(0.0, 0.75, count))
    volume = np.array([surgery.volume for surgery in types])
    cost = np.array([surgery.cost for surgery in types])
    # Pairs drawn without replacement in proportion to volume × size: the largest log weights plus Gumbel
    # noise.
    luck = -np.log(-np.log(rng.random_sample((len(types), count))))
    likely = np.log(volume)[:, None] + np.log(size)[None, :] + luck
    chosen = np.sort(np.argsort(-likely, axis=None, kind="stable")[:ROWS])
    kind_of, place = np.divmod(chosen, count)
    total = cost[kind_of] * price[place] * np.exp(rng.normal(0.0, 0.17, ROWS))
    # A few rows rest on a handful of cases and one very expensive one.
    total *= np.where(rng.random_sample(ROWS) < 0.015, 1 + rng.exponential(0.5, ROWS), 1.0)
    total *= MEAN_TOTAL / total.mean()
    # The patient's deductible and other insurers pay the rest.
    medicare = (total - 900 - 500 * rng.random_sample(ROWS)) * (0.985 - 0.16 * rng.beta(1.4, 4.0, ROWS))
    grid = np.array(GRID)
    total_place = _snapped(total, grid)
    medicare_place = np.minimum(_snapped(medicare, grid), total_place - 1)
    texts = [dollars(cents / 100) for cents in GRID]
    addresses = [(hospital.name, hospital.city, hospital.state.code) for hospital in hospitals]
    rows = tuple(
        (types[t].name, *addresses[h], texts[a], texts[b])
        for t, h, a, b in zip(
            kind_of.tolist(), place.tolist(), total_place.tolist(), medicare_place.tolist(), strict=True
        )
    )
    return Sample(
        short_name="surgery",
        file="surgery_charges.csv.gz",
        header=(
            "surgery type",
            "hospital",
            "city",
            "state",
            "average total payments",
            "average Medicare payments",
        ),
        rows=rows,
        hierarchies=_hierarchies(types, hospitals),
    )


def _hierarchies(types: list[_Surgery], hospitals: list[_Hospital]) -> tuple[HierarchyFile, ...]:
    """Every one is fixed without the data: catalogues of types and places, and the whole grid of amounts."""
    payments = interval_rows({dollars(cents / 100): cents / 100 for cents in GRID}, PAYMENT_LEVELS)
    return (
        HierarchyFile(
            "surgery type",
            tuple((surgery.name, surgery.procedure, surgery.system, ANY) for surgery in types),
            "Types of surgery by procedure and body system, as the catalogue of case groups orders them.",
        ),
        HierarchyFile(
            "hospital",
            tuple(
                (hospital.name, f"{hospital.city}, {s.code}", s.code, s.division, s.region, ANY)
                for hospital in hospitals
                for s in (hospital.state,)
            ),
            "Hospitals by city, state, Census division and region, as a public directory lists them.",
        ),
        HierarchyFile(
            "city",
            tuple((city, s.code, s.division, s.region, ANY) for s in STATES for city in s.cities),
            "Cities by state, Census division and region.",
        ),
        HierarchyFile(
            "state",
            tuple((s.code, s.division, s.region, ANY) for s in STATES),
            "States by the divisions and regions of the Census Bureau.",
        ),
        *(
            HierarchyFile(
                f"average {payer} payments",
                payments,
                "All amounts of a grid from 500 to 200,000 dollars with interval boundaries, both fixed "
                "without looking at the data.",
            )
            for payer in ("total", "Medicare")
        ),
    )


def _types() -> list[_Surgery]:
    types: list[_Surgery] = []
    for system, listing in SYSTEMS.items():
        for entry in listing.split(";"):
            words = entry.split()
            costs = [word.split(":") for word in words if ":" in word]
            volume = float(words[-len(costs) - 1])
            procedure = " ".join(words[: -len(costs) - 1])
            for severity, cost in costs:
                # Serious courses are rarer than others.
                share = {"1": 0.6, "3": 0.8}.get(severity, 1.0)
                name = f"{procedure} {SEVERITIES[severity]}"
                types.append(_Surgery(name, procedure, system, volume * share, float(cost)))
    return types


def _hospitals() -> list[_Hospital]:
    """All hospitals by number; larger cities have more of them."""
    rng = randomness(3200)
    kinds = list(KINDS)
    shares = np.array([KINDS[kind][0] for kind in kinds])
    sites: list[tuple[str, str, State]] = []
    for state, number in zip(STATES, apportion([s.weight for s in STATES], HOSPITALS), strict=True):
        sizes = [1 / rank for rank in range(1, len(state.cities) + 1)]
        for city, share in zip(state.cities, apportion(sizes, number), strict=True):
            for kind in rng.choice(len(kinds), size=share, p=shares / shares.sum()):
                sites.append((kinds[int(kind)], city, state))
    numbers = (rng.permutation(len(sites)) + 1).tolist()
    hospitals = [_Hospital(number, *site) for number, site in zip(numbers, sites, strict=True)]
    return sorted(hospitals, key=lambda hospital: hospital.number)


def _snapped(amounts: NDArray[np.float64], grid: NDArray[np.int64]) -> NDArray[np.intp]:
    """Index of the grid amount (in cents) nearest to each amount in dollars."""
    middles = (grid[1:] + grid[:-1]) / 2
    return np.maximum(np.searchsorted(middles, amounts * 100), 1)
