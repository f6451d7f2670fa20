"""Charts as plain values: line charts, range charts and heat maps, made of a few SVG shapes."""
