"""Databases of campaigns: tables without their guards, to be filled with anything, and checksums that fit it."""

import os
import re
import sqlite3

from formats import Text, blob_checksum, row_checksum

# Columns behind the checksum of a row, in its order. Tables that are not here have none.
COVERED = {
    "campaign": ["config"],
    "sizes": ["L", "temperatures", "observables", "realizations", "adapting"],
    "realizations": ["L", "realization", "status", "rounds", "checkpoint", "state_digest", "round_trips", "reason", "attempt",
                     "previous_checkpoint", "previous_digest", "tau", "equilibration_rounds", "expected_rounds", "failures",
                     "checkpoint_digest"],
    "workers": ["host", "backend", "pid", "process_start", "started", "heartbeat", "expires", "rounds", "updates"],
    "ladder_stages": ["L", "stage", "pilots", "measurements", "temperatures", "exchange_attempts", "exchange_accepted",
                      "walk_up", "walk_down", "round_trips", "checkpoints"],
    "amendments": ["time", "change"],
    "provenance": ["version", "source_commit", "compiler", "backend", "host"],
}
BINS = ["means", "exchange_attempts", "exchange_accepted", "walk_up", "walk_down", "walk_mean", "round_trips"]
KEYS = {"campaign": ["id"], "sizes": ["L"], "realizations": ["L", "realization"], "clock": ["id"], "workers": ["id"],
        "ladder_stages": ["L", "stage"], "amendments": ["id"], "provenance": ["id"], "rounds": ["L", "realization", "round"]}


def as_read(value, declared, width=64):
    """What SQLite hands to a reader that asks for the declared type; width 32: who then keeps only an int."""
    if declared == "INTEGER":
        if isinstance(value, float):
            value = int(max(min(value, 2**63 - 1), -(2**63))) if value == value else 0
        elif not isinstance(value, int):
            digits = re.match(rb"\s*[+-]?\d{1,18}", value or b"")
            value = int(digits[0]) if digits else 0
        return value if width == 64 else (value + 2**31) % 2**32 - 2**31
    if declared == "REAL":
        if isinstance(value, (int, float)):
            return float(value)
        number = re.match(rb"\s*[+-]?\d+(\.\d*)?", value or b"")
        return float(number[0]) if number else 0.0
    if value is None:
        return b""
    return str(value).encode() if isinstance(value, (int, float)) else bytes(value)


class Tables:
    """An open database whose tables take any value; `close` gives them their own schema back."""

    def __init__(self, path, schema, types):
        self.schema, self.types = schema, types
        self.connection = open_raw(path)

    def rows(self, table):
        columns = list(self.types[table])
        order = ", ".join(KEYS.get(table, ["1"]))
        query = f'SELECT {", ".join(columns)} FROM {table} ORDER BY {order}'
        return [dict(zip(columns, row)) for row in self.connection.execute(query)]

    def insert(self, table, row):
        marks = ", ".join("CAST(? AS TEXT)" if isinstance(value, Text) else "?" for value in row.values())
        self.connection.execute(f'INSERT OR REPLACE INTO {table} ({", ".join(row)}) VALUES ({marks})', list(map(bound, row.values())))

    def delete(self, table, row):
        keys = KEYS[table]
        self.connection.execute(f'DELETE FROM {table} WHERE {" AND ".join(f"{key} IS ?" for key in keys)}',
                                [bound(row[key]) for key in keys])

    def replace(self, table, old, new):
        self.delete(table, old)
        self.insert(table, new)

    def refit(self, table, row, width=64):
        """Makes all checksums of a row fit what a reader gets out of it."""
        def read(name):
            return as_read(row[name], self.types[table][name], width)
        if table == "rounds":
            for name in BINS + (["samples"] if "samples" in row else []):
                row[name + "_checksum"] = blob_checksum(as_read(row[name], "BLOB"))
            values = [read(name) for name in ("L", "realization", "round", "attempt", "provenance", "seconds", "measurements",
                                              "slots", "observables", "replicas")]
            values += [row[name + "_checksum"] for name in BINS]
            if "samples" in row and read("samples_per_slot") > 0:
                values += [read("samples_per_slot"), row["samples_checksum"]]
            row["checksum"] = row_checksum(values)
        elif table in COVERED:
            values = [read(name) for name in COVERED[table]]
            if table == "sizes" and read("sample_names"):
                values.append(read("sample_names"))
            row["checksum"] = row_checksum(values)
        return row

    def close(self):
        set_schema(self.connection, self.schema)
        self.connection.commit()
        self.connection.close()


def bound(value):
    """Texts travel as bytes, so that they need not be UTF-8."""
    return bytes(value) if isinstance(value, Text) else value


def open_raw(path):
    connection = sqlite3.connect(path, isolation_level=None)
    connection.text_factory = Text
    connection.execute("PRAGMA journal_mode = MEMORY")
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("BEGIN IMMEDIATE")
    return connection


def set_schema(connection, schema):
    connection.execute("PRAGMA writable_schema = ON")
    for (kind, name), sql in schema.items():
        connection.execute("UPDATE sqlite_schema SET sql = ? WHERE type = ? AND name = ?", (sql, kind, name))


def without_guards(sql):
    """A table with the same columns that takes any value in them: no types, checks or references."""
    head, body = sql.split("(", 1)
    depth, item, items = 0, "", []
    for c in body[: body.rindex(")")]:
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            items.append(item)
            item = ""
        else:
            item += c
    kept = []
    for item in map(str.strip, [*items, item]):
        if item.startswith("PRIMARY KEY"):
            kept.append(item)
        elif "INTEGER PRIMARY KEY" in item:
            kept.append(item.split(" CHECK")[0])
        elif not re.match(r"(FOREIGN|UNIQUE|CHECK)\b", item):
            kept.append(item.split()[0])
    return f'{head}({", ".join(kept)})' + (" WITHOUT ROWID" if "WITHOUT ROWID" in sql else "")


def set_journal(path, mode):
    """Bytes 18 and 19 of the heading: 1 for a rollback journal, 2 for a log."""
    with open(path, "r+b") as file:
        file.seek(18)
        file.write(bytes([mode, mode]))


def loosen(path):
    """Takes the guards off a database without a log; returns (schema, types of the columns by table)."""
    set_journal(path, 1)
    connection = open_raw(path)
    schema, types, loose = {}, {}, {}
    for kind, name, sql in connection.execute("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL").fetchall():
        key = (kind.decode(), name.decode())
        schema[key] = sql.decode()
        if kind == b"table" and not name.startswith(b"sqlite_"):
            columns = connection.execute(f"PRAGMA table_xinfo({key[1]})").fetchall()
            types[key[1]] = {column[1].decode(): column[2].decode() for column in columns}
            loose[key] = without_guards(schema[key])
    # UNIQUE made an index of its own, which refers to what is gone: it stays in place and unused.
    for name, columns in types.items():
        unique = connection.execute("SELECT count(*) FROM sqlite_schema WHERE type = 'index' AND sql IS NULL AND tbl_name = ?",
                                    (name,)).fetchone()[0]
        if unique and "UNIQUE" in schema["table", name]:
            table = re.search(r"UNIQUE \([^)]*\)", schema["table", name])[0]
            loose["table", name] = re.sub(r"\)$", f", {table})", loose["table", name])
    set_schema(connection, loose)
    connection.commit()
    connection.close()
    tables = Tables(path, {}, types)  # everything can be read, and its checksums are understood
    for table in types:
        for row in tables.rows(table):
            if tables.refit(table, dict(row)) != row:
                raise SystemExit(f"The checksum of a row of {table} is not what database.py computes. Teach it the new schema.")
    tables.connection.close()
    return schema, types


def folded(path):
    """Takes the log of a database in and away."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    for suffix in ("-wal", "-shm"):
        if os.path.exists(path + suffix):
            os.remove(path + suffix)
