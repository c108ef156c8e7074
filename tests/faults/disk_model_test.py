#!/usr/bin/env python3
"""Known answers of disk_model.py."""

import random
from pathlib import PurePosixPath

from disk_model import replay


def main():
    begin = [
        ["mkdir", "/r/c"],
        ["open", "3", "c", "/r/c/a"],
        ["write", "3", "0", b"x" * 600],
        ["open", "4", "-", "/r/c"],
        ["open", "5", "-", "/r"],
    ]
    rng = random.Random(1)

    def after(calls, *how):
        as_path = [[PurePosixPath(word) if str(word)[0] == "/" else word for word in call] for call in begin + calls]
        disk = replay(as_path, PurePosixPath("/r"))
        return {str(path): content for path, content in disk.after_failure(*how).items()}

    def expect(calls, treatment, wanted):
        found = after(calls, treatment, rng)
        assert found == {"/r": None, **wanted}, (calls, treatment, found)

    x, file, folder, root = b"x" * 600, ["sync", "3"], ["sync", "4"], ["sync", "5"]
    expect([file, folder], "none", {})
    expect([root], "none", {"/r/c": None})
    expect([file, root], "none", {"/r/c": None})
    expect([folder, root], "none", {"/r/c": None, "/r/c/a": b""})
    expect([file, folder, root], "none", {"/r/c": None, "/r/c/a": x})
    expect([], "all", {"/r/c": None, "/r/c/a": x})
    synced = [file, folder, root]
    expect([*synced, ["rename", "/r/c/a", "/r/c/b"]], "none", {"/r/c": None, "/r/c/a": x})
    expect([*synced, ["rename", "/r/c/a", "/r/c/b"], folder], "none", {"/r/c": None, "/r/c/b": x})
    expect([*synced, ["unlink", "/r/c/a"]], "none", {"/r/c": None, "/r/c/a": x})
    expect([*synced, ["unlink", "/r/c/a"], folder], "none", {"/r/c": None})
    expect([*synced, ["truncate", "3", "1"]], "none", {"/r/c": None, "/r/c/a": x})
    expect([*synced, ["truncate", "3", "1"], file], "none", {"/r/c": None, "/r/c/a": b"x"})
    torn = {bytes(after([folder, root], "some", random.Random(i))["/r/c/a"]) for i in range(200)}
    wanted = {b"", x, b"x" * 512, bytes(512) + b"x" * 88}
    assert torn == wanted, [len(t) for t in torn]


if __name__ == "__main__":
    main()
