"""Bytes of a campaign as db/FORMAT.md defines them: checksums of rows, digests of states, checkpoint files."""

import ctypes
import shutil
import struct
import subprocess

import xxh3


class Text(bytes):
    """A text of a database, in UTF-8 or not; plain bytes are a blob."""


def row_checksum(values):
    """XXH3-64 of the values one after the other, as SQLite stores it."""
    return struct.unpack("<q", struct.pack("<Q", xxh3.hash64(b"".join(map(value_bytes, values)))))[0]


def blob_checksum(blob):
    return struct.unpack("<q", struct.pack("<Q", xxh3.hash64(blob)))[0]


def value_bytes(value):
    if isinstance(value, float):
        return struct.pack("<d", value)
    if isinstance(value, int):
        return struct.pack("<Q", value & (2**64 - 1))
    return struct.pack("<q", len(value)) + bytes(value)


# --- zstd: frames of blocks that are stored as they are can be written without the library, reading needs it ---

ZSTD_MAGIC, BLOCK = 0xFD2FB528, 1 << 17


def _zstd_frame(content_size, blocks):
    """A frame of (kind, size, bytes): kind 0 raw, 1 one byte repeated. Its window is 2 MiB, so that any reader takes it;
    content_size None: not stated."""
    header = b"\x00\x58" if content_size is None else b"\xc0\x58" + struct.pack("<Q", content_size)
    out = [struct.pack("<I", ZSTD_MAGIC) + header]
    for i, (kind, size, data) in enumerate(blocks):
        out.append(struct.pack("<I", (i == len(blocks) - 1) | kind << 1 | size << 3)[:3] + data)
    return b"".join(out)


def zstd_stored(data):
    pieces = [data[at : at + BLOCK] for at in range(0, len(data), BLOCK)] or [b""]
    return _zstd_frame(len(data), [(0, len(piece), piece) for piece in pieces])


def zstd_bomb(start, size, stated=True):
    """The bytes `start`, then zeros up to this size, in four bytes for each 128 KiB."""
    blocks, left = [(0, len(start), start)], size - len(start)
    while left > 0:
        blocks.append((1, min(BLOCK, left), b"\0"))
        left -= BLOCK
    return _zstd_frame(size if stated else None, blocks)


def _zstd_library():
    try:
        library = ctypes.CDLL("libzstd.so.1")
    except OSError:
        return None
    library.ZSTD_decompress.restype = ctypes.c_size_t
    library.ZSTD_decompress.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
    return library


def zstd_decompress(data, size):
    library = _zstd_library()
    if library:
        out = ctypes.create_string_buffer(size)
        if library.ZSTD_decompress(out, size, data, len(data)) != size:
            raise ValueError("a zstd frame cannot be read")
        return out.raw
    if not shutil.which("zstd"):
        raise ValueError("zstd cannot be read (neither libzstd.so.1 nor the program zstd is here). Install one of them.")
    return subprocess.run(["zstd", "-dc"], input=data, capture_output=True, check=True).stdout


# --- states and checkpoints ---

ARRAYS = (("slot", "H"), ("heading", "b"), ("round_trips", "I"), ("spins", "f"), ("states", "B"))
IDENTITY = ("dim", "L", "copies", "slots", "realization", "rounds")


class Checkpoint:
    """A checkpoint file, taken apart. `arrays` holds bytes; `counts` is what the archive says of their lengths."""

    def __init__(self, data):
        magic, self.version, self.byte_order, payload_length, archive_length = struct.unpack_from("<8sIIQQ", data)
        assert magic == b"GLASSWRK" and self.version in (2, 3), "a checkpoint of an unknown version"
        identity_length = 40 if self.version == 2 else 44
        self.identity = dict(zip(IDENTITY, struct.unpack_from("<6I", data, 48)))
        self.origin = data[72:88]
        self.components = struct.unpack_from("<I", data, 88)[0] if self.version == 3 else 3
        payload = data[48 + identity_length :]
        assert len(payload) == payload_length
        self._take_apart(zstd_decompress(payload, archive_length))
        assert Checkpoint.state_digest(self)

    def _take_apart(self, archive):
        names = ARRAYS if self.version == 3 else ARRAYS[:4]
        for length in range(len(archive)):  # of the archive's own heading
            counts = struct.unpack_from(f"<{len(names)}Q", archive, length + 8)
            sizes = [count * struct.calcsize(code) for count, (_, code) in zip(counts, names)]
            if length + 8 + 8 * len(names) + sum(sizes) == len(archive):
                break
        self.heading_of_archive, self.steps = archive[:length], struct.unpack_from("<Q", archive, length)[0]
        self.counts, self.arrays, at = {}, {}, length + 8 + 8 * len(names)
        for (name, _), count, size in zip(names, counts, sizes):
            self.counts[name], self.arrays[name] = count, archive[at : at + size]
            at += size

    def values(self, name):
        code = dict(ARRAYS)[name]
        return list(struct.unpack(f"<{len(self.arrays[name]) // struct.calcsize(code)}{code}", self.arrays[name]))

    def set_values(self, name, values):
        self.arrays[name] = struct.pack(f"<{len(values)}{dict(ARRAYS)[name]}", *values)
        self.counts[name] = len(values)

    def archive(self):
        out = self.heading_of_archive + struct.pack("<Q", self.steps)
        out += b"".join(struct.pack("<Q", count) for count in self.counts.values())
        return out + b"".join(self.arrays.values())

    def state_digest(self):
        data = struct.pack("<Q", self.steps)
        for name, code in ARRAYS[:4]:
            array = self.arrays[name]
            data += struct.pack("<Q", len(array) // struct.calcsize(code)) + array
        states = self.arrays.get("states", b"")
        if states:
            data += struct.pack("<Q", len(states)) + states
        return xxh3.hash128(data).hex()

    def file(self, payload=None, archive_length=None, payload_length=None, fits=True):
        """The bytes of the file; by default with a fitting digest."""
        archive = self.archive()
        payload = zstd_stored(archive) if payload is None else payload
        frame = struct.pack("<8sIIQQ", b"GLASSWRK", self.version, self.byte_order,
                            len(payload) if payload_length is None else payload_length,
                            len(archive) if archive_length is None else archive_length)
        identity = struct.pack("<6I", *self.identity.values()) + self.origin
        if self.version >= 3:
            identity += struct.pack("<I", self.components)
        digest = xxh3.hash128(frame + identity + xxh3.hash128(payload)) if fits else b"\x5a" * 16
        return frame + digest + identity + payload
