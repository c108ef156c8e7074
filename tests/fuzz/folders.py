"""Folders that cases start from, file by file, and what may stand in the place of a file: devices too, made in the scratch
folder."""

import json
import os
import stat

import world as worlds
import xxh3
from cases_files import put_instead

NODES = {"null": 3, "zero": 5, "full": 7}  # minor numbers of the memory devices
LIST, MANIFEST = "DIGESTS.xxh128", "manifest.json"
LAST_LINE = "# XXH3-128 of the lines above: "


def nodes_can_be_made(scratch):
    """Whether this process may make devices, and open them where the cases lie."""
    path = os.path.join(scratch, "node")
    try:
        make_node(path, "null")
        with open(path, "wb") as file:
            file.write(b"x")
        return stat.S_ISCHR(os.stat(path).st_mode)
    except OSError:
        return False
    finally:
        worlds.remove(path)


def make_node(path, name):
    os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, NODES[name]))
    os.chmod(path, 0o666)


def odd_kinds(scratch):
    """What may stand in the place of a file in a folder that comes from others."""
    kinds = ["nothing", "empty", "fifo", "folder", "full folder", "socket", "garbage", "text", "sparse", "a database", "link to itself",
             "link to nothing", "link to the victim", "link to a victim's folder", "copy outside", "copy inside", "hard link"]
    return kinds + [f"node {name}" for name in NODES if nodes_can_be_made(scratch)]


def put_odd(world, name, kind):
    """Puts something of this kind in the place of world/NAME. Links to copies lead to files with the same content."""
    path = os.path.join(world.root, name)
    if kind.startswith("node "):
        worlds.remove(path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        make_node(path, kind.split()[1])
    elif kind in ("copy outside", "copy inside"):
        with open(path, "rb") as file:
            data = file.read()
        place = "in/elsewhere" if kind == "copy outside" else os.path.dirname(name) + "/the-same"
        target = world.write(place, data)
        worlds.remove(path)
        os.symlink(os.path.relpath(target, os.path.dirname(path)), path)
    else:
        put_instead(world, name, kind)


def digest(data):
    return xxh3.hash128(data).hex()


class Folder:
    """The files of a folder that the program made."""

    def __init__(self, directory):
        self.files = {}
        for folder, _, names in os.walk(directory):
            for name in names:
                path = os.path.join(folder, name)
                with open(path, "rb") as file:
                    self.files[os.path.relpath(path, directory)] = file.read()

    def put(self, world, name, files=None):
        for file, data in (self.files if files is None else files).items():
            world.write(f"{name}/{file}", data)


def written_anew(files, listed=None):
    """The files of a publication, with digests and sizes that fit them: as somebody writes them who wants to be believed."""
    files = dict(files)
    listed = [line[34:] for line in files[LIST].decode(errors="replace").split("\n") if len(line) > 34 and line[0] != "#"] if listed is None else listed
    listed = [name for name in listed if name in files]
    try:
        manifest = json.loads(files[MANIFEST])
        manifest["files"] = [entry | {"size": len(files[entry["name"]]), "digest": digest(files[entry["name"]])}
                             for entry in manifest["files"] if entry["name"] in files]
        known = {entry["name"] for entry in manifest["files"]}
        manifest["files"] += [{"name": name, "size": len(files[name]), "digest": digest(files[name])} for name in listed if name not in known | {MANIFEST}]
        files[MANIFEST] = json.dumps(manifest, indent=2).encode() + b"\n"
    except (KeyError, ValueError, TypeError):
        pass  # the manifest itself was attacked
    files[LIST] = list_text([(digest(files[name]), name) for name in listed])
    return files


def list_text(lines):
    text = "".join(f"{value}  {name}\n" for value, name in lines).encode(errors="surrogateescape")
    return text + f"{LAST_LINE}{digest(text)}\n".encode()
