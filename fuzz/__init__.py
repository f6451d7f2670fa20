"""Fuzzing: any bytes give sentences or a one-line error, and sentences survive a round trip."""
