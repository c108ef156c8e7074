"""Runs one command of the program under watch: time, memory, how it ended, what it printed."""

import dataclasses
import os
import select
import signal
import subprocess
import time

WAIT_LIMIT = 20.0  # seconds that any command may take, also after it was asked to stop
MEMORY_LIMIT = 1 << 30
OUTPUT_LIMIT = 4 << 20  # bytes of each stream that are looked at


@dataclasses.dataclass
class Result:
    arguments: list
    status: int  # negative: ended by this signal
    out: bytes
    err: bytes
    seconds: float
    memory: int
    hung: bool = False  # had to be killed
    bloated: bool = False  # was killed for its memory
    asked: bool = False  # was sent SIGTERM because it may last


def environment(changes=None):
    """A plain environment with these changes; None takes a variable out."""
    plain = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": os.environ.get("HOME", "/"), "LC_ALL": "C"}
    for name in ("LD_LIBRARY_PATH", "OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"):
        if name in os.environ:
            plain[name] = os.environ[name]
    for name, value in (changes or {}).items():
        plain.pop(name, None)
        if value is not None:
            plain[name] = value
    return plain


def resident_bytes(pid):
    try:
        with open(f"/proc/{pid}/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def run(program, arguments, folder, scratch, changes=None, lasts=None):
    """Runs the program in `folder`; its output goes through files in `scratch`.

    lasts  seconds after which SIGTERM is sent, for commands that may rightly go on for long
    """
    streams = [os.path.join(scratch, name) for name in ("stdout", "stderr")]
    with open(streams[0], "wb") as out, open(streams[1], "wb") as err:
        begin = time.monotonic()
        process = subprocess.Popen([program, *arguments], cwd=folder, env=environment(changes), stdin=subprocess.DEVNULL,
                                   stdout=out, stderr=err, start_new_session=True)
        result = Result(arguments, 0, b"", b"", 0.0, 0)
        status, usage = _watch(process.pid, begin, lasts, result)
    process.returncode = result.status = os.waitstatus_to_exitcode(status)
    result.seconds = time.monotonic() - begin
    result.memory = max(result.memory, usage.ru_maxrss * 1024)
    try:
        os.killpg(process.pid, signal.SIGKILL)  # what it may have left behind
    except (ProcessLookupError, PermissionError):
        pass
    result.out, result.err = (_read(stream) for stream in streams)
    return result


def _watch(pid, begin, lasts, result):
    descriptor = os.pidfd_open(pid)
    poll, limit = select.poll(), WAIT_LIMIT
    poll.register(descriptor, select.POLLIN)
    try:
        while not poll.poll(50):
            seconds = time.monotonic() - begin
            result.memory = max(result.memory, resident_bytes(pid))
            if result.memory > 2 * MEMORY_LIMIT:
                result.bloated = True
                os.kill(pid, signal.SIGKILL)
            elif lasts is not None and not result.asked and seconds > lasts:
                result.asked, limit = True, seconds + WAIT_LIMIT
                os.kill(pid, signal.SIGTERM)
            elif seconds > limit and not result.hung:
                result.hung = True
                os.kill(pid, signal.SIGKILL)
        return os.wait4(pid, 0)[1:]
    finally:
        os.close(descriptor)


def _read(path):
    with open(path, "rb") as file:
        return file.read(OUTPUT_LIMIT)
