"""What a case is, and hostile values that several targets use."""

import dataclasses
import struct

from formats import Text


@dataclasses.dataclass
class Command:
    """A command of the program; paths are relative to world/out."""

    arguments: list
    environment: dict = dataclasses.field(default_factory=dict)
    lasts: float = None  # seconds after which it is asked to stop
    refused: str = None  # must fail with a message that this expression finds; "" for any
    named: str = None  # may succeed, and else fails with a message that this expression finds
    large: bool = False  # may rightly take much memory
    before: object = None  # before(world): changes the folder of the case first


@dataclasses.dataclass
class Case:
    title: str
    commands: list
    build: object = None  # build(world): puts the files of the case in place
    base: object = None  # the campaign in world/campaigns/c, if there is one
    attacked: tuple = ()  # files of the campaign that may be lost
    other_bins: bool = False  # undetectable: bins with fitting checksums. States must still be right
    other_states: bool = False  # undetectable: a possible other state with fitting digests, or another configuration
    waits: bool = False  # a run may wait for others until its time limit
    seen: bool = False  # `verify` must find a problem
    may_change: tuple = ()  # names in the world, besides the campaign and world/out, that the commands may write
    judge: object = None  # judge(world, command, result): failures of its own, as (kind, what was seen), after each command
    beside: object = None  # beside(world): a context around the commands, such as a reader of a FIFO
    inside: object = None  # inside(world): does the work without commands; returns (number of calls, failures with their verbs)


CAMPAIGN = "../campaigns/c"
CONFIG = "../in/c.cfg"
RUN = Command(["run", CONFIG, f"--campaign.directory={CAMPAIGN}", "--time-limit=3"])
VERIFY = Command(["verify", CAMPAIGN])
DIGESTS = Command(["inspect", CAMPAIGN, "--digest"])
READERS = [
    Command(["status", CAMPAIGN]),
    Command(["status", CAMPAIGN, "--json"]),
    Command(["analyze", CAMPAIGN]),
    Command(["analyze", CAMPAIGN, "--csv", "a.csv", "--converged-only"]),
    DIGESTS,
    Command(["inspect", CAMPAIGN]),
    Command(["report", CAMPAIGN, "--out", "page.html"]),
    Command(["export", CAMPAIGN, "--out", "files"]),
    Command(["export", CAMPAIGN, "--out", "tables", "--csv", "--bins", "--covariance"]),
    Command(["why", CAMPAIGN, "--realization", "0"]),
    Command(["why", CAMPAIGN, "--realization", "2", "--L", "4"]),
    Command(["watch", CAMPAIGN, "--once"]),
    Command(["inspect", CAMPAIGN, "--L", "4", "--realization", "1"]),
    Command(["verify", CAMPAIGN, "--recompute", "2"]),
    Command(["report", CAMPAIGN, "--bootstrap", "5", "--temperatures", "7", "--csv", "numbers", "--blocks", "2"]),
    Command(["plot", CAMPAIGN, "--figures", "energy", "--format", "svg"]),
]

NAMES = list(map(Text, [
    b"../../victim", b"../victim.d/one", b"../../../victim", b"../campaign.sqlite", b"../notes.txt", b"../campaign.lock", b"..",
    b".", b"/", b"./", b"../", b"../..", b"../../victim.d", b"/dev/zero", b"/dev/full", b"/dev/stdin", b"/proc/self/mem",
    b"a/../../../victim", b"link", b"fifo", b"folder", b"folder/inside", b"x" * 300, b"y/" * 2000, b"name\nwith\nlines",
    b"name\0cut", b"\x1b[2J\x1b]0;title\x07.ckpt", b"\xff\xfe\x80.ckpt", "\u202egnp.ckpt".encode(), b"~/x", b"$HOME", b"-rf", b"*",
]))
TEXTS = list(map(Text, [
    b"", b" ", b"x", b"A" * 1_000_000, b"\x1b[31mred\x1b[0m", b"\x07\x08\x7f\r", b"two\nlines", b"tab\there", b"cut\0here", b"\xff\xfe",
    b"\xc3\x28", b"\xed\xa0\x80", "\u009b2J".encode(), "\u202eabc".encode(), b"%s%s%n%d", b"{}{0}{:>999999999}",
    b"'; DROP TABLE rounds; --", b"</script><script>alert(7)</script>", b'"quoted", "json": [', b"\\u0000\\", b"null", b"nan", b"-1",
    b"4611686018427387904", b"1e999", b"\xef\xbb\xbfbom", b",,,,", b"=cmd|' /C calc'!A0", "e\u0301\U0001f9ca".encode(),
]))
INTEGERS = [
    0, -1, 1, 2, 3, 4, 5, 7, 8, 64, 255, 256, 1000, 32767, 32768, 65535, 65536, 10**6, 2**24, 10**9, 2**31 - 1, 2**31, 2**32 - 1, 2**32,
    2**32 + 1, 2**32 + 4, 2**53, 2**62, 2**63 - 1, -(2**63), -(2**31), -(2**31) - 1, -(2**32), 1 - 2**32, -2, -4,
]
REALS = [0.0, -0.0, -1.0, 1.0, 1e-300, 5e-324, 1e308, -1e308, float("inf"), float("-inf"), 0.5, 1e9, 1e18, 1e19, 2.0**63, 123456789.25]
NAN, INF = float("nan"), float("inf")


def commands_for(k):
    reader = READERS[k % len(READERS)] if k % 37 else READERS[-1]
    return [VERIFY, reader, RUN, DIGESTS] if reader is not READERS[-1] or k % 37 == 0 else [VERIFY, READERS[0], RUN, DIGESTS]


def wrong_types(value):
    """Values of other types than this one, and none."""
    others = [None, 0, -7, 2.5, INF, Text(b""), Text(b"12"), Text(b"text"), b"", b"\0\1\2\3\4\5\6\7"]
    return [other for other in others if type(other) is not type(value)]


def arrays_like(blob):
    """Hostile blobs in the place of an array, as functions: they are many and large."""
    n = len(blob)
    for new in (lambda: b"", lambda: b"\1", lambda: blob[:-1], lambda: blob + b"\0", lambda: blob[:-8], lambda: blob[8:], lambda: blob * 2,
                lambda: blob + b"\0" * 8, lambda: blob[:8], lambda: bytes(n), lambda: b"\xff" * n, lambda: b"\x7f" * n, lambda: b"\x80" * n,
                lambda: bytes(reversed(blob)), lambda: bytes(1_000_000), lambda: b"\xff" * 4_000_000):
        yield new
    for code, values in (("d", (NAN, INF, -INF, 1e308, -1e308, 1.0, -1.0, 5e-324)), ("f", (NAN, INF, 3e38)), ("Q", (1, 2**32 - 1, 2**63 - 1, 2**64 - 1))):
        for value in values:
            one = struct.pack(f"<{code}", value)
            yield lambda one=one: one * (n // len(one)) + bytes(n % len(one))
            yield lambda one=one: one + blob[len(one) :]
            yield lambda one=one: blob[: n - len(one)] + one
    for at in range(0, n, max(n // 4, 1)):
        yield lambda at=at: blob[:at] + bytes([blob[at] ^ 0x40]) + blob[at + 1 :]


def spread(groups):
    """One of each group after the other, so that a beginning of the list has something of all of them."""
    groups = [list(group) for group in groups]
    for i in range(max(map(len, groups), default=0)):
        for group in groups:
            if i < len(group):
                yield group[i]
