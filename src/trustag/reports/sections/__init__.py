"""The sections of a report, one a module: each turns what a run left behind into words, tables and charts."""
