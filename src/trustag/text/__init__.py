"""Labels, schemes, spans, sentences and scores: plain values, no files, no torch."""
