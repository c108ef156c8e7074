"""Cases of the database: any field of any row; cases_structure.py has all that is not a field."""

import struct

import database
from cases import INF, INTEGERS, NAMES, REALS, TEXTS, Case, arrays_like, commands_for, spread, wrong_types
from cases_structure import CONDITIONS, SCHEMA_STATEMENTS, byte_case, header_edits, index_case, row_entries, schema_case
from formats import Text

# What no intact campaign holds: `verify` must say so although the checksums fit.
NEGATIVE_NEVER = {
    ("realizations", "round_trips"), ("realizations", "attempt"), ("realizations", "rounds"), ("realizations", "failures"),
    ("realizations", "equilibration_rounds"), ("realizations", "expected_rounds"), ("realizations", "tau"), ("sizes", "realizations"),
    ("rounds", "measurements"), ("rounds", "slots"), ("rounds", "observables"), ("rounds", "replicas"), ("rounds", "round"),
    ("rounds", "samples_per_slot"), ("rounds", "seconds"), ("ladder_stages", "pilots"), ("ladder_stages", "measurements"),
    ("ladder_stages", "round_trips"), ("ladder_stages", "stage"), ("clock", "sequence"),
}
FILE_NAMES = {("realizations", "checkpoint"), ("realizations", "previous_checkpoint")}
WORLD = b"@WORLD@"  # stands for the folder of the case in values
ARRAY_TYPES = {"means": "d", "walk_mean": "d", "temperatures": "d", "samples": "f"}


def hostile_values(base, table, column, row):
    """Values that this column of this row must not have, for a reader that trusts it."""
    value, declared = row[column], base.types[table][column]
    others = [other[column] for other in base.rows[table] if other[column] != value]
    yield from others[:2]
    if declared == "INTEGER":
        if isinstance(value, int):
            yield from (value + 1, value - 1, value * 10, -value, value + 2**32, value - 2**32)
        yield from INTEGERS
    elif declared == "REAL":
        yield from REALS
    elif declared == "TEXT":
        texts = NAMES + TEXTS if column.endswith(("checkpoint", "checkpoints")) else TEXTS + NAMES[:6]
        yield from texts
        yield from changed_texts(column, bytes(value))
        if column.endswith("checkpoint"):
            names = sorted({bytes(row[name]) for row in base.rows["realizations"] for name in ("checkpoint", "previous_checkpoint")})
            yield from (Text(name) for name in names if name != value)
            yield Text(WORLD + b"/campaigns/victim")
    else:
        yield from arrays_like(value or b"")
    yield from wrong_types(value)


def changed_texts(column, text):
    """A text of many lines or words with some of them wrong."""
    lines = text.split(b"\n")
    if column == "config":
        for i, line in enumerate(lines):
            if b"=" in line:
                key = line.split(b"=")[0]
                for value in (b"", b" -1", b" 0", b" nan", b" 1e9", b" x", b" 2147483648", b" ../../victim", b" 4, 4", b" \x1b[2J"):
                    yield Text(b"\n".join([*lines[:i], key + b"=" + value, *lines[i + 1 :]]))
                yield Text(b"\n".join(lines[:i] + lines[i + 1 :]))
                yield Text(b"\n".join(lines[: i + 1] + lines[i:]))
    elif len(lines) > 1:
        yield from (Text(b"\n".join(lines[1:])), Text(b"\n".join(lines[:1] + lines)), Text(b"\n".join(reversed(lines))))
        yield from (Text(text + b"more\n"), Text(text[:-1]), Text(text * 2), Text(b"\n" * 5000), Text(b"x\n" * 20000))
        for name in NAMES[:12] if column == "checkpoints" else TEXTS[2:9]:
            words = lines[0].split(b" ")
            yield Text(b"\n".join([b" ".join([name, *words[1:]]), *lines[1:]]))
    elif column.endswith("digest") and text:
        yield from (Text(text.upper()), Text(b"0" * 32), Text(text[:-1]), Text(text + b"0"), Text(b"g" * 32))


def placed(value, world):
    return Text(value.replace(WORLD, world.root.encode())) if isinstance(value, Text) else value


def shown(value):
    value = value() if callable(value) else value
    text = repr(bytes(value) if isinstance(value, Text) else value)
    text = ("text " if isinstance(value, Text) else "blob " if isinstance(value, bytes) else "") + text
    return text if len(text) < 90 else f"{text[:70]}... ({len(value)} bytes)"


def must_be_seen(base, table, column, value, old):
    """Whether `verify` has to object to a value whose checksum fits."""
    declared = base.types[table][column]
    if column in ("worker", "claim", "sequence") or table in ("workers", "clock") or column.endswith("checksum"):
        return False
    if (table, column) in NEGATIVE_NEVER and isinstance(value, (int, float)) and value < 0:
        return True
    if (table, column) in FILE_NAMES and isinstance(value, Text) and value != old:
        return b"/" in value or bytes(value) in (b".", b"..") or column == "checkpoint"
    if declared == "REAL" and value in (INF, -INF):
        return True
    if table == "sizes" and column in ("temperatures", "observables", "sample_names", "realizations", "L") and not base.kind == "ladder":
        return value != old
    if column in ARRAY_TYPES and isinstance(value, bytes) and not isinstance(value, Text) and column != "samples":
        if len(value) != len(old):
            return True
        return any(x != x or abs(x) == INF for x in struct.unpack(f"<{len(value) // 8}d", value))
    return declared == "BLOB" and isinstance(value, bytes) and len(value) != len(old)


def field_case(base, table, column, row, value, width, k):
    """The row with this value, and all checksums made to fit what a reader gets of it."""
    value = value() if callable(value) else value  # which is no function any more

    def change(world, tables):
        changed = row | {column: placed(value, world)}
        if not column.endswith("checksum"):
            tables.refit(table, changed, width)
        tables.replace(table, row, changed)
    key = ", ".join(str(row[name]) for name in database.KEYS.get(table, []))
    return Case(title=f"{base.name}: {table}[{key}].{column} = {shown(value)}, checksums of {width} bits fit", base=base,
                commands=commands_for(k), build=lambda world: base.edit(world.campaign, lambda tables: change(world, tables)),
                attacked=tuple(f"checkpoints/{bytes(row[name]).decode(errors='replace')}" for _, name in FILE_NAMES if name in row),
                other_bins=table == "rounds",
                other_states=table in ("campaign", "ladder_stages") or table == "sizes" and base.kind == "ladder",
                seen=must_be_seen(base, table, column, value, row[column]), waits=table in ("workers", "campaign") or column == "claim")


def field_cases(bases, rng):
    """Every field with every value, the columns one after the other; names of files come more often."""
    groups = {}
    for base in bases:
        for table, rows in base.rows.items():
            chosen = [row for i, row in enumerate(rows) if i in (0, len(rows) - 1)]
            for column in base.types[table]:
                for row in chosen:
                    for value in hostile_values(base, table, column, row):
                        if column in database.KEYS.get(table, []) and (value is None or value != value):
                            continue  # a key is never NULL, which is what SQLite makes of nan
                        number = column if database.KEYS.get(table) == [column] else None  # where SQLite takes nothing else
                        if number and not isinstance(value, int) or isinstance(value, int) and not -(2**63) <= value < 2**63:
                            continue
                        path = isinstance(value, Text) and (b"/" in value or value in (b".", b"..")) and "checkpoint" in column
                        groups.setdefault((table, column, path and base.stage), []).append((base, table, column, row, value))
    for group in groups.values():
        rng.shuffle(group)
    order = list(groups.values())
    rng.shuffle(order)
    return list(spread(order))


class DatabaseTarget:
    name = "database"

    def __init__(self, bases, rng, workshop):
        self.fields = field_cases(bases, rng)
        half = [base for base in bases if base.stage == "half"] or bases
        schemas = [("schema", base, sql, seen) for base in bases for seen, sql in SCHEMA_STATEMENTS]
        indexes = [("index", base, name, condition) for base in half for name in
                   [name for kind, name in base.schema if kind == "index"]
                   for condition in CONDITIONS]
        headers = [("header", base, *edit) for base in half[:2] for group in [spread(header_edits())] for edit in group]
        for group in (schemas, indexes, headers):
            rng.shuffle(group)
        self.bases = bases
        rows = row_entries(bases, rng)
        self.structure = list(spread([rows[::2], schemas, rows[1::2], list(spread([indexes, headers]))]))

    def case(self, k, rng):
        """Of six cases three are of fields, two of rows or schema, one of bytes."""
        turn, number = k % 6, k // 6
        if turn in (0, 2, 4):
            return self.field(number * 3 + turn // 2, rng, k)
        number = number * 2 + turn // 2
        if turn < 5 and number < len(self.structure):
            return self.structural(self.structure[number], k)
        return self.bytes(rng, k)

    def field(self, i, rng, k):
        if i < len(self.fields):
            return field_case(*self.fields[i], width=(64, 32)[rng.random() < 0.3], k=k)
        first, second = (self.fields[rng.randrange(len(self.fields))] for _ in range(2))
        one = field_case(*first, width=64, k=k)
        partners = [field for field in (self.fields[rng.randrange(len(self.fields))] for _ in range(400))
                    if field[0] is first[0] and field[1:4] != first[1:4]]
        if not partners:
            return one
        return two_fields(first, partners[0], k)

    def structural(self, entry, k):
        kind, base, *rest = entry
        if kind == "schema":
            return schema_case(base, *rest, k)
        if kind == "index":
            return index_case(base, *rest, k)
        if kind == "header":
            name, at, data = rest
            return byte_case(base, [(at, data)], f"heading of the database, {name} = {data.hex()}", k)
        title, change, seen = rest
        return Case(f"{base.name}: {title}", commands_for(k), lambda world: base.edit(world.campaign, change), base,
                    attacked=tuple(base.checkpoints), seen=seen, other_bins="round" in title, waits="lives for ever" in title)

    def bytes(self, rng, k):
        base = rng.choice(self.bases)
        data, edits = base.files["campaign.sqlite"], []
        how = rng.randrange(6)
        if how == 5:
            length = rng.choice([0, 1, 99, 100, 512, 4096, rng.randrange(len(data)), len(data) - 1, len(data) // 4096 // 2 * 4096])
            return byte_case(base, [], f"database cut to {length} bytes", k, length)
        for _ in range(rng.choice([1, 1, 1, 2, 8])):
            page = rng.randrange(len(data) // 4096) * 4096
            at = {0: rng.randrange(100), 1: page + rng.randrange(12), 2: page + 8 + rng.randrange(64)}.get(how, rng.randrange(len(data)))
            flipped = data[at] ^ (1 << rng.randrange(8))
            edits.append((at, bytes([flipped if rng.random() < 0.7 else rng.choice([0, 1, 127, 128, 255])])))
        if how == 4:
            edits = [(rng.randrange(len(data) // 512) * 512, rng.choice([b"\0", b"\xff"]) * rng.choice([16, 512, 4096]))]
        return byte_case(base, edits, "bytes " + ", ".join(f"{at}: {data[:4].hex()} x {len(data)}" for at, data in edits), k)


def two_fields(first, second, k):
    base = first[0]

    def change(tables):
        for _, table, column, row, value in (first, second):
            value = value() if callable(value) else value
            if table == first[1] and row is first[3] and column != first[2]:
                row = row | {first[2]: first[4]}
            changed = row | {column: value}
            if not column.endswith("checksum"):
                tables.refit(table, changed)
            tables.replace(table, row, changed)
    fields = "; ".join(f"{table}[{', '.join(str(row[name]) for name in database.KEYS.get(table, []))}].{column} = {shown(value)}"
                       for _, table, column, row, value in (first, second))
    return Case(f"{base.name}: {fields}", commands_for(k), lambda world: base.edit(world.campaign, change), base,
                attacked=tuple(base.checkpoints), other_bins=True, waits=True, other_states=base.kind == "ladder" or "campaign" in (first[1], second[1]))
