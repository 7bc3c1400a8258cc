"""Salaries of basketball players: careers over 34 seasons under a growing salary cap."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from recipes.common import (
    ANY,
    DERIVED,
    HierarchyFile,
    Row,
    Sample,
    apportion,
    band_rows,
    interval_rows,
    pairs_of_means,
    randomness,
    steps,
)

ROWS = 12_377
FIRST, LAST = 1985, 2018
YOUNGEST, OLDEST = 18, 42
LEVEL, LEVEL_SINCE_1990 = 0.0279, 0.02507
"""Share of the cap an average veteran earns; sets the mean salary of the sample."""
HEADER = ("player", "position", "year", "age", "team", "salary")

# Salary cap per season in million dollars.
CAP = dict(
    zip(
        range(FIRST, LAST + 1),
        (
            *(3.6, 4.233, 4.945, 6.164, 7.232, 9.802, 11.871, 12.5, 14.0, 15.175, 15.964, 23.0),
            *(24.363, 26.9, 30.0, 34.0, 35.5, 42.5, 40.271, 43.84, 43.87, 49.5, 53.135, 55.63),
            *(58.68, 57.7, 58.044, 58.044, 58.044, 58.679, 63.065, 70.0, 94.143, 99.093),
        ),
        strict=True,
    )
)
# League minimum of a newcomer in dollars at some seasons; interpolated between them.
MINIMUM = {1985: 70_000, 1990: 110_000, 1995: 150_000, 1996: 225_000, 2000: 301_000, 2005: 385_000,
           2010: 457_000, 2015: 507_000, 2017: 543_000, 2018: 815_000}  # fmt: skip
# Since 1996 the minimum grows with the seasons played: factor by experience.
SENIORITY = (1.0, 1.61, 1.80, 1.86, 1.93, 2.09, 2.24, 2.40, 2.55, 2.57, 2.82)
# Roster places in the league at some seasons, up to a common factor; interpolated between them.
PLACES = {1985: 235, 1990: 305, 1996: 350, 2004: 390, 2012: 430, 2018: 480}

# Franchises under their present names; those that joined later follow with their first season.
DIVISIONS = {
    ("Eastern", "Atlantic"): ("Boston Celtics", "Brooklyn Nets", "New York Knicks", "Philadelphia 76ers",
                              "Toronto Raptors"),
    ("Eastern", "Central"): ("Chicago Bulls", "Cleveland Cavaliers", "Detroit Pistons", "Indiana Pacers",
                             "Milwaukee Bucks"),
    ("Eastern", "Southeast"): ("Atlanta Hawks", "Charlotte Hornets", "Miami Heat", "Orlando Magic",
                               "Washington Wizards"),
    ("Western", "Northwest"): ("Denver Nuggets", "Minnesota Timberwolves", "Oklahoma City Thunder",
                               "Portland Trail Blazers", "Utah Jazz"),
    ("Western", "Pacific"): ("Golden State Warriors", "Los Angeles Clippers", "Los Angeles Lakers",
                             "Phoenix Suns", "Sacramento Kings"),
    ("Western", "Southwest"): ("Dallas Mavericks", "Houston Rockets", "Memphis Grizzlies",
                               "New Orleans Pelicans", "San Antonio Spurs"),
}  # fmt: skip
JOINED = {
    "Charlotte Hornets": 1989,
    "Miami Heat": 1989,
    "Minnesota Timberwolves": 1990,
    "Orlando Magic": 1990,
    "Memphis Grizzlies": 1996,
    "Toronto Raptors": 1996,
    "New Orleans Pelicans": 2003,
}

# Position: share of newcomers, advantage on the labour market, kind, part of the court.
POSITIONS = {
    "PG": (0.195, -0.12, "Guard", "Backcourt"),
    "PG-SG": (0.015, -0.10, "Guard", "Backcourt"),
    "SG": (0.200, -0.02, "Guard", "Backcourt"),
    "SF": (0.190, 0.02, "Forward", "Frontcourt"),
    "SF-PF": (0.012, 0.02, "Forward", "Frontcourt"),
    "PF": (0.200, 0.06, "Forward", "Frontcourt"),
    "PF-C": (0.018, 0.12, "Centre", "Frontcourt"),
    "C": (0.170, 0.18, "Centre", "Frontcourt"),
}

# Fixed boundaries in dollars, fine where most salaries lie.
MILLION = 1_000_000
SALARY_LEVELS = (
    steps((0, MILLION, 100_000), (MILLION, 5 * MILLION, 250_000), (5 * MILLION, 20 * MILLION, 500_000),
          (20 * MILLION, 40 * MILLION, MILLION)),
    steps((0, MILLION, 500_000), (MILLION, 10 * MILLION, MILLION), (10 * MILLION, 20 * MILLION, 2 * MILLION),
          (20 * MILLION, 40 * MILLION, 5 * MILLION)),
    tuple(MILLION * edge for edge in (0, 1, 2, 5, 10, 20, 40)),
    tuple(MILLION * edge for edge in (0, 2, 10, 40)),
)  # fmt: skip


@dataclass
class _Career:
    """A player as the simulation sees him: what he can do, where he plays and what his contract says."""

    ability: float
    age: int
    seasons: int
    position: str
    team: str = ""
    pay: float = 0.0
    years_left: int = 0
    raises: float = 0.0
    pick: int = 0

    @property
    def strength(self) -> float:
        """Ability in spreads of a newcomer, with a peak at 28 years."""
        peak = 28.5 if self.position in ("C", "PF-C") else 27.8
        return self.ability - ((self.age - peak) / 7.5) ** 2 + 0.35


def make() -> Sample:
    """One row per player and season, from the first to the last season."""
    rows = _seasons(FIRST, randomness(1984), LEVEL)
    return Sample(
        short_name="nba",
        file="nba_salaries.csv",
        header=HEADER,
        rows=rows,
        hierarchies=_hierarchies(sorted({int(row[-1]) for row in rows})),
    )


def make_since_1990() -> Sample:
    """As many rows from fewer seasons, which are those of a published table."""
    rows = _seasons(1990, randomness(1990), LEVEL_SINCE_1990)
    return Sample(short_name="nba_1990", file="nba_salaries_1990.csv", header=HEADER, rows=rows, hierarchies=())


def _seasons(first: int, rng: np.random.RandomState, level: float) -> tuple[Row, ...]:
    """Play all seasons from the first one; an average veteran earns `level` of the cap."""
    sizes = _interpolated(PLACES)
    seasons = [year for year in CAP if year >= first]
    places = dict(zip(seasons, apportion([sizes[year] for year in seasons], ROWS), strict=True))
    minimum = _interpolated(MINIMUM)
    active: list[_Career] = []
    lines: list[tuple[_Career, int, int, str, int]] = []
    everyone: list[_Career] = []
    for year in seasons:
        active = [player for player in active if not _leaves(player, rng)]
        active.sort(key=lambda player: -player.strength)
        # Some newcomers come every year, even where that costs the weakest their place.
        active = active[: places[year] - (0 if year == first else round(0.14 * places[year]))]
        newcomers = [_newcomer(year, rng, midway=year == first) for _ in range(places[year] - len(active))]
        _draft(newcomers, rng)
        everyone += newcomers
        active += newcomers
        _join_teams(active, year, rng)
        for player in active:
            salary = _salary(player, year, minimum[year], level, rng)
            lines.append((player, year, player.age, player.team, salary))
            player.age += 1
            player.seasons += 1
    numbers = rng.permutation(len(everyone)) + 1
    codes = {id(player): f"Player {number:04d}" for player, number in zip(everyone, numbers, strict=True)}
    return tuple(
        sorted(
            (codes[id(player)], player.position, str(year), str(age), team, str(salary))
            for player, year, age, team, salary in lines
        )
    )


def _interpolated(knots: dict[int, int]) -> dict[int, float]:
    values = np.interp(list(CAP), list(knots), list(knots.values()))
    return dict(zip(CAP, values.tolist(), strict=True))


def _leaves(player: _Career, rng: np.random.RandomState) -> bool:
    """Weak and old players leave; nobody plays beyond the oldest age."""
    logit = -1.72 - 0.85 * player.strength + 0.30 * max(0, player.age - 33)
    return bool(rng.random_sample() < 1 / (1 + math.exp(-logit))) or player.age > OLDEST


def _newcomer(year: int, rng: np.random.RandomState, *, midway: bool) -> _Career:
    names = list(POSITIONS)
    shares = np.array([POSITIONS[name][0] for name in names])
    position = names[int(rng.choice(len(names), p=shares / shares.sum()))]
    # Players came later from college in the early seasons, straight from school around 2000.
    centre = float(np.interp(year, (1985, 1995, 2005, 2018), (22.9, 22.6, 21.6, 21.0)))
    age = int(np.clip(round(rng.normal(centre, 1.45)), YOUNGEST if 1996 <= year <= 2006 else 19, 31))
    ability = float(rng.normal(-0.10 * (age - centre), 1.0))
    player = _Career(ability, age, 0, position)
    if midway:
        # The first season of the sample finds players in the middle of their careers.
        player.seasons = min(int(rng.geometric(0.20)) - 1, 14)
        player.age = min(age + player.seasons, 37)
        player.ability += 0.06 * player.seasons
    return player


def _draft(newcomers: list[_Career], rng: np.random.RandomState) -> None:
    """The most promising newcomers are picked first; promise is ability seen through noise."""
    promise = [player.ability + rng.normal(0.0, 0.7) for player in newcomers]
    for pick, i in enumerate(sorted(range(len(promise)), key=lambda i: -promise[i])[:30], start=1):
        newcomers[i].pick = pick


def _join_teams(active: list[_Career], year: int, rng: np.random.RandomState) -> None:
    """Most players stay; the others go where there is room."""
    names = [team for teams in DIVISIONS.values() for team in teams if JOINED.get(team, FIRST) <= year]
    room = dict(zip(names, apportion([1.0] * len(names), len(active)), strict=True))
    movers: list[_Career] = []
    for i in rng.permutation(len(active)):
        player = active[i]
        moves = rng.random_sample() < (0.08 if player.years_left > 0 else 0.42)
        if player.team and not moves and room[player.team]:
            room[player.team] -= 1
        else:
            movers.append(player)
    seats = [name for name in names for _ in range(room[name])]
    for player, seat in zip(movers, rng.permutation(len(seats)), strict=True):
        player.team = seats[seat]


def _salary(player: _Career, year: int, minimum: float, level: float, rng: np.random.RandomState) -> int:
    """The salary of one season in whole dollars; contracts run for several with a yearly raise."""
    floor = minimum * (SENIORITY[min(player.seasons, 10)] if year >= 1996 else 1.0)
    cap = CAP[year] * MILLION
    noise, years, part = rng.normal(0.0, 0.30), rng.random_sample(), rng.random_sample()
    if player.years_left > 0:
        player.years_left -= 1
        player.pay = max(player.pay * (1 + player.raises), floor)
        return round(player.pay)
    if player.seasons == 0 and player.pick and year >= 1996:
        # The scale of first-round picks: everyone picked at the same place in a year earns the same.
        player.pay = round(0.072 * cap * player.pick**-0.43 / 100) * 100.0
        player.years_left, player.raises = 2, 0.075
        return round(player.pay)
    market = math.log(level) + 0.92 * player.strength + POSITIONS[player.position][1] + noise
    market += 0.05 * min(player.seasons, 8) - (0.45 if player.seasons == 0 else 0.0)
    pay = min(math.exp(market), _most(player.seasons, year)) * cap
    if pay < 1.2 * floor:
        player.pay = floor
        # A few sign for the last days of the season only.
        days = 10 + int(part / 0.05 * 120)
        return round(floor * days / 170) if part < 0.05 else round(floor)
    unit = 25_000 if pay > 2 * MILLION and part < 0.4 else 5_000 if part < 0.75 else 1_000
    player.pay = max(round(pay / unit) * unit, floor)
    player.raises = (0.0, 0.045, 0.075)[int(part * 997) % 3]
    player.years_left = int(years * min(5.0, 1.5 + 2.2 * max(player.strength, 0.0)))
    return round(player.pay)


def _most(seasons: int, year: int) -> float:
    """The largest share of the cap one player may earn; since 1999 it depends on the seasons played."""
    if year < 1999:
        return 0.42
    if seasons < 7:
        return 0.25
    return 0.30 if seasons < 10 else 0.33


def _hierarchies(salaries: list[int]) -> tuple[HierarchyFile, ...]:
    positions: tuple[Row, ...] = tuple((name, kind, part, ANY) for name, (_, _, kind, part) in POSITIONS.items())
    return (
        HierarchyFile(
            "position",
            positions,
            "Positions as guards, forwards and centres, then by part of the court, as is usual in the game.",
        ),
        HierarchyFile(
            "year",
            band_rows(range(1980, 2020), (5, 10)),
            "Blocks of 5 and 10 calendar years over the declared years 1980 to 2019.",
        ),
        HierarchyFile(
            "age",
            band_rows(range(15, 50), (5, 10)),
            "Bands of 5 and 10 years over the declared ages 15 to 49, fixed without looking at the data.",
        ),
        HierarchyFile(
            "team",
            tuple(
                (team, division, conference, ANY)
                for (conference, division), teams in DIVISIONS.items()
                for team in teams
            ),
            "Teams by division and conference as the league publishes them.",
        ),
        HierarchyFile(
            "salary",
            interval_rows({str(salary): salary for salary in salaries}, SALARY_LEVELS),
            "Interval boundaries from 0 to 40,000,000 dollars fixed without looking at the data; "
            "the values listed are those of the sample.",
        ),
        HierarchyFile(
            "salary",
            pairs_of_means(salaries, levels=7),
            "Distinct salaries of this sample sorted, neighbouring pairs joined again and again, "
            "each group labelled with its arithmetic mean.",
            provenance=DERIVED,
            variant="pairs_of_means",
        ),
    )
