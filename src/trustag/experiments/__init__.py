"""Experiments: corpora x systems x seeds, trained and scored once each, and how well wrong labels were found."""
