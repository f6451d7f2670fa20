"""The option that says which issues come first."""

import click

from trustag.issues.filtering import ORDERS

order_option = click.option(
    "--order",
    type=click.Choice(list(ORDERS)),
    default="worst",
    show_default=True,
    help="Likeliest errors first, which repairs most labels; or those first of which models are unsure, which teaches "
    "the next model most.",
)
