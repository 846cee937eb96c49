#!/usr/bin/env python3
"""Writes tests/quant/data/random_blocks.json: what the PyPI package `gguf` decodes from blocks of random bytes.

Per format the SHA-256 of the float32 values, every NaN as 0x7fc00000. The bytes come from a linear congruential
generator that starts from the format's id; the test makes the same ones.
"""

import hashlib
import json
import pathlib
import warnings

import gguf
import numpy

BLOCKS = 300
PATH = pathlib.Path(__file__).resolve().parent.parent / "tests/quant/data/random_blocks.json"


def random_bytes(count, state):
    out = bytearray()
    for _ in range(count):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        out.append(state >> 56)
    return bytes(out)


def decoded_hash(kind):
    size = gguf.GGML_QUANT_SIZES[kind][1]
    table = numpy.frombuffer(random_bytes(BLOCKS * size, int(kind)), dtype=numpy.uint8)
    values = gguf.dequantize(table.reshape(BLOCKS, size), kind).astype(numpy.float32)
    bits = values.ravel().view(numpy.uint32).copy()
    bits[numpy.isnan(values.ravel())] = 0x7FC00000
    return hashlib.sha256(bits.astype("<u4").tobytes()).hexdigest()


warnings.simplefilter("ignore")
hashes = {}
for kind in gguf.GGMLQuantizationType:
    if kind.name in ("F32", "F16"):
        continue
    try:
        hashes[kind.name] = decoded_hash(kind)
    except NotImplementedError:
        print(f"{kind.name}: not decoded by the package")
PATH.write_text(json.dumps({"blocks": BLOCKS, "sha256": hashes}, indent=1) + "\n")
