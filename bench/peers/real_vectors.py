"""Writes vectors of the sentences of conversations, made with the table that Perihelion carries.

    python real_vectors.py FOLDER_OF_CONVERSATIONS FILE_TO_WRITE

The layout of the table is described in `crates/peri-embed/src/asset.rs`. Needs NumPy and tokenizers.
"""

import pathlib
import re
import struct
import sys

import numpy
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from workload import conversations

ASSET = pathlib.Path(__file__).resolve().parents[2] / "crates" / "peri-embed" / "assets" / "static-minilm-256.bin"
HEADER_BYTES = 64
WORDS_MIN = 4


def table():
    """The rows and the pieces of text they stand for."""
    data = ASSET.read_bytes()
    _, _, count, width, slots, letters, _ = struct.unpack_from("<7I", data, 8)
    sizes = [4 * (count + 1), 4 * slots, 4 * count, letters, count * width]
    places = numpy.cumsum([HEADER_BYTES, *sizes])
    offsets, _, scales, strings, values = (data[a:b] for a, b in zip(places, places[1:]))
    ends = numpy.frombuffer(offsets, "<u4")
    pieces = [strings[a:b].decode() for a, b in zip(ends, ends[1:])]
    rows = numpy.frombuffer(values, "i1").reshape(count, width) * numpy.frombuffer(scales, "<f4")[:, None]
    return rows.astype("f4"), pieces


def tokenizer(pieces):
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    made = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return made


def sentences(folder):
    for _, turns, questions in conversations(folder):
        for text in [turn["text"] for turn in turns] + [question["text"] for question in questions]:
            for sentence in re.split(r"(?<=[.!?])\s+", text):
                if len(sentence.split()) >= WORDS_MIN:
                    yield sentence


def main():
    folder, target = sys.argv[1:]
    rows, pieces = table()
    encoded = tokenizer(pieces).encode_batch(sorted(set(sentences(folder))))
    sums = [rows[[token for token in one.ids if token > 1]].sum(axis=0) for one in encoded]
    vectors = numpy.stack([vector for vector in sums if numpy.linalg.norm(vector) > 0])
    (vectors / numpy.linalg.norm(vectors, axis=1, keepdims=True)).astype("<f4").tofile(target)
    print(len(vectors))


if __name__ == "__main__":
    main()
