"""Train named-entity recognisers from labels you only partly trust, and learn which labels not to trust."""

__version__ = "0.1.0"
