"""The words in the name of a column, before any value is read, and whether they tell what others want."""

from __future__ import annotations

import re
import unicodedata

EARNED = frozenset(
    "salary salaries wage wages income earnings pay gehalt lohn einkommen verdienst salaire revenu sueldo salario "
    "stipendio".split()
)
"""Words for what others may know, and rather want to learn."""

_HEALTH = frozenset(
    "sick sickness ill illness illnesses disease diseases diagnosis diagnoses diagnose diagnostic diagnostics icd "
    "health disability disabilities disabled handicap handicapped impairment symptom symptoms medication medications "
    "medicine medicines drug drugs prescription prescriptions therapy therapies surgery surgeries hiv aids cancer "
    "tumour tumor diabetes depression dementia allergy allergies pregnant pregnancy abortion abortions addiction bmi "
    "hospitalisation hospitalisations hospitalization hospitalizations smoker smoking "
    "krank krankheit krankheiten krankheitstage krankentage kranktage fehltage gesundheit befund diagnosen behinderung "
    "behinderungen schwerbehindert schwerbehinderung medikament medikamente schwanger schwangerschaft "
    "maladie maladies sante medicament medicaments grossesse enfermedad enfermedades salud discapacidad diagnostico "
    "condition conditions malattia malattie salute disabilita diagnosi".split()
)
"""Words for what hardly anybody knows of others, and what harms most if it is learnt."""


_HELPED = frozenset(
    "meal meals benefit benefits welfare sozialhilfe sozialleistung sozialleistungen burgergeld buergergeld wohngeld "
    "allocation allocations cantine bolsa subsidio subsidios".split()
)
"""Whether somebody gets help, such as free meals at school, which tells how little they have."""


_COUNTED = frozenset(
    "days nights visits stays appointments admissions children kids siblings persons people members rooms bedrooms "
    "bathrooms floors storeys cars bicycles pets trips tage nachte naechte besuche kinder personen zimmer autos "
    "jours nuits visites enfants personnes pieces dias noches visitas hijos personas giorni notti visite figli "
    "persone".split()
)
"""Words for what is counted one by one, so that hardly anybody has many of it."""


def words_of_name(name: str) -> list[str]:
    """The words of a column name: `firstName`, `first_name` and `First name` are the same, and so is an accent.

    >>> words_of_name("firstName"), words_of_name("Código_postal")
    (['first', 'name'], ['codigo', 'postal'])
    """
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    plain = "".join(sign for sign in unicodedata.normalize("NFKD", apart) if not unicodedata.combining(sign))
    return [word.casefold() for word in re.findall(r"[^\W\d_]+", plain)]


def is_wanted(name: str) -> bool:
    """Whether a column of that name holds what others want to learn: what people earn or need, or how well they are.

    >>> is_wanted("Sick days"), is_wanted("annualSalary"), is_wanted("free meals"), is_wanted("age")
    (True, True, True, False)
    """
    return not (EARNED | _HEALTH | _HELPED).isdisjoint(words_of_name(name))


_WHEN = frozenset(
    "date dates day admission admitted admit discharge discharged visit visited appointment hire hired hiring joined "
    "joining join entry entered start started end ended exit left leaving leave departure departed arrival arrived "
    "termination terminated resigned resignation retired retirement enrolled enrolment enrollment graduated graduation "
    "death died deceased marriage married wedding divorce divorced accident arrest arrested moved "
    "datum tag aufnahme einweisung entlassung entlassen besuch termin einstellung eintritt austritt kundigung "
    "kuendigung tod todestag gestorben verstorben heirat hochzeit hochzeitstag scheidung einzug auszug umzug ankunft "
    "abreise unfall "
    "jour entree sortie visite embauche depart arrivee inscription deces mariage divorce rendezvous "
    "fecha dia ingreso alta visita contratacion baja llegada salida inscripcion muerte fallecimiento defuncion "
    "matrimonio boda divorcio cita "
    "giorno ricovero ingresso dimissione dimissioni assunzione arrivo uscita iscrizione morte decesso nozze".split()
)
_DATED = ("date", "datum")
"""Endings of a word that is made of one for what happened, and of the word for a date, such as “Eintrittsdatum”."""


def tells_when(name: str) -> bool:
    """Whether a date of that name is of something in a life which neighbours or colleagues are likely to know of.

    >>> tells_when("admitted"), tells_when("Eintrittsdatum"), tells_when("date d'entrée"), tells_when("modified")
    (True, True, True, False)
    """
    return any(word in _WHEN or word.endswith(_DATED) for word in words_of_name(name))


_YEARS = frozenset("year yob jahr geburtsjahr jahrgang baujahr annee anno ano".split())


def is_year(name: str) -> bool:
    """Whether a column of that name holds calendar years, of which people of one school or staff have few.

    >>> is_year("year of birth"), is_year("Geburtsjahr"), is_year("years of service"), is_year("age")
    (True, True, False, False)
    """
    return not _YEARS.isdisjoint(words_of_name(name))


_AGES = frozenset("age ages alter edad".split())


def is_age(name: str) -> bool:
    """Whether a column of that name holds ages in years.

    >>> is_age("age"), is_age("Age at entry"), is_age("wage"), is_age("year of birth")
    (True, True, False, False)
    """
    return not _AGES.isdisjoint(words_of_name(name))


_SKEWED = frozenset(
    "charge charges charged cost costs payment payments amount amounts claim claims donation donations turnover "
    "revenue revenues debt debts price prices fine fines bill bills billed invoice invoices invoiced expense expenses "
    "spending expenditure grant grants loan loans balance balances deposit deposits wealth assets "
    "kosten betrag betrage betraege zahlung zahlungen rechnung rechnungen rechnungsbetrag spende spenden umsatz "
    "schulden preis preise ausgaben schaden bussgeld darlehen saldo saldi kontostand guthaben vermogen vermoegen "
    "montant montants cout couts paiement paiements don dons facture factures dette dettes prix depense depenses "
    "amende solde soldes importe costo costos coste costes pago pagos factura facturas deuda deudas precio precios "
    "gasto gastos donacion donaciones multa importo costi pagamento pagamenti fattura fatture debito debiti prezzo "
    "prezzi spesa spese donazione donazioni fatturato".split()
)


def is_skewed(name: str) -> bool:
    """Whether a column of that name holds amounts of which most are small and few very large; not what people earn.

    >>> is_skewed("charge"), is_skewed("balance"), is_skewed("salary"), is_skewed("amount of pay"), is_skewed("age")
    (True, True, False, False, False)
    """
    words = words_of_name(name)
    return not _SKEWED.isdisjoint(words) and EARNED.isdisjoint(words)


_SEXES = frozenset("sex sexes gender genders geschlecht sexe genre sexo genero genere sesso".split())


def is_sex(name: str) -> bool:
    """Whether a column of that name holds sexes or genders, of which there are few.

    >>> is_sex("Sex"), is_sex("gender (registered)"), is_sex("section")
    (True, True, False)
    """
    return not _SEXES.isdisjoint(words_of_name(name))


_MASS = frozenset("bmi kmi imc".split())


def is_body_mass(name: str) -> bool:
    """Whether a column of that name holds body mass indices, nearly all of which lie from 12 to 40.

    >>> is_body_mass("BMI"), is_body_mass("bmi at entry"), is_body_mass("body height")
    (True, True, False)
    """
    return not _MASS.isdisjoint(words_of_name(name))


def is_small_count(name: str) -> bool:
    """Whether a column of that name counts what people have a few of, so that groups of ten would hold nearly all.

    >>> is_small_count("Days in hospital"), is_small_count("children"), is_small_count("salary")
    (True, True, False)
    """
    return not _COUNTED.isdisjoint(words_of_name(name))


_BIRTHS = frozenset("born birth birthday birthdate birthyear dob naissance geburt geburtsdatum geburtstag".split())
_PLACES = frozenset("zip zipcode postcode plz postal latitude longitude lat lon".split())


def is_birth(name: str) -> bool:
    """Whether a column says when somebody was born.

    >>> is_birth("date of birth"), is_birth("Geburtsdatum"), is_birth("joined")
    (True, True, False)
    """
    return bool(_BIRTHS.intersection(words_of_name(name)))


def is_place_or_date(name: str) -> bool:
    """Whether a column of that name says when or where, even where it does so by a number, which nobody averages.

    >>> is_place_or_date("born"), is_place_or_date("Year"), is_place_or_date("zip code"), is_place_or_date("age")
    (True, True, True, False)
    """
    return is_year(name) or not (_BIRTHS | _PLACES).isdisjoint(words_of_name(name))
