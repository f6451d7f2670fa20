"""The option that chooses the order of issues."""

import click

from trustag.issues.filtering import ORDERS

order_option = click.option(
    "--order",
    type=click.Choice(list(ORDERS)),
    default="worst",
    show_default=True,
    help="worst: likeliest errors first, which corrects the most labels; unsure: issues where the models are least "
    "certain first, which helps the next model the most.",
)
