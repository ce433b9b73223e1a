"""Packs a distilled table into the asset that peri-embed carries.

    python pack.py <folder with model.safetensors and tokenizer.json> <asset to write>

The layout is described in crates/peri-embed/src/asset.rs, which reads it; both change together.
"""

import json
import pathlib
import struct
import sys
import zlib

import numpy
from safetensors.numpy import load_file

MAGIC = b"PERISTAT"
FORMAT = 1
# Part of the vector space's name: raise it whenever the rows change.
REVISION = 1
HEADER_BYTES = 64
# The weighting that distill.py put into the rows, which is taken out again.
DISTILLED_SIF = 1e-4
# How common a piece must be to lose half its weight.
SIF = 1e-3
# How common each ASCII character is, where the commonest word has one half.
CHARACTER_COMMONNESS = 0.1


def distilled_weights(count):
    """What model2vec multiplied the rows by: it takes a piece's place in the vocabulary for its rank."""
    common = 1.0 / numpy.arange(2, count + 2)
    common /= common.sum()
    return DISTILLED_SIF / (DISTILLED_SIF + common)


def piece_probabilities(pieces):
    """How common each piece is in running text: Zipf's law over its rank.

    The vocabulary lists its words from the commonest to the rarest, but puts a thousand single characters
    before the first word, "the". Ranks are therefore counted from "the"; ASCII characters, which are
    punctuation and digits mostly, are taken to be common, and other characters to be rarer than any word.
    """
    first_word = pieces.index("the")
    ranks = numpy.arange(len(pieces)) - first_word + 2
    common = 1.0 / numpy.where(ranks >= 2, ranks, len(pieces))
    for number, piece in enumerate(pieces[:first_word]):
        if piece.isascii():
            common[number] = CHARACTER_COMMONNESS
    # [PAD] and [UNK] never occur in a text.
    common[:2] = 0.0
    return common / common.sum()


def reweigh(table, pieces):
    """Takes out what every text shares, which says nothing about what it means, and weighs afresh.

    The mean piece of running text is subtracted from every row; then common pieces are made short. Only
    the vocabulary's order is used; no text was looked at.
    """
    common = piece_probabilities(pieces)
    rows = table / distilled_weights(len(table))[:, None]
    rows -= common @ rows
    return rows * (SIF / (SIF + common))[:, None]


def quantise(table):
    """Whole numbers from -127 to 127 and the factor that makes them the row again."""
    scales = (numpy.abs(table).max(axis=1) / 127.0).astype("<f4")
    safe = numpy.where(scales > 0, scales, 1)[:, None]
    return numpy.rint(table / safe).astype("i1"), scales


def hash_piece(piece):
    """FNV-1a, 32 bits."""
    state = 0x811C9DC5
    for byte in piece:
        state = ((state ^ byte) * 0x01000193) & 0xFFFFFFFF
    return state


def hash_table(pieces):
    """Open addressing with a step of one; a slot holds eight bits of the hash above the id plus one."""
    slots = [0] * (1 << (2 * len(pieces) - 1).bit_length())
    for number, piece in enumerate(pieces):
        state = hash_piece(piece)
        at = (state ^ (state >> 15)) % len(slots)
        while slots[at]:
            at = (at + 1) % len(slots)
        slots[at] = (state >> 24) << 24 | (number + 1)
    return slots


def pack(table, ordered):
    pieces = [piece.encode() for piece in ordered]
    offsets = numpy.cumsum([0] + [len(piece) for piece in pieces]).astype("<u4")
    slots = numpy.array(hash_table(pieces), "<u4")
    values, scales = quantise(table)
    strings = b"".join(pieces)
    body = offsets.tobytes() + slots.tobytes() + scales.tobytes() + strings + values.tobytes()
    numbers = [FORMAT, REVISION, *table.shape, len(slots), len(strings), zlib.crc32(body)]
    return (MAGIC + struct.pack("<7I", *numbers)).ljust(HEADER_BYTES, b"\0") + body


def read_source(folder):
    """The rows as they should be, and the pieces in the same order."""
    table = load_file(folder / "model.safetensors")["embeddings"].astype("f8")
    vocabulary = json.loads((folder / "tokenizer.json").read_text())["model"]["vocab"]
    pieces = sorted(vocabulary, key=vocabulary.get)
    assert [vocabulary[piece] for piece in pieces] == list(range(len(table)))
    return reweigh(table, pieces), pieces


def main():
    folder, asset = map(pathlib.Path, sys.argv[1:])
    asset.write_bytes(pack(*read_source(folder)))
    print(f"{asset}: {asset.stat().st_size} bytes")


if __name__ == "__main__":
    main()
