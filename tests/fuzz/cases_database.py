"""Cases of the database: any field of any row, rows and schema as they must not be, pages and bits."""

import os
import struct

import database
from cases import DIGESTS, INF, INTEGERS, NAMES, READERS, REALS, RUN, TEXTS, VERIFY, Case, arrays_like, spread, wrong_types
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


def commands_for(k):
    reader = READERS[k % len(READERS)] if k % 37 else READERS[-1]
    return [VERIFY, reader, RUN, DIGESTS] if reader is not READERS[-1] or k % 37 == 0 else [VERIFY, READERS[0], RUN, DIGESTS]


def field_cases(bases, rng):
    """Every field with every value, the columns one after the other; names of files come more often."""
    groups = {}
    for base in bases:
        for table, rows in base.rows.items():
            chosen = [row for i, row in enumerate(rows) if i in (0, len(rows) - 1)]
            for column in base.types[table]:
                for row in chosen:
                    for value in hostile_values(base, table, column, row):
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


def row_changes(base):
    """(title, change(tables), seen by verify, files that may go) of whole rows."""
    def deletion(table, rows):
        return lambda tables: [tables.delete(table, row) for row in rows]

    def addition(table, row):
        return lambda tables: tables.insert(table, tables.refit(table, dict(row)))

    for table, rows in base.rows.items():
        harmless = table in ("workers", "clock")
        for i in sorted({0, len(rows) // 2, len(rows) - 1}) if rows else ():
            yield f"row {i} of {table} deleted", deletion(table, [rows[i]]), not harmless and table != "clock"
        if rows:
            yield f"all rows of {table} deleted", deletion(table, rows), not harmless
        for row in rows[:1] + rows[-1:]:
            for key in database.KEYS.get(table, []):
                for value in (row[key] + 1, row[key] + 2, 1000, 2**31, -1, 2**40):
                    new = row | {key: value}
                    if all(any(new[k] != other[k] for k in database.KEYS[table]) for other in rows):
                        yield f"a copy of a row of {table} with {key} = {value}", addition(table, new), not harmless
                        yield (f"a row of {table} moved to {key} = {value}",
                               lambda tables, t=table, r=row, n=new: tables.replace(t, r, tables.refit(t, n)), not harmless)
    for L in sorted({row["L"] for row in base.rows["sizes"]}):
        for tables_of in (["sizes"], ["realizations"], ["rounds"], ["sizes", "realizations"], ["sizes", "realizations", "rounds"],
                          ["realizations", "rounds"]):
            def change(tables, L=L, names=tables_of):
                for name in names:
                    for row in base.rows[name]:
                        if row["L"] == L:
                            tables.delete(name, row)
            yield f"nothing of L = {L} in {', '.join(tables_of)}", change, True

    def renumber(tables):
        for name in ("rounds", "realizations", "sizes"):
            for row in base.rows[name]:
                tables.replace(name, row, tables.refit(name, row | {"L": row["L"] + 100}))
    yield "all sizes renumbered", renumber, True

    def stranger(tables):
        size = base.rows["sizes"][0] | {"L": 12, "realizations": 1}
        tables.insert("sizes", tables.refit("sizes", size))
        row = base.rows["realizations"][0] | {"L": 12, "realization": 0}
        tables.insert("realizations", tables.refit("realizations", row))
    yield "a size of another campaign", stranger, True
    rounds = base.rows["rounds"]
    if len(rounds) > 3:
        def swap(tables):
            for one, other in ((rounds[0], rounds[-1]), (rounds[-1], rounds[0])):
                tables.delete("rounds", one)
            for one, other in ((rounds[0], rounds[-1]), (rounds[-1], rounds[0])):
                tables.insert("rounds", tables.refit("rounds", other | {key: one[key] for key in database.KEYS["rounds"]}))
        yield "two rounds exchanged", swap, False

    def all_held(tables):
        for row in base.rows["realizations"]:
            tables.replace("realizations", row, row | {"worker": 12345})
    yield "everything held by a worker that is not there", all_held, False

    def live_worker(tables):
        worker = {"id": 99, "host": Text(b"elsewhere"), "backend": Text(b"cpu"), "pid": 1, "process_start": 1,
                  "started": 1, "heartbeat": 2**62, "expires": 2**62, "rounds": 0, "updates": 0.0, "checksum": 0}
        tables.insert("workers", tables.refit("workers", worker))
        for row in base.rows["realizations"]:
            tables.replace("realizations", row, tables.refit("realizations", row | {"worker": 99, "status": Text(b"queued")}))
    yield "everything held by a worker that lives for ever", live_worker, False


def row_entries(bases, rng):
    """Changes of whole rows, one of each kind after the other: at first what takes away most."""
    groups = {}
    for base in bases:
        for title, *change in row_changes(base):
            groups.setdefault(title, []).append(("rows", base, title, *change))
    first = [title for title in groups if title.startswith(("nothing of", "a size of", "all ", "everything"))]
    others = [title for title in groups if title not in first]
    for group in (first, others, *groups.values()):
        rng.shuffle(group)
    return list(spread([groups[title] for title in first + others]))


SCHEMA_STATEMENTS = [
    (True, "CREATE TRIGGER t AFTER INSERT ON rounds BEGIN DELETE FROM rounds WHERE round = 0; END"),
    (True, "CREATE TRIGGER t AFTER UPDATE ON realizations BEGIN UPDATE sizes SET realizations = 1; END"),
    (True, "CREATE TRIGGER t BEFORE UPDATE ON realizations BEGIN SELECT RAISE(IGNORE); END"),
    (True, "CREATE TRIGGER t BEFORE UPDATE ON realizations BEGIN SELECT RAISE(ABORT, 'std::abort'); END"),
    (True, "CREATE TRIGGER t AFTER INSERT ON workers BEGIN DELETE FROM workers; END"),
    (True, "CREATE TRIGGER t AFTER UPDATE ON clock BEGIN UPDATE clock SET sequence = 1; END"),
    (True, "CREATE TABLE extra (x)"), (True, "CREATE VIEW extra AS SELECT * FROM rounds"),
    (True, "CREATE INDEX extra ON rounds (seconds)"), (True, "CREATE UNIQUE INDEX extra ON rounds (L, realization, round)"),
    (True, "CREATE INDEX extra ON rounds (abs(seconds)) WHERE round > 0"),
    (True, "DROP INDEX realizations_by_worker"), (True, "DROP INDEX realizations_by_sequence"),
    (True, "ALTER TABLE rounds ADD COLUMN extra"), (True, "ALTER TABLE realizations RENAME COLUMN tau TO theta"),
    (True, "ALTER TABLE sizes RENAME TO sizes_2"), (True, "ALTER TABLE rounds ADD COLUMN g INTEGER AS (round + 1)"),
    (True, "ALTER TABLE realizations RENAME TO r; CREATE VIEW realizations AS SELECT * FROM r"),
    (True, "ALTER TABLE rounds RENAME TO r; CREATE VIEW rounds AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
           "SELECT r.* FROM r, n"),
    (True, "ALTER TABLE campaign RENAME TO c; CREATE VIEW campaign AS SELECT 1 AS id, randomblob(500000000) AS config, '' AS created, "
           "3 AS version, 0 AS checksum"),
    (True, "CREATE TABLE big (x); INSERT INTO big VALUES (zeroblob(20000000))"),
    (True, "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE TABLE ' || name || ' (x)' WHERE name = 'clock'"),
    (True, "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 2 WHERE name = 'rounds'"),
    (True, "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 2000000000 WHERE name = 'sizes'"),
    (True, "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'garbage' WHERE name = 'workers'"),
    (True, "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET name = '\x1b[2J' WHERE name = 'provenance'"),
    (True, "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'STRICT', '')"),
    (False, "PRAGMA encoding = 'UTF-16le'; VACUUM"), (False, "PRAGMA page_size = 512; VACUUM"), (False, "PRAGMA page_size = 65536; VACUUM"),
    (False, "PRAGMA auto_vacuum = FULL; VACUUM"), (False, "PRAGMA secure_delete = ON; VACUUM"),
    *((table != "sqlite_sequence", f"DROP TABLE {table}") for table in
      ("campaign", "sizes", "realizations", "rounds", "clock", "workers", "ladder_stages", "amendments", "provenance")),
    *((True, f"PRAGMA application_id = {value}") for value in (0, -1, 1, 2**31 - 1, -(2**31))),
    *((value != 3, f"PRAGMA user_version = {value}") for value in (0, 1, 2, 3, 4, 1000, 2**31 - 1, -1, -2, -(2**31), -3)),
]


def schema_case(base, statements, seen, k):
    def build(world):
        base.put(world.campaign)
        path = os.path.join(world.campaign, "campaign.sqlite")
        database.set_journal(path, 1)
        connection = database.sqlite3.connect(path, isolation_level=None)
        connection.executescript("PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF;" + statements)
        connection.close()
        database.set_journal(path, 2)
    return Case(f"{base.name}: {statements[:150]}", commands_for(k), build, base, seen=seen,
                other_bins="TRIGGER" in statements or "VIEW" in statements, other_states="TRIGGER" in statements)


def index_case(base, name, condition, k):
    """An index that lacks the rows which the condition excludes, behind a schema that hides it."""
    def build(world):
        base.put(world.campaign)
        path = os.path.join(world.campaign, "campaign.sqlite")
        database.set_journal(path, 1)
        connection = database.open_raw(path)
        sql = base.schema["index", name]
        connection.execute(f"DROP INDEX {name}")
        connection.execute(sql.split(" WHERE ")[0] + f" WHERE {condition}")
        database.set_schema(connection, {("index", name): sql})
        connection.commit()
        connection.close()
        database.set_journal(path, 2)
    return Case(f"{base.name}: {name} lacks all but {condition}", commands_for(k), build, base, seen=True)


def byte_case(base, edits, title, k, length=None):
    def build(world):
        base.put(world.campaign)
        with open(os.path.join(world.campaign, "campaign.sqlite"), "r+b") as file:
            for at, data in edits:
                file.seek(at)
                file.write(data)
            if length is not None:
                file.truncate(length)
    return Case(f"{base.name}: {title}", commands_for(k), build, base)


def header_edits():
    """Bytes of the heading of a database that steer SQLite or the program."""
    numbers = [0, 1, 2, 4, 255, 2**15, 2**16, 2**31 - 1, 2**31, 2**32 - 1, 2**32 - 2]
    for at, name in ((24, "change counter"), (28, "pages"), (32, "first free page"), (36, "free pages"), (40, "schema cookie"),
                     (44, "schema format"), (48, "cache size"), (52, "largest root"), (56, "encoding"), (60, "user_version"),
                     (64, "incremental vacuum"), (68, "application_id"), (92, "version valid for"), (96, "SQLite version")):
        yield [(name, at, struct.pack(">I", number)) for number in numbers]
    for at, name in ((16, "page size"), (18, "file formats"), (20, "reserved bytes"), (21, "fractions")):
        yield [(name, at, data) for data in (b"\0\0", b"\0\1", b"\1\0", b"\2\2", b"\1\1", b"\3\3", b"\xff\xff", b"\x40\x20", b"\x02\x00")]


class DatabaseTarget:
    name = "database"

    def __init__(self, bases, rng):
        self.fields = field_cases(bases, rng)
        half = [base for base in bases if base.stage == "half"] or bases
        schemas = [("schema", base, sql, seen) for base in bases for seen, sql in SCHEMA_STATEMENTS]
        indexes = [("index", base, name, condition) for base in half for name in
                   [name for kind, name in base.schema if kind == "index"]
                   for condition in ("L = -1", "realization = 1", "realization != 1", "realization > 0")]
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
