"""A disk that keeps what was synced, and of the rest what chance leaves; see power_loss.py."""

SECTOR = 512


class File:
    """Content on the disk, and changes since: (offset, bytes), or (length, None) for a truncation."""

    def __init__(self, content=b""):
        self.synced = bytearray(content)
        self.changes = []

    def sync(self):
        for change in self.changes:
            apply(self.synced, change)
        self.changes.clear()

    def after_failure(self, treatment, rng):
        content = bytearray(self.synced)
        for change in self.changes:
            for piece in surviving(change, treatment, rng):
                apply(content, piece)
        return content


def apply(content, change):
    offset, data = change
    if data is None:
        del content[offset:]
    if len(content) < offset:
        content.extend(bytes(offset - len(content)))
    if data is not None:
        content[offset : offset + len(data)] = data


def surviving(change, treatment, rng):
    """The parts of an unsynced change that are on the disk."""
    if treatment != "some":
        return [change] if treatment == "all" else []
    offset, data = change
    fate = rng.choice(["kept", "kept", "dropped", "dropped", "torn"])
    if fate == "torn" and data is not None:
        first, last = offset // SECTOR, (offset + len(data) - 1) // SECTOR
        if rng.random() < 0.5:  # a prefix, otherwise any sectors
            end = rng.randint(first, last)
            chosen = range(first, end)
        else:
            chosen = [s for s in range(first, last + 1) if rng.random() < 0.5]
        spans = [(max(offset, s * SECTOR), min(offset + len(data), (s + 1) * SECTOR)) for s in chosen]
        return [(begin, data[begin - offset : end - offset]) for begin, end in spans]
    return [change] if fate == "kept" else []


class Disk:
    """Files, directories and what of them is durable, after some calls.

    begin   directory whose content is there, durably, at the beginning; or None
    deaf    syncs of names with this text do nothing, if it is not empty
    """

    def __init__(self, root, begin, deaf):
        self.root, self.deaf = root, deaf
        self.names = {root: "directory"}  # path -> File or "directory"
        for path in begin.rglob("*") if begin else []:
            self.names[root / path.relative_to(begin)] = "directory" if path.is_dir() else File(path.read_bytes())
        self.durable = dict(self.names)
        self.pending = {}  # directory -> changes of names, in order
        self.open = {}  # descriptor -> path, File or "directory"

    def call(self, kind, *arguments):
        getattr(self, "do_" + kind)(*arguments)

    def change_name(self, path, *change):
        self.pending.setdefault(path.parent, []).append((path, *change))

    def do_open(self, descriptor, mode, path):
        if "c" in mode and path not in self.names:
            self.names[path] = File()
            self.change_name(path, "add", self.names[path])
        file = self.names[path]
        if "t" in mode:
            file.changes.append((0, None))
        self.open[descriptor] = (path, file)

    def do_close(self, descriptor):
        self.open.pop(descriptor, None)

    def do_write(self, descriptor, offset, data):
        self.open[descriptor][1].changes.append((int(offset), data))

    def do_truncate(self, descriptor, length):
        self.open[descriptor][1].changes.append((int(length), None))

    def do_mkdir(self, path):
        self.names[path] = "directory"
        self.change_name(path, "add", "directory")

    def do_unlink(self, path):
        self.names.pop(path, None)
        self.change_name(path, "remove")

    def do_rename(self, source, target):
        self.names[target] = self.names.pop(source)
        self.change_name(source, "rename", target)

    def do_sync(self, descriptor):
        path, file = self.open[descriptor]
        if self.deaf and self.deaf in path.name:
            return
        if isinstance(file, File):
            file.sync()
        else:
            for change in self.pending.pop(path, []):
                change_durable(self.durable, change)

    def after_failure(self, treatment, rng):
        """Path -> content (None: a directory) of what can be reached from the root."""
        durable = dict(self.durable)
        for directory in sorted(self.pending):
            changes = self.pending[directory]
            kept = {"all": len(changes), "none": 0, "some": rng.randint(0, len(changes))}[treatment]
            for change in changes[:kept]:
                change_durable(durable, change)
        found = {}
        for path in sorted(durable):  # a directory comes before what it holds
            reachable = path == self.root or found.get(path.parent, b"") is None
            if not reachable or path.name.endswith("-shm"):
                continue
            file = durable[path]
            found[path] = file.after_failure(treatment, rng) if isinstance(file, File) else None
        return found


def change_durable(durable, change):
    path, kind, *what = change
    if kind == "add":
        durable[path] = what[0]
    elif path in durable:
        file = durable.pop(path)
        if kind == "rename":
            durable[what[0]] = file


def replay(calls, root, begin=None, deaf=""):
    """The disk after these calls; paths are pathlib paths."""
    disk = Disk(root, begin, deaf)
    for call in calls:
        disk.call(*call)
    return disk
