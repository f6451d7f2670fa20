"""Charts as values: lines, ranges and maps of counts, made of a few shapes that become SVG without any library."""
