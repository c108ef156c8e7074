"""Configurations as dictionaries (docs/manual/configuration.md, docs/keys.md)."""

from __future__ import annotations

import contextlib
import os
import pathlib
import re
from collections.abc import Mapping
from typing import Any, Union

import numpy as np

from . import checks
from .errors import GlassworksError, demand_regular, reading

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
    elif isinstance(config, str) and ("\n" in config or "=" in config) and not _is_file(config):
        keys = _parse(config, "the configuration")
    else:
        file = checks.path("config", config)
        with reading(file, "Check the path of the configuration."):
            demand_regular(file)
            folder, text = file.resolve().parent, file.read_text(encoding="utf-8")
        keys = _parse(text, str(file))
    for name in FILES:
        if keys.get(name):
            keys[name] = _storable(name, str(folder / keys[name]))
    return keys


def format_keys(keys: Mapping[str, Any]) -> dict[str, str]:
    """A dictionary of keys, nested in sections or not, with its values as texts."""
    if not isinstance(keys, Mapping):
        raise GlassworksError(f"The keys cannot be {checks.shown(keys)} (they are a dictionary). "
                              f"Write for example {{'backend.threads': 4}}.")
    result: dict[str, str] = {}
    for name, value in keys.items():
        for part in (name, *(value if isinstance(value, Mapping) else ())):
            if not isinstance(part, str) or not _NAME.fullmatch(part):
                raise GlassworksError(f"{checks.shown(part)} is no name of a key (that has letters, digits, '_' and "
                                      "'.'). Correct it; docs/keys.md lists all keys.")
        parts = {f"{name}.{key}": part for key, part in value.items()} if isinstance(value, Mapping) else {name: value}
        for key, part in parts.items():
            if key in result:
                raise GlassworksError(f"{key} is given twice (once in a section, once with a dot). Remove one.")
            result[key] = _text(key, part)
    return result


def write_configuration(keys: Mapping[str, str]) -> str:
    """The text of a configuration file."""
    return "".join(f"{key} = {value}\n" for key, value in keys.items())


_NAME = re.compile(r"[A-Za-z0-9_]+(\.[A-Za-z0-9_]+)*")


def _text(key: str, value: Any) -> str:
    if checks.has_masked_places(value):
        raise _unusable(key, value)
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if not isinstance(value, (list, tuple, np.ndarray)):
        return _item(key, value)
    items = [_item(key, item) for item in value]
    if not items or any("," in item for item in items):
        raise _unusable(key, value)
    return ", ".join(items)


def _item(key: str, value: Any) -> str:
    if isinstance(value, (str, os.PathLike)):
        text = os.fspath(value)
        if isinstance(text, str) and not any(c in text for c in "#\n\r\0"):
            is_path = isinstance(value, os.PathLike) or key in FILES
            return _storable(key, text) if is_path else text.strip()
    elif isinstance(value, (bool, np.bool_, np.timedelta64)):
        pass
    elif isinstance(value, (int, np.integer)) and abs(int(value)) < 2**64:
        return repr(int(value))
    elif isinstance(value, (float, np.floating)):
        return repr(float(value))
    raise _unusable(key, value)


def _unusable(key: str, value: Any) -> GlassworksError:
    return GlassworksError(f"{key} cannot have the value {checks.shown(value)} (a value is a number, a text without '#' "
                           "and line break, or a list of these). Correct it; docs/keys.md lists all keys.")


def _storable(key: str, path: str) -> str:
    """A path that a configuration file can hold."""
    if path != path.strip() or any(c in path for c in "#\n\r"):
        raise GlassworksError(f"{key} cannot be {checks.shown(path)} (a configuration file cannot hold a path with '#', a line break, or "
                              "blanks at its ends). Choose another path.")
    return path


def _is_file(config: str) -> bool:
    with contextlib.suppress(OSError, ValueError):
        return pathlib.Path(config).is_file()
    return False


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
