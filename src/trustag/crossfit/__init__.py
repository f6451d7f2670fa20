"""Cross-fitting: folds of a corpus, predictions by models that did not see a label, new labels from these."""
