"""python3 -m glassworks EXPORT: verifies an export and lists what it holds."""

from __future__ import annotations

import sys

from . import GlassworksError, verify


def main() -> None:
    """The command line."""
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit("Usage: python3 -m glassworks EXPORT     verifies an export and lists what it holds")
    try:
        for part in verify(sys.argv[1])["sizes"]:
            print(f"L = {part['L']}: {part['used']} of {part['realizations']} realizations, {part['rounds']} rounds")
    except GlassworksError as problem:
        sys.exit(f"glassworks: {problem}")


if __name__ == "__main__":
    main()
