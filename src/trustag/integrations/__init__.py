"""Models where people work already: spaCy, the pipeline of transformers, the Hugging Face hub, model cards."""
