"""How well a table finds the right turns of a conversation by cosine alone.

    python measure.py <folder of the static table> <folder of conversations>

Each folder of conversations holds corpus.jsonl (id, time, speaker, text) and queries.jsonl (text, gold). The
figure is the share of a question's gold turns among the first 5 and 10, averaged over all questions.
"""

import json
import pathlib
import sys

import numpy
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from pack import quantise, read_source


def read(path):
    return [json.loads(line) for line in path.open()]


def embed(table, tokenizer, texts):
    ids = [[token for token in encoding.ids if token > 1] for encoding in tokenizer.encode_batch(texts)]
    vectors = numpy.stack([table[tokens].sum(axis=0) for tokens in ids])
    return vectors / (numpy.linalg.norm(vectors, axis=1, keepdims=True) + 1e-9)


def recall(table, tokenizer, folder, layout):
    found = []
    for conversation in sorted(folder.iterdir()):
        turns, questions = read(conversation / "corpus.jsonl"), read(conversation / "queries.jsonl")
        texts = embed(table, tokenizer, [layout.format(**turn) for turn in turns])
        asked = embed(table, tokenizer, [question["text"] for question in questions])
        for question, scores in zip(questions, asked @ texts.T):
            best = [turns[at]["id"] for at in numpy.argsort(-scores, kind="stable")[:10]]
            gold = set(question["gold"])
            found.append([len(gold & set(best[:count])) / len(gold) for count in (5, 10)])
    return numpy.mean(found, axis=0).round(3), len(found)


def main():
    static, conversations = map(pathlib.Path, sys.argv[1:])
    tokenizer = Tokenizer.from_file(str(static / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    packed, _ = read_source(static)
    values, scales = quantise(packed)
    distilled = load_file(static / "model.safetensors")["embeddings"].astype("f8")
    for name, table in [("distilled", distilled), ("packed", packed), ("whole numbers", values * scales[:, None])]:
        for layout in ["{time} {speaker}: {text}", "{speaker}: {text}"]:
            print(name, layout, *recall(table, tokenizer, conversations, layout))


if __name__ == "__main__":
    main()
