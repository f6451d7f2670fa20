"""Which labels to trust: confidence, its calibration, its record over epochs, and the noise rates behind it."""
