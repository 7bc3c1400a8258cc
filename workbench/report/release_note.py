"""The note of an (ε, δ) release, and what must be so in its file: whichever mechanism made it.

Nothing here depends on rows that are not in the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from workbench.anonymise.claim import Claim
from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.reasons import Reason
from workbench.anonymise.recipe import ReleaseOutcome, Treatment
from workbench.anonymise.said_words import said_as_ranges
from workbench.anonymise.sampling import Outcome
from workbench.anonymise.terms import Terms
from workbench.anonymise.trim_recipe import TrimRecipe, TrimStep
from workbench.anonymise.trimming import TrimOutcome
from workbench.core.hierarchy import ANY, Hierarchy, Provenance
from workbench.core.level_words import stated_words
from workbench.core.trim_law import TrimLaw, trim_law
from workbench.report.counting_words import parting
from workbench.report.note import COUNT, SAMPLED, STEP, TRIMMED, columns_of, model_of
from workbench.report.recheck_stated import Stated, StatedChain
from workbench.report.release_figures import figures_of
from workbench.report.said_to_occur import KEY, listed
from workbench.report.stated_labels import stated_labels


def described(hierarchies: Mapping[str, Hierarchy], outcome: ReleaseOutcome, claim: Claim) -> dict[str, Any]:
    """The facts stated about an (ε, δ) release: everything its statement is made from."""
    if isinstance(outcome, TrimOutcome):
        return _trimmed(hierarchies, outcome, claim)
    assert isinstance(outcome, Outcome)
    return _sampled(hierarchies, outcome, claim)


def stated_of(hierarchies: Mapping[str, Hierarchy], outcome: ReleaseOutcome, claim: Claim) -> Stated:
    """The conditions on the file of an (ε, δ) release."""
    if isinstance(outcome, TrimOutcome):
        return _stated_of_trimmed(hierarchies, outcome, claim)
    assert isinstance(outcome, Outcome)
    return _stated_of_sampled(hierarchies, outcome, claim)


def _sampled(hierarchies: Mapping[str, Hierarchy], outcome: Outcome, claim: Claim) -> dict[str, Any]:
    promised, recipe = claim.guarantee, outcome.recipe
    grouped = [plan.name for plan in recipe.named(Treatment.GENERALISE)]
    return {
        "kind": SAMPLED,
        "claim": claim.holds,
        "promised": _promised(claim),
        "given": given_of(claim),
        "mechanisms": [*_search(claim), _costing(claim, "sampling")],
        "rows_per_person": promised.rows_per_person,
        "beta": recipe.beta,
        "k": recipe.k,
        "accounting": promised.accounting.value,
        "simulation": not outcome.secure,
        "engine": outcome.engine or "memory",
        "rows": outcome.rows_out,
        "order": claim.terms.order,
        "models": [model_of(one) for one in _smallest(recipe.k)],
        "columns": columns_of(outcome.release.names, grouped, hierarchies, recipe.levels, claim.told_without),
        "mixed_levels": False,
        "terms": _terms(claim.terms) if _spoken(claim) else None,
        **_said_of(claim),
    }


def trimming_of(recipe: TrimRecipe, *, claimed: bool = True) -> dict[str, Any]:
    """The facts that follow from a recipe alone: what a step gives up, which groups survive, how lines are written."""
    laws = [trim_law(step.epsilon, step.delta, recipe.rows_per_person) for step in recipe.steps]
    floor = recipe.floor
    return {
        "claim": claimed,
        "rows_per_person": recipe.rows_per_person,
        "steps": [_step(step, law, floor, claimed=claimed) for step, law in zip(recipe.steps, laws, strict=True)],
        "survival": [[rows, laws[0].keep(max(0, rows - floor + 1))] for rows in _shown(laws[0], floor)],
        "floor": floor,
        "step_column": recipe.step_column,
        "count_column": recipe.count_column,
    }


def _trimmed(hierarchies: Mapping[str, Hierarchy], outcome: TrimOutcome, claim: Claim) -> dict[str, Any]:
    recipe = outcome.recipe
    after = outcome.after
    mixed = len(recipe.steps) > 1 and not after.one_level
    shown = recipe.steps[max(after.one_level, 1) - 1].levels
    grouped = [*recipe.grouped, *filter(None, [recipe.step_column])]
    names = (*outcome.names_out, *after.left_out)
    columns = columns_of(names, grouped, hierarchies, {} if mixed else shown, claim.told_without)
    for column in columns:
        added = {recipe.step_column: STEP, recipe.count_column: COUNT}
        column["shown"] = added.get(column["name"], column["shown"])
        if column["name"] in recipe.grouped and column["name"] not in hierarchies and shown[column["name"]]:
            column["shown"] = ANY
        if column.get("hierarchy", {}).get("provenance") == Provenance.PUBLIC:
            hierarchy = hierarchies[column["name"]]
            words = [stated_words(hierarchy, level) for level in range(hierarchy.height + 1)]
            column["hierarchy"]["levels"] = words
            if column["name"] not in after.left_out:
                of_file = recipe.steps[after.one_level - 1 : after.one_level] if after.one_level else recipe.steps
                of_column = [step.levels[column["name"]] for step in of_file]
                occurring = claim.occurring.get(column["name"], ())
                column["hierarchy"] |= stated_labels(hierarchy, of_column, occurring)
    for name, said in listed(claim.occurring, said_as_ranges(claim.occurring, hierarchies)).items():
        next(column for column in columns if column["name"] == name)[KEY] = said
    trimming = {**trimming_of(recipe, claimed=_spoken(claim)), "claim": claim.holds}
    for step, levels in zip(trimming["steps"], _levels(hierarchies, recipe, claim), strict=True):
        step["levels"] = levels
    stated = {
        **trimming,
        "kind": TRIMMED,
        "mechanism": recipe.mechanism.value,
        "promised": _promised(claim),
        "given": given_of(claim),
        "mechanisms": [*_search(claim), _costing(claim, "trimming")],
        "simulation": not outcome.secure,
        "engine": outcome.engine or "memory",
        "rows": outcome.rows_out,
        "order": claim.terms.order,
        "models": [model_of(one) for one in _smallest(recipe.floor)],
        "columns": [column for column in columns if column["name"] not in after.left_out],
        "after": {
            "left_out": [column for column in columns if column["name"] in after.left_out],
            "one_level": after.one_level,
        },
        "mixed_levels": mixed,
        "terms": _terms_of_trimming(claim) if _spoken(claim) else None,
        **_said_of(claim),
    }
    # Which rows took part is not told where nothing is promised, so that a count could be of others.
    untold = not _spoken(claim) and claim.terms.narrowed
    return {**stated, **figures_of(outcome, stated, parted=untold or bool(parting(stated)), hierarchies=hierarchies)}


def _step(step: TrimStep, law: TrimLaw, floor: int, *, claimed: bool) -> dict[str, Any]:
    """One step: what it costs if anything is promised, and what groups give up."""
    spent = {"epsilon": float(step.epsilon), "delta": float(step.delta)} if claimed else {}
    return {
        **spent,
        "mean_lost": law.mean_lost,
        "sd": law.sd,
        "mostly_lost": list(law.mostly_lost),
        "half_survive": law.half_survive + floor - 1,
        "always_survive": law.always_survive + floor - 1,
    }


def _shown(law: TrimLaw, floor: int) -> list[int]:
    """The groups whose chance is told: 1, 2, 5, 10 … rows, and those that survive half of the time and always."""
    half, always = law.half_survive + floor - 1, law.always_survive + floor - 1
    round_numbers = (digit * 10**power for power in range(len(str(always))) for digit in (1, 2, 5))
    return sorted({half, always, *(rows for rows in round_numbers if floor <= rows < always)})


def _levels(hierarchies: Mapping[str, Hierarchy], recipe: TrimRecipe, claim: Claim) -> tuple[dict[str, int | str], ...]:
    """Per step the level of each grouped column; `*` where that is all there is, and a level would tell too much."""

    def told(name: str, level: int) -> int | str:
        if name in claim.told_without:
            return 0 if claim.told_without[name] != ANY else ANY
        return ANY if name not in hierarchies and level else level

    return tuple({name: told(name, step.levels[name]) for name in recipe.grouped} for step in recipe.steps)


def _promised(claim: Claim) -> dict[str, Any] | None:
    if not claim.holds:
        return None
    return {"epsilon": claim.epsilon, "delta": claim.delta, "neighbours": claim.terms.neighbours}


def given_of(claim: Claim) -> dict[str, Any] | None:
    """The promise of the draw for the settings as they are, where their choice is all that speaks against a claim."""
    if not claim.given:
        return None
    return {"epsilon": claim.epsilon, "delta": claim.delta, "neighbours": claim.terms.neighbours}


def _spoken(claim: Claim) -> bool:
    """Whether something is promised, of the file or of its draw alone."""
    return claim.holds or claim.given


def _search(claim: Claim) -> list[dict[str, Any]]:
    """How the levels were drawn privately, and what that costs; see `recheck_cost`. Nothing if they were not."""
    search = claim.guarantee.search
    if search is None:
        return []
    return [
        {
            "kind": "private-levels",
            "epsilon": search.epsilon,
            "draw": search.draw.value,
            "score": search.score.value,
        }
    ]


def _costing(claim: Claim, kind: str) -> dict[str, Any]:
    """The use of randomness, with its cost if anything is promised; see `recheck_cost`."""
    promised = claim.guarantee
    costs = {"epsilon": promised.release.epsilon, "delta": promised.release.delta} if _spoken(claim) else {}
    return {"kind": kind, **costs}


def _smallest(rows: int) -> tuple[ModelChoice, ...]:
    """The models that hold for a file without groups of fewer rows."""
    return (ModelChoice("k-anonymity", {"k": rows}),) if rows > 1 else ()


def _terms(terms: Terms) -> dict[str, Any]:
    """The terms of a claim that its sentences follow from, but for those that stand elsewhere in the note."""
    return {
        "degree": terms.degree,
        "where": terms.where,
        "sample": terms.sample,
        "limited_by": terms.limited_by,
        "near": terms.near.value,
        "counted": terms.counted,
        "by_rule": list(terms.by_rule),
        "only": terms.only,
        "known": terms.known.value,
        "looked": terms.looked,
    }


def _terms_of_trimming(claim: Claim) -> dict[str, Any]:
    terms, rows = claim.terms, claim.expected_rows
    trimmed = {"degrees": list(terms.degrees), "expected": terms.expected, "balanced": terms.balanced}
    told = {} if rows is None else {"expected_rows": rows}
    return {**_terms(terms), **trimmed, "occurring": terms.occurring, **told}


def _said_of(claim: Claim) -> dict[str, Any]:
    """The sentences of a claim, without what is for the analyst."""
    return {
        "checked": list(claim.checked),
        "asserted": list(claim.asserted),
        "reasons": [reason.text for reason in claim.reasons],
        "against": _said(claim.reasons),
        "cautions": _said([caution for caution in claim.cautions if not caution.private]),
    }


def _said(reasons: Iterable[Reason]) -> list[dict[str, str]]:
    """Reasons without what is for the analyst."""
    return [{"code": reason.code, "text": reason.text, "remedy": reason.remedy} for reason in reasons]


def _untold(claim: Claim) -> frozenset[str]:
    return frozenset(name for name, told in claim.told_without.items() if told == ANY)


def _stated_of_sampled(hierarchies: Mapping[str, Hierarchy], outcome: Outcome, claim: Claim) -> Stated:
    recipe = outcome.recipe
    grouped = tuple(plan.name for plan in recipe.named(Treatment.GENERALISE))
    used = {name: hierarchies[name] for name in grouped if name in hierarchies}
    return Stated(
        models=_smallest(recipe.k),
        grouped=grouped,
        hierarchies=used,
        levels={name: recipe.levels[name] for name in used},
        columns=outcome.release.names,
        all_grouped=claim.holds,
        rows=outcome.release.rows,
        untold=_untold(claim),
        small_groups_dropped=True,
    )


def _stated_of_trimmed(hierarchies: Mapping[str, Hierarchy], outcome: TrimOutcome, claim: Claim) -> Stated:
    recipe = outcome.recipe
    chain: list[dict[str, int | str]] = [
        {name: level if name in hierarchies or not level else ANY for name, level in step.levels.items()}
        for step in recipe.steps
    ]
    after = outcome.after
    chain = chain[after.one_level - 1 : after.one_level] or chain
    chain = [{name: level for name, level in step.items() if name not in after.left_out} for step in chain]
    grouped = tuple(name for name in recipe.grouped if name not in after.left_out)
    return Stated(
        models=_smallest(recipe.floor),
        grouped=(*grouped, *filter(None, [recipe.step_column])),
        hierarchies={name: hierarchies[name] for name in grouped if name in hierarchies},
        mixed_levels=len(chain) > 1,
        columns=outcome.names_out,
        all_grouped=True,
        rows=outcome.rows_out,
        untold=_untold(claim),
        small_groups_dropped=True,
        chain=StatedChain(tuple(chain), recipe.step_column, recipe.count_column),
    )
