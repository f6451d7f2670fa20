"""Distant labelling: lists of names, a knowledge base and rules label texts; every label keeps its source."""
