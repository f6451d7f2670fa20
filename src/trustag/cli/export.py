"""``trustag export``: a model as an ONNX graph, which needs no torch."""

from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

if TYPE_CHECKING:
    from trustag.export.exported_folder import Weights


@click.command()
@click.argument("model", metavar="RUN", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="Folder to write.")
@click.option(
    "--to", "to_format", type=click.Choice(["onnx"]), default="onnx", show_default=True, help="What to export to."
)
@click.option(
    "--weights",
    type=click.Choice(["float32", "int8"]),
    default="float32",
    show_default=True,
    help="int8 makes the folder about a quarter as large; some labels may change.",
)
@click.option("--overwrite", is_flag=True, help="Overwrite the folder if it exists.")
def export(model: Path, output: Path, to_format: str, weights: str, overwrite: bool) -> None:  # noqa: ARG001
    """Write the model of RUN (a run or a model folder) for use without torch.

    The folder holds the network as one ONNX graph, and the words with their vectors. trustag predict, trustag.load,
    trustag.pipeline and the spaCy component take it in place of the run; onnxruntime and numpy are all they need then.

    \b
    trustag export run -o exported
    trustag predict exported "Ann Smith moved to New York."
    """
    from trustag.export.writing import export_model  # noqa: PLC0415 - torch takes a second to load
    from trustag.models.saving import load_model  # noqa: PLC0415

    export_model(load_model(model), output, cast("Weights", weights), overwrite=overwrite)
    size = sum(file.stat().st_size for file in output.iterdir())
    click.echo(f"{output}  {size / 1e6:.1f} MB")
