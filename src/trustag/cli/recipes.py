"""``trustag recipes``: the shipped recipes and what every setting does."""

import click
import tomli_w

from trustag.cli.output import aligned, as_json
from trustag.recipes.loading import load_recipe, settings, shipped_recipes


@click.command()
@click.argument("name", required=False)
@click.option("--json", "json_output", is_flag=True, help="Print as JSON.")
def recipes(name: str | None, json_output: bool) -> None:
    """List the shipped recipes and explain every setting; with NAME, print that recipe with all its values.

    The output for a NAME is a TOML file: save it, change it, and give it to trustag train --recipe FILE.
    """
    if name is not None:
        recipe = load_recipe(name).model_dump()
        click.echo(as_json(recipe) if json_output else tomli_w.dumps(recipe).rstrip())
        return
    known = list(settings())
    if json_output:
        click.echo(as_json({"recipes": shipped_recipes(), "settings": [setting._asdict() for setting in known]}))
        return
    click.echo("\n".join(aligned([(f"  {recipe}", summary) for recipe, summary in shipped_recipes().items()], left=2)))
    section = ""
    for setting in known:
        if setting.name.partition(".")[0] != section:
            section = setting.name.partition(".")[0]
            click.echo(f"\n[{section}]")
        shown = setting.default if setting.default != "" else '""'
        click.echo(f"  {setting.name} = {str(shown).lower() if isinstance(shown, bool) else shown}   ({setting.kind})")
        click.echo(f"      {setting.description}")
