"""What is known of the quality of each given label, and how far a model's probabilities can be taken at their word."""
