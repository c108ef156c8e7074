"""Coupling and field files: their values by an independent reading of docs/manual/configuration.md, and hostile lines."""

import math
import re
import struct

NUMBER = re.compile(rb"(\+(?!-))?-?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\Z")
WHOLE = re.compile(rb"(\+(?!-))?-?\d+\Z")
LARGEST, SMALLEST = 1e6, 1e-6
VALUES = [b"0", b"-0", b"1", b"-1", b"0.1", b"0.3333333333333333", b"1e-6", b"9.9e-7", b"1e6", b"1000000.1", b"1e7", b"nan", b"-nan", b"inf", b"-inf",
          b"1e400", b"1e-400",
          b"1e-320", b"0x1p3", b"1,5", b"+1", b"+-1", b"--1", b"++1", b"-+1", b"1e", b"1e+", b"e5", b".5", b"5.", b".", b"1_0", "\u0661".encode(),
          b"1f", b"1d0", b"0" * 400 + b"1",
          b"1" + b"0" * 400, b"0." + b"3" * 5000, b"3.0000000000000000000001", b"16777217", b"0.30000000000000004", b"1E5", b"NaN", b"infinity",
          b"true", b"\x1b[2J", b"\0",
          b"\x0b1", b"1\x0c", b"-", b"+", b"1/2", b"1e00000000000000000001", b"0.0000009999999", b"1000000", b"'1'", b'"1"', b"\xff", b"1;", b"(1)",
          b"1e-6 ", b"0e999", b"-1e-6"]
SITES = [b"0", b"15", b"16", b"-1", b"+3", b"-0", b"00003", b"3.0", b"3e0", b"9223372036854775807", b"9223372036854775808", b"18446744073709551616",
         b"-9223372036854775809",
         b"4294967296", b"4294967299", b"0x3", b"x", "\u0663".encode(), b"1" * 5000, b"\x1b[2J", b"", b"nan", b"1e1", b"63", b"64", b"2", b"3"]


def values(data, sites, axes=None, components=1, limit=None):
    """{(site, axis): J} or {(site,): (H, ...)}; None for a file that must be refused."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or re.search(rb"[\0-\x08\x0b\x0c\x0e-\x1f\x7f]", data):
        return None
    if len(data) > (1 << 20) + 256 * sites * (axes or 1):
        return None
    found, any_line = {}, False
    for line in data.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        words = re.split(rb"[ \t\r]+", line.split(b"#")[0].strip(b" \t\r"))
        if words == [b""]:
            continue
        any_line = True
        if len(words) != (3 if axes else 1 + components):
            return None
        place = tuple(whole(word, limit) for word, limit in zip(words, (sites, axes) if axes else (sites,)))
        numbers = tuple(number(word) for word in words[len(place) :])
        if None in place or None in numbers or place in found:
            return None
        size = math.hypot(*numbers)
        if 0 < size < SMALLEST:
            return None
        found[place] = numbers[0] if axes else numbers
    return found if any_line else None


def whole(word, limit):
    value = int(word) if WHOLE.match(word) and len(word) < 1000 else -1
    return value if 0 <= value < limit else None


def number(word):
    if not NUMBER.match(word):
        return None
    value = float(word)
    if value == 0 and re.search(rb"[1-9]", re.split(rb"[eE]", word)[0]):
        return None  # smaller than any double
    return value if abs(value) <= LARGEST else None


def single(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def changed(data, rng, columns):
    """A file with one to three hostile changes, and what they are."""
    titles = []
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        data, title = change(data, rng, columns)
        titles.append(title)
    return data, ", ".join(titles)


def change(data, rng, columns):
    lines = data.split(b"\n")
    at = rng.randrange(max(len(lines) - 1, 1))
    words = lines[at].split(b" ")
    how = rng.randrange(24)
    if how < 9:
        column = rng.randrange(len(words))
        token = rng.choice(SITES if column == 0 or (columns == 3 and column == 1) else VALUES)
        words[column] = token
        lines[at] = b" ".join(words)
        return b"\n".join(lines), f"line {at}, column {column} = {token[:40]!r}"
    if how == 9:
        return b"\n".join(lines[:at] + lines[at + 1 :]), f"without line {at}"
    if how == 10:
        return b"\n".join(lines[: at + 1] + lines[at:]), f"line {at} twice"
    if how == 11:
        more = rng.choice([b"7", b"0 0 1", b"# x", b"0 0 1 1", b"\t", b"15 1 0.5", b"3 0.5", b"1 1 1 1 1 1"])
        return b"\n".join([*lines[:at], more, *lines[at:]]), f"{more!r} before line {at}"
    if how == 12:
        return b"\n".join([*lines[:at], lines[at] + rng.choice([b" 1", b" # x", b"#", b" \t ", b"\r", b" 0"]), *lines[at + 1 :]]), f"more behind line {at}"
    if how == 13:
        return b"\n".join([*lines[:at], lines[at].rpartition(b" ")[0], *lines[at + 1 :]]), f"line {at} cut"
    if how == 14:
        place = rng.randrange(len(data) + 1)
        return data[:place], f"cut at {place}"
    if how < 18:
        place = rng.randrange(len(data) + 1)
        piece = bytes([rng.choice(b"0123456789.-+eE \t\r\n#,xn\0\xff\x1b")])
        return data[:place] + piece + data[place + rng.randrange(2) :], f"{piece!r} at {place}"
    whole_file = [("CRLF", data.replace(b"\n", b"\r\n")), ("CR", data.replace(b"\n", b"\r")), ("tabs", data.replace(b" ", b"\t")),
                  ("UTF-8 mark", b"\xef\xbb\xbf" + data),
                  ("two marks", b"\xef\xbb\xbf" * 2 + data), ("UTF-16", data.decode(errors="replace").encode("utf-16")), ("empty", b""),
                  ("only comments", b"# x\n" * 9), ("commas", data.replace(b" ", b",")),
                  ("no last line feed", data[:-1]), ("reversed", b"\n".join(lines[::-1])), ("wide", data.replace(b" ", b" " * 1000)), ("twice", data * 2),
                  ("long comment", b"#" + b"x" * 200_000 + b"\n" + data), ("too long", data + b"# " + b"x" * (1 << 21) + b"\n"),
                  ("long line", data + b"7" * 500_000 + b"\n"),
                  ("many columns", data + b"7 " * 100_000 + b"\n"), ("blank lines", data.replace(b"\n", b"\n \n\t\n")),
                  ("Latin-1", data + b"# M\xfcller\n"), ("JSON", b"{" + data + b"}"),
                  ("all values 0", b"\n".join(line.rpartition(b" ")[0] + b" 0" if line else b"" for line in lines)), ("garbage", bytes(range(256)) * 8),
                  ("one line", data.replace(b"\n", b" ")), ("vertical tabs", data.replace(b" ", b"\x0b"))]
    title, result = rng.choice(whole_file)
    return result, title
