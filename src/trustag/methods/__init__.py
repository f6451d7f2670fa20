"""The methods: one file or folder each; none imports another. :mod:`trustag.methods.base` says what a method is."""
