"""The built-in demo corpus: invented English news, mail, reviews and chat, for first experiments and tests."""

from trustag.corpora.demo.generator import demo_corpus

__all__ = ["demo_corpus"]
