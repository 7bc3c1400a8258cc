"""`workbench plugins`: which plugins of third parties are there, whether they keep what they must, who is trusted."""

from __future__ import annotations

import argparse
from typing import Any

from workbench.cli.actions import add_action
from workbench.cli.command_output import CommandOutput, progress
from workbench.contracts import ContractReport, check_installed
from workbench.core.errors import WorkbenchError
from workbench.core.plugins import PluginProblem
from workbench.core.trust import Origin, normalised
from workbench.io.trusted_plugins import kept_trust
from workbench.session import plugin_trust, plugins

BROKEN = 1
"""Exit code of a check that found something wrong."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The actions of the command, and their options."""
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    add_action(actions, "list", show, "name the plug-ins of third parties")
    check = add_action(actions, "check", check_plugins, "try whether plug-ins keep what they must")
    check.add_argument("name", nargs="?", default="", metavar="NAME", help="a distribution, or the name of one plug-in")
    for name, run, what in (
        ("trust", trust, "let what a distribution makes carry a claim from now on, in this version"),
        ("distrust", distrust, "take that back"),
    ):
        add_action(actions, name, run, what).add_argument("name", metavar="NAME", help="the distribution")


def show(options: argparse.Namespace) -> CommandOutput:
    """Name the plugins of third parties."""
    found, problems = plugins.installed(), plugins.left_out()
    data = {
        "plugins": [
            {
                "kind": one.kind,
                "name": one.identifier,
                "title": one.title,
                **one.origin.to_json(),
            }
            for one in found
        ],
        "left_out": [_left_out(problem) for problem in problems],
    }
    lines = []
    for origin in plugin_trust.origins():
        trust = "trusted" if origin.trusted else "not trusted: what it makes carries no claim"
        lines.append(f"{origin.name} ({trust})")
        lines += [f"  {one.kind}: {one.identifier}" for one in found if one.origin.key == origin.key]
        lines += [f"  left out, {one.entry_point}: {one.why}" for one in problems if one.origin.key == origin.key]
    return CommandOutput(data, tuple(lines or ["No plug-in of a third party is installed."]))


def check_plugins(options: argparse.Namespace) -> CommandOutput:
    """Try the plugins of third parties, or those of one name."""
    wanted = options.name

    def asked(origin: Origin, name: str) -> bool:
        return wanted in ("", name) or normalised(wanted) == normalised(origin.distribution)

    problems = [one for one in plugins.left_out() if asked(one.origin, one.entry_point)]
    chosen = [one for one in plugins.installed() if asked(one.origin, one.identifier)]
    if wanted and not chosen and not problems:
        raise WorkbenchError(
            f"No plug-in of a third party is called “{wanted}”, and no distribution with one.",
            hint="“workbench plugins list” names them.",
            field="name",
        )
    reports = [check_installed(one.kind, one.identifier, progress()) for one in chosen]
    holds = not problems and all(report.holds for report in reports)
    data = {
        "holds": holds,
        "plugins": [
            {"kind": one.kind, "name": one.identifier, **one.origin.to_json(), **report.to_json()}
            for one, report in zip(chosen, reports, strict=True)
        ],
        "left_out": [_left_out(problem) for problem in problems],
    }
    lines = [problem.sentence for problem in problems]
    for one, report in zip(chosen, reports, strict=True):
        lines += [f"{one.kind} “{one.identifier}” of {one.origin.name}:", *_told(report)]
    lines.append(_verdict(reports, problems))
    return CommandOutput(data, tuple(lines), 0 if holds else BROKEN)


def _told(report: ContractReport) -> list[str]:
    return [f"  {result.verdict:<10} {result.contract}: {result.detail}" for result in report.results]


def _verdict(reports: list[ContractReport], problems: list[PluginProblem]) -> str:
    if not reports and not problems:
        return "No plug-in of a third party is installed."
    broken = sum(not report.holds for report in reports) + len(problems)
    if broken:
        return f"{broken} of {len(reports) + len(problems)} {'is' if broken == 1 else 'are'} not as they must be."
    return (
        "Nothing was found against them. That is no proof: the checks try small cases. Whether you trust them is yours "
        "to say (--trust-plugin)."
    )


def _left_out(problem: PluginProblem) -> dict[str, Any]:
    return {"entry_point": problem.entry_point, **problem.origin.to_json(), "why": problem.why}


def trust(options: argparse.Namespace) -> CommandOutput:
    """Trust a distribution from now on."""
    (origin,) = plugin_trust.named([options.name])
    plugin_trust.trust_always(origin, trusted=True)
    return _kept(
        origin,
        f"What {origin.name} makes may carry a claim from now on, as the publisher's word: this program's tests do not "
        "vouch for it. Another version is not trusted.",
    )


def distrust(options: argparse.Namespace) -> CommandOutput:
    """Trust a distribution no longer, whether it is still installed or not."""
    kept = {one.key[0]: one for one in (*plugin_trust.origins(), *kept_trust())}
    origin = kept.get(Origin(options.name).key[0])
    if origin is None:
        raise WorkbenchError(
            f"“{options.name}” is neither installed nor trusted.",
            hint="“workbench plugins list” names them.",
            field="name",
        )
    for one in {one.key: one for one in (origin, *kept_trust()) if one.key[0] == origin.key[0]}.values():
        plugin_trust.trust_always(one, trusted=False)
    return _kept(origin, f"What {origin.distribution} makes carries no claim any more. What was released is as it was.")


def _kept(origin: Origin, text: str) -> CommandOutput:
    return CommandOutput(
        {**origin.to_json(), "kept": [[one.distribution, one.version] for one in kept_trust()]}, (text,)
    )
