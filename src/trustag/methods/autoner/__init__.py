"""AutoNER (Shang et al., 2018): tokens are tied together or not, and what is tied has a type or none."""

from trustag.methods.autoner.method import METHOD

__all__ = ["METHOD"]
