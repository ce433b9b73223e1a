"""Writes what peri-embed's tests compare with: token ids and vectors made by other means.

    python golden.py <folder of the static table> <folder of all-MiniLM-L6-v2> <fixtures folder>

Token ids come from the `tokenizers` package, vectors from NumPy in double precision: the mean of the
table's rows before they were made whole numbers, and a forward pass of the transformer written from the
paper's formulas, one sentence at a time and without batches or masks.
"""

import json
import math
import pathlib
import sys

import numpy
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from pack import read_source

CASES = [
    "", " ", "Hello, world!", "don't  stop\tme\nnow", "k8s?", "Reedis cache", "naïve café résumé Ångström",
    "İstanbul'da STRASSE straße ẞ", "ﬁne ligature ½ ² ™ Ⅷ", "한국어 문장입니다.", "배포가 실패했다. API 502",
    "证书过期了，所以部署失败。", "東京タワーとカタカナ、ひらがな", "emoji 😀👩‍👩‍👧 flag 🇰🇷 ok", "مرحبا بالعالم", "שלום עולם", "नमस्ते दुनिया",
    "สวัสดีชาวโลก", "Привет, мир", "Ελληνικά Σίσυφος;", "zero\u200bwidth\u00adsoft\ufeffhyphen", "nul\0byte \ufffd gone",
    "e\u0301 combining \u0301\u0301 alone", "a" * 100, "a" * 101, "pneumonoultramicroscopicsilicovolcanoconiosis",
    "getUserById(user_id) -> Result<User>;", "https://example.org/a-b_c?d=1#e", "1,234.56 € $99 £5 #42 @me",
    "“curly” ‘quotes’ — dash… ¿qué? ¡sí!", "tab\u00a0nbsp\u3000ideographic\u2028line", "ALL CAPS and MiXeD", "㍿ ㎏ ＡＢＣ１２３",
    "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𝟙𝟚𝟛", "x²+y²=z² ∑ ∞ ≠ ≤", "豈更車 compat", "\u1100\u1161 jamo", "###hash## #1", "¼cup a.b.c ... !!!", "Kraków São Tomé Đặng",
]
SENTENCES = [
    "The deployment failed because the certificate had expired.",
    "Our release broke since the TLS cert was out of date.",
    "My sister opened a small bakery in Lisbon.",
    "A relative of mine runs a bread shop in Portugal.",
    "Where does she work?", "tea", "He prefers tea in the morning.",
    "What does he like to drink after waking up?",
    "Call getUserById before refreshSessionToken, otherwise the cookie is stale.",
    "PR #4821 replaces the mutex in SessionPool with an RwLock.",
    "The naïve café owner wrote a résumé.", "Rent is due on the first of each month.",
    "Our cat knocked the vase off the shelf again!", "k8s pods restart at 03:00 UTC",
    "I'm allergic to peanuts; please don't put them in the cake.",
    "Nobody remembers why the cache is cleared at midnight.",
    "The quick brown fox jumps over the lazy dog. " * 12,
    "Meeting notes: budget approved, hiring frozen until March, Priya owns the audit.",
    "Invoices older than sixty days are sent to collections.", "yes",
    "word " * 400,
]


def write(path, rows):
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text(text)


def tokenizer(folder):
    loaded = Tokenizer.from_file(str(folder / "tokenizer.json"))
    loaded.no_padding()
    loaded.no_truncation()
    return loaded


def unit(vector):
    return [round(float(value), 7) for value in vector / numpy.linalg.norm(vector)]


def norm(x, weights, name):
    centred = x - x.mean(axis=-1, keepdims=True)
    scaled = centred / numpy.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-12)
    return scaled * weights[name + ".weight"] + weights[name + ".bias"]


def dense(x, weights, name):
    return x @ weights[name + ".weight"].T + weights[name + ".bias"]


erf = numpy.vectorize(math.erf)


def layer(x, weights, at, heads):
    q, k, v = (dense(x, weights, f"{at}.attention.self.{part}") for part in ("query", "key", "value"))
    width = q.shape[1] // heads
    mixed = []
    for head in range(heads):
        part = slice(head * width, (head + 1) * width)
        scores = numpy.exp(q[:, part] @ k[:, part].T / math.sqrt(width))
        mixed.append(scores / scores.sum(axis=1, keepdims=True) @ v[:, part])
    x = norm(x + dense(numpy.hstack(mixed), weights, f"{at}.attention.output.dense"), weights, f"{at}.attention.output.LayerNorm")
    inner = dense(x, weights, f"{at}.intermediate.dense")
    inner = inner * 0.5 * (1 + erf(inner / math.sqrt(2)))
    return norm(x + dense(inner, weights, f"{at}.output.dense"), weights, f"{at}.output.LayerNorm")


def transform(ids, weights, layers, heads):
    x = weights["embeddings.word_embeddings.weight"][ids] + weights["embeddings.token_type_embeddings.weight"][0]
    x = norm(x + weights["embeddings.position_embeddings.weight"][: len(ids)], weights, "embeddings.LayerNorm")
    for number in range(layers):
        x = layer(x, weights, f"encoder.layer.{number}", heads)
    return unit(x.mean(axis=0))


def main():
    static, minilm, fixtures = map(pathlib.Path, sys.argv[1:])
    languages = [json.loads(line)["text"] for line in (fixtures / "languages.jsonl").open()]
    small, large = tokenizer(static), tokenizer(minilm)
    ids = lambda reader, text: reader.encode(text, add_special_tokens=False).ids
    rows = [{"text": text, "static": ids(small, text), "bert": ids(large, text)} for text in CASES + SENTENCES + languages]
    write(fixtures / "tokens.jsonl", rows)

    table, _ = read_source(static)
    known = lambda text: [number for number in ids(small, text) if number > 1]
    write(fixtures / "static_vectors.jsonl", [{"text": t, "vector": unit(table[known(t)].mean(axis=0))} for t in SENTENCES])

    weights = {name: value.astype("f8") for name, value in load_file(minilm / "model.safetensors").items()}
    whole = lambda text: [101, *ids(large, text)[:254], 102]
    write(fixtures / "transformer_vectors.jsonl", [{"text": t, "vector": transform(whole(t), weights, 6, 12)} for t in SENTENCES])


if __name__ == "__main__":
    main()
