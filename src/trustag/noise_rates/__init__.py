"""How much of the labels is wrong: rates measured on gold, shown on dev, or estimated from the noisy labels alone."""
