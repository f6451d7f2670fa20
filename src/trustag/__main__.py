"""Run the command line as ``python -m trustag``."""

from trustag.cli import main

main()
