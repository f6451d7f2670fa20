"""Networks that give every token a score for every label, and the taggers made of them."""
