#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a tiny model of the Llama architecture in the GGUF format: two layers, random weights, a vocabulary of
bytes.

usage: tiny_model.py FILE"""
import random
import struct
import sys

EMBEDDING, LAYERS, FEED_FORWARD, HEADS, CONTEXT = 256, 2, 512, 4, 128
ALIGNMENT = 32
UINT32, FLOAT32, STRING, ARRAY, INT32 = 4, 6, 8, 9, 5
TENSOR_F32, TENSOR_F16 = 0, 1
NORMAL, CONTROL, BYTE = 1, 3, 6


def text(value):
    raw = value.encode()
    return struct.pack("<Q", len(raw)) + raw


def pair(key, kind, value):
    """A key of the header and its value; arrays are (kind, values)."""
    pack = {UINT32: lambda v: struct.pack("<I", v), INT32: lambda v: struct.pack("<i", v),
            FLOAT32: lambda v: struct.pack("<f", v), STRING: text}
    if kind != ARRAY:
        return text(key) + struct.pack("<I", kind) + pack[kind](value)
    of, values = value
    return (text(key) + struct.pack("<IIQ", ARRAY, of, len(values)) + b"".join(pack[of](each) for each in values))


def vocabulary():
    tokens = ["<unk>", "<s>", "</s>"] + [f"<0x{byte:02X}>" for byte in range(256)]
    return tokens, [0.0] * len(tokens), [NORMAL, CONTROL, CONTROL] + [BYTE] * 256


def header():
    tokens, scores, kinds = vocabulary()
    return [
        pair("general.architecture", STRING, "llama"), pair("general.name", STRING, "tiny"),
        pair("llama.context_length", UINT32, CONTEXT), pair("llama.embedding_length", UINT32, EMBEDDING),
        pair("llama.block_count", UINT32, LAYERS), pair("llama.feed_forward_length", UINT32, FEED_FORWARD),
        pair("llama.attention.head_count", UINT32, HEADS),
        pair("llama.attention.layer_norm_rms_epsilon", FLOAT32, 1e-5),
        pair("llama.rope.dimension_count", UINT32, EMBEDDING // HEADS),
        pair("tokenizer.ggml.model", STRING, "llama"), pair("tokenizer.ggml.tokens", ARRAY, (STRING, tokens)),
        pair("tokenizer.ggml.scores", ARRAY, (FLOAT32, scores)),
        pair("tokenizer.ggml.token_type", ARRAY, (INT32, kinds)),
        pair("tokenizer.ggml.bos_token_id", UINT32, 1), pair("tokenizer.ggml.eos_token_id", UINT32, 2),
    ]


def tensors():
    """(name, shape), the fastest dimension first."""
    words = len(vocabulary()[0])
    yield "token_embd.weight", (EMBEDDING, words)
    for i in range(LAYERS):
        for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
            yield f"blk.{i}.{name}.weight", (EMBEDDING, EMBEDDING)
        yield f"blk.{i}.ffn_gate.weight", (EMBEDDING, FEED_FORWARD)
        yield f"blk.{i}.ffn_up.weight", (EMBEDDING, FEED_FORWARD)
        yield f"blk.{i}.ffn_down.weight", (FEED_FORWARD, EMBEDDING)
        yield f"blk.{i}.attn_norm.weight", (EMBEDDING,)
        yield f"blk.{i}.ffn_norm.weight", (EMBEDDING,)
    yield "output_norm.weight", (EMBEDDING,)
    yield "output.weight", (EMBEDDING, words)


def main():
    dice = random.Random(1)
    infos, data = [], bytearray()
    for name, shape in tensors():
        count = shape[0] * (shape[1] if len(shape) > 1 else 1)
        is_norm = len(shape) == 1
        raw = (struct.pack(f"<{count}f", *[1.0] * count) if is_norm else
               struct.pack(f"<{count}e", *(dice.gauss(0, 0.06) for _ in range(count))))
        data += b"\0" * (-len(data) % ALIGNMENT)
        infos.append(text(name) + struct.pack("<I", len(shape)) + struct.pack(f"<{len(shape)}Q", *shape) +
                     struct.pack("<IQ", TENSOR_F32 if is_norm else TENSOR_F16, len(data)))
        data += raw
    pairs = header()
    head = b"GGUF" + struct.pack("<IQQ", 3, len(infos), len(pairs)) + b"".join(pairs) + b"".join(infos)
    with open(sys.argv[1], "wb") as file:
        file.write(head + b"\0" * (-len(head) % ALIGNMENT) + data)


if __name__ == "__main__":
    main()
