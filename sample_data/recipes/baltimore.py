"""Pay of the people who work for a city: titles, pay grades with steps, and what was paid in the year."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

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

ROWS = 13_811
MISSING = 137
"""People hired after the fiscal year: their gross pay is empty."""
UNPAID = 24
"""People on leave the whole year: their gross pay is zero."""

# Family: (share of seniority steps, typical overtime as a share of salary); then title: people, first step.
FAMILIES: dict[str, tuple[float, float, str]] = {
    "Police": (
        0.030, 0.16,
        """Police Officer 1790 48973; Police Officer Trainee 165 46500; Police Sergeant 345 71800;
        Police Lieutenant 98 88500; Police Captain 27 108300; Police Major 14 121600;
        Police Flight Officer 9 62000; Police Detective 118 61200;
        Police Information Technician 24 31100; Emergency Dispatcher 127 39200; Police Cadet 31 27900;
        Crime Laboratory Technician 46 44100; Fingerprint Examiner 19 41700;
        Forensic Scientist 21 58400; Community Service Officer 64 30800; Police Commissioner 1 193800;
        Deputy Police Commissioner 3 151200""",
    ),
    "Fire and ambulance": (
        0.028, 0.13,
        """Firefighter 402 46800; Firefighter EMT 318 48200; Firefighter Paramedic 96 53900; EMT 110 44300;
        Paramedic 141 51200; Fire Pump Operator 167 60300; Fire Emergency Vehicle Driver 148 61000;
        Fire Lieutenant 152 68900; Fire Captain 72 79300; Battalion Fire Chief 29 93800;
        Fire Inspector 24 58100; Fire Dispatcher 38 47600; Deputy Fire Chief 6 111900;
        Assistant Fire Chief 4 127600; Fire Chief 1 168300""",
    ),
    "Streets and sanitation": (
        0.016, 0.11,
        """Laborer 548 28600; Solid Waste Worker 214 30100; Solid Waste Driver 118 34200;
        Solid Waste Supervisor 49 44700; Motor Vehicle Driver 236 32900;
        Heavy Equipment Operator 96 37800; Street Mason 31 35300; Cement Finisher 34 34600;
        Traffic Maintenance Worker 57 31500; Traffic Signal Technician 28 41200;
        Traffic Officer 112 32700; Parking Control Agent 74 31200;
        Highway Maintenance Supervisor 31 48300; Mosquito Control Worker 8 29400;
        Street Light Technician 15 40600; Tree Trimmer 24 33800""",
    ),
    "Water and sewers": (
        0.018, 0.12,
        """Utility Installer Repairer 172 33600; Waste Water Plant Operator 96 37900;
        Water Treatment Technician 58 39800; Waste Water Maintenance Mechanic 64 41500;
        Pumping Station Operator 32 38100; Utility Meter Reader 61 30500; Utility Investigator 27 36200;
        Utility Maintenance Supervisor 42 50100; Sanitary Engineer 14 69400;
        Water Systems Manager 9 84600; Instrumentation Technician 22 44800;
        Laboratory Technician 21 38800""",
    ),
    "Buildings and vehicles": (
        0.017, 0.07,
        """Custodial Worker 128 26300; Maintenance Technician 71 34700; Building Repairer 64 36100;
        Automotive Mechanic 96 41900; Automotive Lead Mechanic 22 47600; Electrician 41 43400;
        Plumber 24 42900; Painter 19 37200; Carpenter 23 39800; Welder 18 41300;
        HVAC Technician 34 45100; Locksmith 6 39400; Building Operations Supervisor 24 52800;
        Stationary Engineer 21 46900; Fleet Maintenance Supervisor 16 57700; Stores Supervisor 14 38900;
        Storekeeper 33 31900""",
    ),
    "Parks and recreation": (
        0.012, 0.02,
        """Recreation Leader 136 30600; Recreation Arts Instructor 41 25800;
        Recreation Center Director 46 43800; Park Ranger 18 35400; Horticultural Assistant 14 33100;
        Gardener 22 31700; Park Maintenance Supervisor 24 44900; Lifeguard 163 10200;
        Pool Manager 21 13400; Recreation Aide 318 10600; Summer Camp Counselor 144 10100;
        Zoo Keeper 9 34800""",
    ),
    "Schools and youth": (
        0.010, 0.00,
        """Crossing Guard 267 11200; Community Aide 352 13700; Youth Worker 96 10400;
        School Health Aide 152 25600; Early Childhood Teacher 64 36800; Head Start Assistant 44 27200;
        Tutor 28 15800; Youth Program Coordinator 31 47300""",
    ),
    "Health": (
        0.019, 0.02,
        """Community Health Nurse 118 60900; School Nurse 72 57400; Community Health Educator 56 39600;
        Medical Office Assistant 43 31300; Dental Assistant 11 31900; Dentist 4 103800;
        Physician 7 131900; Epidemiologist 9 64700; Environmental Sanitarian 41 46900;
        Animal Enforcement Officer 21 33500; Nurse Practitioner 16 84900; Social Worker 64 55300;
        Nutrition Aide 29 28400; Disease Intervention Specialist 26 37600;
        Health Program Administrator 24 73100; Health Commissioner 1 178200""",
    ),
    "Housing and inspection": (
        0.018, 0.03,
        """Housing Inspector 108 43300; Senior Housing Inspector 22 50600;
        Construction Project Supervisor 39 63400; Construction Inspector 66 43900;
        Building Inspector 31 47800; Electrical Inspector 18 48200; Plumbing Inspector 13 48100;
        Zoning Examiner 9 47300; Real Estate Agent 19 51600; City Planner 31 58700;
        Relocation Worker 12 42100; Housing Rehabilitation Technician 24 45600""",
    ),
    "Courts and law": (
        0.021, 0.00,
        """Assistant State's Attorney 196 62700; Chief State's Attorney 21 98600;
        State's Attorney 1 238700; Law Clerk 52 42600; Assistant Solicitor 47 68300;
        Chief Solicitor 24 102900; City Solicitor 1 187400; Paralegal 39 43700;
        Sheriff's Deputy 114 46200; Sheriff's Sergeant 12 60400; Sheriff 1 126900;
        Court Secretary 44 41800; Victim Witness Advocate 27 38700; Court Reporter 16 45200;
        Investigator 41 49800""",
    ),
    "Offices": (
        0.016, 0.01,
        """Office Support Specialist 412 29800; Office Supervisor 118 40700; Office Assistant 168 27300;
        Secretary 124 34200; Data Entry Operator 42 28700; Customer Care Analyst 116 35900;
        Call Center Agent 104 33400; Mail Clerk 14 27100; Executive Assistant 58 55600;
        Administrative Coordinator 66 41900; Records Clerk 33 30200; License Clerk 18 32500""",
    ),
    "Finance and personnel": (
        0.020, 0.00,
        """Accounting Assistant 94 36600; Accountant 86 51300; Accounting Manager 19 79100;
        Auditor 38 58900; Budget Analyst 27 63200; Collections Representative 62 34300;
        Procurement Specialist 31 52900; Human Resources Assistant 34 40100;
        Human Resources Generalist 41 56800; Personnel Analyst 12 61300; Cashier 31 30700;
        Property Tax Assessor 9 49800; Pension Analyst 11 57900; Risk Manager 4 91200;
        Fiscal Supervisor 24 68200""",
    ),
    "Information and engineering": (
        0.021, 0.01,
        """Information Technology Specialist 96 60100; Network Engineer 24 73800; Systems Analyst 34 75900;
        GIS Analyst 19 61700; Telephone Technician 9 46300; Civil Engineer 72 70200;
        Engineering Associate 41 50400; Engineer Supervisor 33 87300; Surveyor 14 52600;
        Draftsman 11 44800; Program Manager 38 92700; Database Administrator 12 83500""",
    ),
    "Libraries and culture": (
        0.016, 0.00,
        """Librarian 92 48700; Librarian Supervisor 31 59300; Library Associate 118 37100;
        Library Page 46 14900; Museum Curator 6 51800; Archivist 4 47600;
        Arts Program Coordinator 9 45900""",
    ),
    "City government": (
        0.010, 0.00,
        """Council Member 14 66100; Council Technician 43 47800; Council President 1 112700;
        Mayor 1 171600; Comptroller 1 113400; Operations Officer 108 81300;
        Operations Manager 71 104600; Executive Director 24 131900; Deputy Mayor 3 163800;
        Liaison Officer 39 57900; Public Information Officer 16 64100; Election Worker 41 12600;
        Research Analyst 34 58300""",
    ),
}  # fmt: skip

# Fixed boundaries in dollars; gross pay also holds overtime.
SALARY_LEVELS = (
    steps((0, 250_000, 2_500)),
    steps((0, 250_000, 10_000)),
    steps((0, 250_000, 50_000)),
    (0, 100_000, 250_000),
)
PAY_LEVELS = (
    steps((0, 300_000, 2_500)),
    steps((0, 300_000, 10_000)),
    steps((0, 300_000, 50_000)),
    (0, 100_000, 300_000),
)


@dataclass(frozen=True)
class _Title:
    name: str
    family: str
    weight: int
    first_step: int
    step: float
    overtime: float


def _titles() -> list[_Title]:
    titles: list[_Title] = []
    for family, (step, overtime, listing) in FAMILIES.items():
        for entry in listing.split(";"):
            name, weight, first = entry.strip().rsplit(" ", 2)
            titles.append(_Title(name, family, int(weight), int(first), step, overtime))
    return titles


def make() -> Sample:
    """One row per person: the salary of title and step, and what was paid in the fiscal year."""
    rng = randomness(410)
    titles = _titles()
    people = apportion([title.weight for title in titles], ROWS)
    jobs: list[tuple[str, int, int]] = []
    for title, number in zip(titles, people, strict=True):
        # Many have served few years; a second group is near the end of the scale.
        served = np.where(rng.random_sample(number) < 0.68, rng.exponential(6.0, number), rng.normal(21.0, 5.0, number))
        years = np.clip(served, 0, 34).astype(np.int64)
        if number == 1:
            years[:] = 0
        for service in years.tolist():
            salary = _annual_salary(title, service)
            jobs.append((title.name, salary, _gross_pay(title, salary, service, rng)))
    order = rng.permutation(ROWS)
    special = rng.permutation(ROWS)[: MISSING + UNPAID]
    missing, unpaid = set(special[:MISSING].tolist()), set(special[MISSING:].tolist())
    rows = []
    amounts: dict[str, float] = {}
    salaries: dict[str, float] = {}
    for number, job in enumerate(order.tolist(), start=1):
        name, salary, gross = jobs[job]
        salaries[dollars(salary)] = salary
        if job in missing:
            paid = ""
        else:
            gross = 0 if job in unpaid else gross
            paid = dollars(gross)
            amounts[paid] = gross
        rows.append((f"Employee {number:05d}", name, dollars(salary), paid))
    families = tuple((title.name, title.family, ANY) for title in sorted(titles, key=lambda t: t.name))
    pay = interval_rows(dict(sorted(amounts.items(), key=lambda item: item[1])), PAY_LEVELS)
    blank = ("", *[ANY] * (len(PAY_LEVELS) + 1))
    return Sample(
        short_name="baltimore",
        file="baltimore_salaries.csv",
        header=("name", "job title", "annual salary", "gross pay"),
        rows=tuple(rows),
        hierarchies=(
            HierarchyFile(
                "job title",
                families,
                "Titles by kind of work, as one would group the city's published list of titles.",
            ),
            HierarchyFile(
                "annual salary",
                interval_rows(dict(sorted(salaries.items(), key=lambda item: item[1])), SALARY_LEVELS),
                "Interval boundaries from 0 to 250,000 dollars fixed without looking at the data; "
                "the values listed are those of the sample.",
            ),
            HierarchyFile(
                "gross pay",
                (*pay, blank),
                "Interval boundaries from 0 to 300,000 dollars fixed without looking at the data; an empty "
                "cell becomes * at once; the values listed are those of the sample.",
            ),
        ),
    )


def _annual_salary(title: _Title, service: int) -> int:
    """Steps come every year at first, then every third year, and never beyond the top of the scale."""
    step = min(service, 6) + max(service - 6, 0) // 3
    return round(title.first_step * (1 + title.step) ** step)


def _gross_pay(title: _Title, salary: int, service: int, rng: np.random.RandomState) -> int:
    """Whole dollars: part of a year for newcomers and leavers, overtime for some, raises within the year."""
    luck, share = rng.random_sample(2)
    overtime = rng.gamma(1.3, title.overtime / 1.3) if title.overtime else 0.0
    small = abs(rng.normal(0.0, 0.012))
    if service == 0 and luck < 0.75:
        worked = 0.04 + 0.92 * share
    elif luck < 0.05:
        worked = 0.15 + 0.80 * share
    else:
        worked = 1.0
    if salary < 20_000:
        # Paid by the hour: few work all the hours of the title.
        worked *= 0.35 + 0.65 * float(rng.beta(2.2, 1.6))
    return round(float(salary * worked * (0.985 + small + overtime)))
