"""The version of the package: that of the program."""

__version__ = "1.0.0"
