"""The sections of a report, one per module: each turns files of a run into text, tables and charts."""
