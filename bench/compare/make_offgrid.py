#!/usr/bin/env python3
"""Moves every weight of a quantized model off its grid: make_offgrid.py IN.gguf OUT.gguf (needs numpy and gguf).

Requantizing a file of few levels says little: its values lie on the former grid. Here weight i of a tensor becomes f16(x + u * s):
s is the smallest gap between two values of its run of 32 (16 for Q6_K) that is above 1e-4 of the run's largest magnitude, and u in
[-0.5, 0.5) comes from splitmix64(crc32(name) * 2^32 + i). Vectors stay f32.
"""
import sys
import zlib

import gguf
import numpy as np


def splitmix64(z):
    z = z + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def moved(tensor):
    values = gguf.dequantize(tensor.data, tensor.tensor_type).astype(np.float32)
    run = 16 if tensor.tensor_type == gguf.GGMLQuantizationType.Q6_K else 32
    runs = values.reshape(-1, run)
    gaps = np.diff(np.sort(runs, axis=1), axis=1)
    least = 1e-4 * np.abs(runs).max(axis=1, keepdims=True)
    step = np.where(gaps > least, gaps, np.inf).min(axis=1)
    step[~np.isfinite(step)] = 0
    index = np.arange(values.size, dtype=np.uint64) + (np.uint64(zlib.crc32(tensor.name.encode())) << np.uint64(32))
    with np.errstate(over="ignore"):
        uniform = (splitmix64(index) >> np.uint64(40)).astype(np.float64) / 2**24 - 0.5
    out = values.reshape(-1).astype(np.float64) + uniform * np.repeat(step.astype(np.float64), run)
    return out.astype(np.float16).reshape(values.shape)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    reader = gguf.GGUFReader(sys.argv[1])
    writer = gguf.GGUFWriter(sys.argv[2], reader.fields["general.architecture"].contents())
    for key, field in reader.fields.items():
        if key.startswith("GGUF.") or key == "general.architecture":
            continue
        kind, inner = field.types[0], field.types[-1]
        if key == "general.file_type":
            writer.add_uint32(key, 1)  # mostly f16
        elif kind == gguf.GGUFValueType.ARRAY:
            writer.add_key_value(key, field.contents(), kind, sub_type=inner)
        else:
            writer.add_key_value(key, field.contents(), kind)
    for tensor in reader.tensors:
        is_vector = tensor.tensor_type == gguf.GGMLQuantizationType.F32 and len(tensor.shape) == 1
        writer.add_tensor(tensor.name, np.array(tensor.data) if is_vector else moved(tensor))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    main()
