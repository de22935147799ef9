"""Run a game's worked examples and crafted cases under every choice of rulings they speak about."""

from __future__ import annotations

import click
import msgspec

from lawspeaker.commands._common import as_json, ruling_option
from lawspeaker.model.core.records import ScenarioResult
from lawspeaker.scenarios.runner import decisive, run_all

_AS_EXPECTED = ("pass", "expected failure")


@click.command()
@click.argument("game")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@ruling_option
@click.option("--decisive", "clauses", is_flag=True, help="Name for each clause a case that fails without it.")
@click.option("--json", "json_", is_flag=True, help="Print JSON.")
def command(game: str, ids: tuple[str, ...], rulings: tuple[str, ...], clauses: bool, json_: bool) -> int:
    """Run the scenarios of GAME, or only those with an ID or of a family such as fjords.farm.

    With --ruling only the choices that agree with it are run.
    """
    if clauses:
        return _print_decisive(game, json_)
    results = run_all(game, rulings=rulings, ids=ids)
    wrong = [result for result in results if result.verdict not in _AS_EXPECTED]
    if json_:
        click.echo(as_json([msgspec.to_builtins(result) for result in results]))
    else:
        click.echo("\n".join(line for result in results for line in _lines(result)))
        outcomes = sum(len(result.outcomes) for result in results)
        click.echo(f"{len(results)} scenarios under {outcomes} choices: {len(wrong)} not as expected")
    return 1 if wrong else 0


def _lines(result: ScenarioResult) -> list[str]:
    mark = " (worked example)" if result.worked_example else ""
    lines = [f"{result.verdict:8} {result.id}{mark}: {result.title}"]
    if result.verdict != "pass":
        lines += [
            f"    {o.rulings or 'as given'}: {o.verdict}: {o.said}" for o in result.outcomes if o.verdict != "pass"
        ]
    return lines


def _print_decisive(game: str, json_: bool) -> int:
    found = decisive(game)
    if json_:
        click.echo(as_json(found))
    else:
        click.echo("\n".join(f"{clause:12} {case or 'no case notices'}" for clause, case in found.items()))
    return 0 if all(found.values()) else 1
