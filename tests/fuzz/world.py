"""The folder of a case: a campaign, its inputs, a place to work in, and files around it that nobody may touch.

world/victim, world/keep.cfg               outside of everything
world/campaigns/victim, victim.d/, c/      beside the campaign, and the campaign
world/campaigns/c/notes.txt                of the user, in the directory of the campaign
world/in/                                  configurations and other inputs; in/p: a published folder
world/out/                                 where the commands work and write
"""

import os
import shutil
import stat

DEVICES = ("/dev/null", "/dev/zero", "/dev/full")  # of the machine: as root a command could replace them
KEPT = {"victim": b"outside of everything\n", "keep.cfg": b"model.L = 4\n", "campaigns/victim": b"beside the campaign " * 100,
        "campaigns/victim.d/one": b"1\n", "campaigns/victim.d/two": b"2\n", "campaigns/campaign.sqlite": b"of another campaign\n"}


class World:
    def __init__(self, scratch):
        self.scratch, self.root = scratch, os.path.join(scratch, "world")
        self.campaign, self.inputs, self.out = (os.path.join(self.root, name) for name in ("campaigns/c", "in", "out"))

    def renew(self):
        """Everything as at the beginning; whatever an earlier case has left is gone."""
        for folder in (self.campaign, self.inputs, self.out):
            remove(folder)
            os.makedirs(folder)
        for name, data in KEPT.items():
            self.write(name, data)

    def write(self, name, data):
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if os.path.lexists(path) and not stat.S_ISREG(os.lstat(path).st_mode):
            remove(path)
        with open(path, "wb") as file:
            file.write(data)
        return path

    def fingerprint(self):
        """What must not change: all but the campaign's own files and what the commands write to world/out."""
        seen = {name: summary(name) for name in DEVICES}
        for folder, folders, names in os.walk(self.root):
            if folder == os.path.join(self.root, "campaigns"):
                folders.remove("c") if "c" in folders else None
            if folder == self.root and "out" in folders:
                folders.remove("out")
            for name in folders + names:
                path = os.path.join(folder, name)
                seen[os.path.relpath(path, self.root)] = summary(path)
        notes = os.path.join(self.campaign, "notes.txt")
        seen["campaigns/c/notes.txt"] = summary(notes)
        return seen


def summary(path):
    try:
        found = os.lstat(path)
    except OSError:
        return None
    if stat.S_ISDIR(found.st_mode):
        return "folder", found.st_mode
    if stat.S_ISREG(found.st_mode):
        return "file", found.st_mode, found.st_size, found.st_mtime_ns, found.st_ino
    return "other", found.st_mode, found.st_rdev, os.readlink(path) if stat.S_ISLNK(found.st_mode) else ""


def remove(path):
    if not os.path.lexists(path):
        return
    if os.path.isdir(path) and not os.path.islink(path):
        for folder, _, _ in os.walk(path):
            os.chmod(folder, 0o700)
        shutil.rmtree(path)
    else:
        os.remove(path)
