"""A model behind HTTP: one process speaks with the visitors, worker processes hold the model."""
