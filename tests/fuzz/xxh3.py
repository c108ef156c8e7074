"""XXH3 with seed 0: by libxxhash or the module xxhash where one of them is here, else by the formulas themselves.

Source: Y. Collet, xxHash fast digest algorithm, doc/xxhash_spec.md and xxhash.h, version 0.8.
"""

import ctypes
import struct

SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221"
    "b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb"
    "170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e"
)
MASK = 2**64 - 1
PRIME32 = (0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D)
PRIME64 = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)
MIX = 0x9FB21C651E98DF25


def _u32(data, at):
    return struct.unpack_from("<I", data, at)[0]


def _u64(data, at):
    return struct.unpack_from("<Q", data, at)[0]


def _swapped(value, size):
    return int.from_bytes(value.to_bytes(size, "little"), "big")


def _rotl(value, bits, width):
    return (value << bits | value >> (width - bits)) & (2**width - 1)


def _fold(a, b):
    product = a * b
    return (product ^ product >> 64) & MASK


def _avalanche(h):
    h ^= h >> 37
    h = h * 0x165667919E3779F9 & MASK
    return h ^ h >> 32


def _avalanche_of_xxh64(h):
    h ^= h >> 33
    h = h * PRIME64[1] & MASK
    h ^= h >> 29
    h = h * PRIME64[2] & MASK
    return h ^ h >> 32


def _mix(data, at, secret):
    return _fold(_u64(data, at) ^ _u64(SECRET, secret), _u64(data, at + 8) ^ _u64(SECRET, secret + 8))


def _accumulators(data):
    """Of more than 240 bytes."""
    acc = [PRIME32[2], *PRIME64[:4], PRIME32[1], PRIME64[4], PRIME32[0]]

    def accumulate(at, secret):
        values, keys = struct.unpack_from("<8Q", data, at), struct.unpack_from("<8Q", SECRET, secret)
        for i in range(8):
            key = values[i] ^ keys[i]
            acc[i ^ 1] = (acc[i ^ 1] + values[i]) & MASK
            acc[i] = (acc[i] + (key & 0xFFFFFFFF) * (key >> 32)) & MASK

    blocks = (len(data) - 1) // 1024
    for block in range(blocks):
        for stripe in range(16):
            accumulate(1024 * block + 64 * stripe, 8 * stripe)
        keys = struct.unpack_from("<8Q", SECRET, 128)
        for i in range(8):
            acc[i] = (acc[i] ^ acc[i] >> 47 ^ keys[i]) * PRIME32[0] & MASK
    for stripe in range((len(data) - 1 - 1024 * blocks) // 64):
        accumulate(1024 * blocks + 64 * stripe, 8 * stripe)
    accumulate(len(data) - 64, 121)
    return acc


def _merged(acc, secret, start):
    total = start
    for i in range(0, 8, 2):
        total += _fold(acc[i] ^ _u64(SECRET, secret + 8 * i), acc[i + 1] ^ _u64(SECRET, secret + 8 * i + 8))
    return _avalanche(total & MASK)


def _bytes_of_three(data):
    return data[0] << 16 | data[len(data) >> 1] << 24 | data[-1] | len(data) << 8


def formula64(data):
    n = len(data)
    if n == 0:
        return _avalanche_of_xxh64(_u64(SECRET, 56) ^ _u64(SECRET, 64))
    if n <= 3:
        return _avalanche_of_xxh64(_bytes_of_three(data) ^ _u32(SECRET, 0) ^ _u32(SECRET, 4))
    if n <= 8:
        h = _u32(data, n - 4) + (_u32(data, 0) << 32) ^ _u64(SECRET, 8) ^ _u64(SECRET, 16)
        h ^= _rotl(h, 49, 64) ^ _rotl(h, 24, 64)
        h = h * MIX & MASK
        h = (h ^ (h >> 35) + n) * MIX & MASK
        return h ^ h >> 28
    if n <= 16:
        low = _u64(data, 0) ^ _u64(SECRET, 24) ^ _u64(SECRET, 32)
        high = _u64(data, n - 8) ^ _u64(SECRET, 40) ^ _u64(SECRET, 48)
        return _avalanche(n + _swapped(low, 8) + high + _fold(low, high) & MASK)
    acc = n * PRIME64[0]
    if n <= 128:
        for i in range((n - 1) // 32 + 1):
            acc += _mix(data, 16 * i, 32 * i) + _mix(data, n - 16 * i - 16, 32 * i + 16)
        return _avalanche(acc & MASK)
    if n <= 240:
        acc = _avalanche(acc + sum(_mix(data, 16 * i, 16 * i) for i in range(8)) & MASK)
        acc += sum(_mix(data, 16 * i, 16 * (i - 8) + 3) for i in range(8, n // 16)) + _mix(data, n - 16, 119)
        return _avalanche(acc & MASK)
    return _merged(_accumulators(data), 11, n * PRIME64[0])


def formula128(data):
    """High and low half."""
    n = len(data)
    if n == 0:
        return tuple(_avalanche_of_xxh64(_u64(SECRET, at) ^ _u64(SECRET, at + 8)) for at in (72 + 8, 64))
    if n <= 3:
        low = _bytes_of_three(data)
        high = _rotl(_swapped(low, 4), 13, 32)
        return (_avalanche_of_xxh64(high ^ _u32(SECRET, 8) ^ _u32(SECRET, 12)),
                _avalanche_of_xxh64(low ^ _u32(SECRET, 0) ^ _u32(SECRET, 4)))
    if n <= 8:
        keyed = _u32(data, 0) + (_u32(data, n - 4) << 32) ^ _u64(SECRET, 16) ^ _u64(SECRET, 24)
        product = keyed * (PRIME64[0] + (n << 2))
        low, high = product & MASK, product >> 64
        high = high + (low << 1) & MASK
        low ^= high >> 3
        low = (low ^ low >> 35) * MIX & MASK
        return _avalanche(high), low ^ low >> 28
    if n <= 16:
        first, last = _u64(data, 0), _u64(data, n - 8)
        product = (first ^ last ^ _u64(SECRET, 32) ^ _u64(SECRET, 40)) * PRIME64[0]
        low, high = (product & MASK) + (n - 1 << 54) & MASK, product >> 64
        last ^= _u64(SECRET, 48) ^ _u64(SECRET, 56)
        high = high + last + (last & 0xFFFFFFFF) * (PRIME32[1] - 1) & MASK
        low ^= _swapped(high, 8)
        product = low * PRIME64[1]
        return _avalanche((product >> 64) + high * PRIME64[1] & MASK), _avalanche(product & MASK)
    low, high = n * PRIME64[0] & MASK, 0

    def mix(first, second, secret):
        nonlocal low, high
        low = (low + _mix(data, first, secret) ^ _u64(data, second) + _u64(data, second + 8) & MASK) & MASK
        high = (high + _mix(data, second, secret + 16) ^ _u64(data, first) + _u64(data, first + 8) & MASK) & MASK

    if n > 240:
        acc = _accumulators(data)
        return _merged(acc, 117, ~(n * PRIME64[1]) & MASK), _merged(acc, 11, low)
    if n <= 128:
        for i in reversed(range((n - 1) // 32 + 1)):
            mix(16 * i, n - 16 * i - 16, 32 * i)
    else:
        for i in range(n // 32):
            mix(32 * i, 32 * i + 16, 32 * i if i < 4 else 32 * (i - 4) + 3)
            if i == 3:
                low, high = _avalanche(low), _avalanche(high)
        mix(n - 16, n - 32, 103)
    total = low + high & MASK
    other = low * PRIME64[0] + high * PRIME64[3] + n * PRIME64[1] & MASK
    return -_avalanche(other) & MASK, _avalanche(total)


class _Halves(ctypes.Structure):
    _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]


def _library_functions():
    library = ctypes.CDLL("libxxhash.so.0")
    library.XXH3_64bits.restype, library.XXH3_128bits.restype = ctypes.c_uint64, _Halves
    library.XXH3_64bits.argtypes = library.XXH3_128bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]

    def canonical(data):
        halves = library.XXH3_128bits(bytes(data), len(data))
        return struct.pack(">QQ", halves.high, halves.low)

    return lambda data: library.XXH3_64bits(bytes(data), len(data)), canonical


def _functions():
    try:
        return _library_functions()
    except (OSError, AttributeError):
        pass
    try:
        import xxhash
        return xxhash.xxh3_64_intdigest, xxhash.xxh3_128_digest
    except ImportError:
        return formula64, lambda data: struct.pack(">QQ", *formula128(data))


# hash64(bytes) -> int; hash128(bytes) -> its 16 bytes in the canonical (big-endian) order
hash64, hash128 = _functions()
