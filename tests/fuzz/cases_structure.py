"""Cases of what holds the fields of a database: rows, tables, indexes, pages and bits that are not as they must be."""

import os
import struct

import database
from campaigns import HALF
from cases import Case, commands_for, spread
from formats import Text


def row_changes(base):
    """(title, change(tables), seen by verify, files that may go) of whole rows."""
    def deletion(table, rows):
        return lambda tables: [tables.delete(table, row) for row in rows]

    def addition(table, row):
        return lambda tables: tables.insert(table, tables.refit(table, dict(row)))

    for table, rows in base.rows.items():
        harmless = table in ("workers", "clock")
        for i in sorted({0, len(rows) // 2, len(rows) - 1}) if rows else ():
            # Amendments are numbered from 1 on, and nothing says how many there were.
            seen = not harmless if table != "amendments" else i == 0 and len(rows) > 1
            yield f"row {i} of {table} deleted", deletion(table, [rows[i]]), seen
        if rows:  # a ladder without any stage is one that nobody has begun to adapt
            begun = table == "ladder_stages" and base.stage == HALF
            yield f"all rows of {table} deleted", deletion(table, rows), not harmless and table != "amendments" and not begun
        for row in rows[:1] + rows[-1:]:
            for key in database.KEYS.get(table, []):
                for value in (row[key] + 1, row[key] + 2, 1000, 2**31, -1, 2**40):
                    new = row | {key: value}
                    if all(any(new[k] != other[k] for k in database.KEYS[table]) for other in rows):
                        last = table == "amendments" and value == len(rows) + 1
                        yield f"a copy of a row of {table} with {key} = {value}", addition(table, new), not harmless and not last
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
            there = any(row["L"] == L for name in tables_of for row in base.rows[name])
            yield f"nothing of L = {L} in {', '.join(tables_of)}", change, there

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
    (True, "ALTER TABLE rounds ADD COLUMN extra INTEGER"), (True, "ALTER TABLE realizations RENAME COLUMN tau TO theta"),
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


CONDITIONS = {"L = -1": lambda row: False, "realization = 1": lambda row: row["realization"] == 1,
              "realization != 1": lambda row: row["realization"] != 1, "realization > 0": lambda row: row["realization"] > 0}


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
    lacking = [row for row in base.rows["realizations"]
               if not CONDITIONS[condition](row) and (row["worker"] != 0 or name == "realizations_by_sequence")]
    return Case(f"{base.name}: {name} lacks all but {condition}", commands_for(k), build, base, seen=bool(lacking))


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
