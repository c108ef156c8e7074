"""Configurations as dictionaries (docs/manual/configuration.md, docs/keys.md)."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Mapping
from typing import Any, Union

import numpy as np

from .errors import GlassworksError, reading

Config = Union[Mapping[str, Any], str, "os.PathLike[str]"]
"""A dictionary {"model.L": [4, 6], ...} or {"model": {"L": [4, 6]}, ...}, a text in the syntax of configuration files, or
the path of such a file. A str with a line break or "=" in it is a text, any other one a path."""

FILES = "model.couplings_file", "model.field_file"


def read_configuration(config: Config) -> dict[str, str]:
    """The keys with their values as texts. Paths of coupling and field files are absolute.

    Raises:
        GlassworksError: the file cannot be read, a line is no key with a value, or a key is given twice.
    """
    folder = pathlib.Path.cwd()
    if isinstance(config, Mapping):
        keys = format_keys(config)
    elif isinstance(config, str) and ("\n" in config or "=" in config):
        keys = _parse(config, "the configuration")
    else:
        file = pathlib.Path(config)
        with reading(file, "Check the path of the configuration."):
            folder, text = file.resolve().parent, file.read_text(encoding="utf-8")
        keys = _parse(text, str(file))
    for name in FILES:
        if keys.get(name):
            keys[name] = str(folder / keys[name])
    return keys


def format_keys(keys: Mapping[str, Any]) -> dict[str, str]:
    """A dictionary of keys, nested in sections or not, with its values as texts."""
    result: dict[str, str] = {}
    for name, value in keys.items():
        parts = {f"{name}.{key}": part for key, part in value.items()} if isinstance(value, Mapping) else {name: value}
        for key, part in parts.items():
            if key in result:
                raise GlassworksError(f"{key} is given twice (once in a section, once with a dot). Remove one.")
            result[key] = _text(key, part)
    return result


def write_configuration(keys: Mapping[str, str]) -> str:
    """The text of a configuration file."""
    return "".join(f"{key} = {value}\n" for key, value in keys.items())


def _text(key: str, value: Any) -> str:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, (list, tuple, np.ndarray)):
        return ", ".join(_text(key, item) for item in value)
    if isinstance(value, (str, os.PathLike)):
        text = os.fspath(value)
        if isinstance(text, str) and not any(c in text for c in "#\n\r\0"):
            return text.strip()
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        return repr(value)
    raise GlassworksError(f"{key} cannot have the value {value!r} (a value is a number, a text without '#' and line break, "
                          "or a list of these). Correct it; docs/keys.md lists all keys.")


def _parse(text: str, name: str) -> dict[str, str]:
    keys: dict[str, str] = {}
    section = ""
    for number, line in enumerate(text.splitlines(), 1):
        line = line.partition("#")[0].strip()
        if line.startswith("[") and line.endswith("]"):
            section = line[1:-1].strip() + "."
        elif line:
            key, equals, value = line.partition("=")
            key = section + key.strip()
            if not equals or key in keys:
                problem = f"{key} is given twice" if equals else "there is neither a section nor a key with its value"
                raise GlassworksError(f"Line {number} of {name} cannot be used ({problem}). Correct the line.")
            keys[key] = value.strip()
    return keys
