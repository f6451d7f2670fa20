"""``trustag recipes``: the shipped recipes and what every setting does."""

import click
import tomli_w

from trustag.cli.output import aligned, as_json
from trustag.recipes.loading import Setting, shipped_recipes


@click.command()
@click.argument("name", required=False)
@click.option("--all", "show_all", is_flag=True, help="Also list advanced settings, which few people change.")
@click.option("--json", "json_output", is_flag=True, help="Print as JSON.")
def recipes(name: str | None, show_all: bool, json_output: bool) -> None:
    """List the shipped recipes and explain the settings; with NAME, print that recipe with all its values.

    The output for a NAME is a TOML file: save it, edit it, and pass it to trustag train --recipe FILE.
    """
    from trustag.methods.table import all_settings, load_recipe  # noqa: PLC0415 - torch takes a second to load

    if name is not None:
        recipe = load_recipe(name).model_dump()
        click.echo(as_json(recipe) if json_output else tomli_w.dumps(recipe).rstrip())
        return
    groups = [(method, [own for own in found if show_all or not own.advanced]) for method, found in all_settings()]
    if json_output:
        listed = [{"method": method, **setting._asdict()} for method, found in groups for setting in found]
        click.echo(as_json({"recipes": shipped_recipes(), "settings": listed}))
        return
    click.echo("\n".join(aligned([(f"  {recipe}", summary) for recipe, summary in shipped_recipes().items()], left=2)))
    for method, found in groups:
        _echo_group(method, found)
    if not show_all:
        click.echo("\ntrustag recipes --all lists advanced settings too.")


def _echo_group(method: str, found: list[Setting]) -> None:
    """Print the settings of all methods, or of one."""
    section = ""
    for setting in found:
        own = setting.name.rpartition(".")[0]
        if own != section:
            section = own
            click.echo(f"\n[{section}]" + (f" of the method {method}" if method else ""))
        click.echo(f"  {setting.name} = {_as_toml(setting.default)}   ({setting.kind})")
        click.echo(f"      {setting.description}")


def _as_toml(value: object) -> str:
    """Return a value as a recipe has it, but words without quotation marks."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {_as_toml(part)}" for name, part in value.items()) + " }"
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if value != "" else '""'
