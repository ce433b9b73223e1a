"""Vector libraries on the same vectors as our index, at the same recall.

    python vectors.py PLAN

PLAN is JSON with `sizes`, `real` (a file of f32 rows, or nothing) and `ours` (what `vector_speed` printed, read).
The vectors are those of `crates/peri-index/examples/vector_speed.rs`: both programs draw the same numbers. Runs in the
environment `vectors`; prints JSON.
"""

import json
import os
import sys
import tempfile
import time

os.environ["OMP_NUM_THREADS"] = "1"

import numpy  # noqa: E402

DIMENSIONS = 256
QUERIES = 200
NEIGHBOURS = 10
# A result counts as right if it is hardly less like the query than the tenth nearest: the rule of `vector_speed`.
TOLERANCE = 1e-3
EFFORTS = [10, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768]
GOLDEN = 0x9E3779B97F4A7C15
CENTRES = 2000


class Random:
    """Splitmix64 by position: the n-th number does not need those before it."""

    def __init__(self, seed):
        self.seed, self.at = seed, 0

    def numbers(self, count):
        places = numpy.arange(self.at + 1, self.at + count + 1, dtype="u8")
        self.at += count
        with numpy.errstate(over="ignore"):
            mixed = numpy.uint64(self.seed) + places * numpy.uint64(GOLDEN)
            mixed = (mixed ^ (mixed >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
            mixed = (mixed ^ (mixed >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
        return mixed ^ (mixed >> numpy.uint64(31))

    def normals(self, count):
        return bells(self.numbers(4 * count))


def bells(numbers):
    """Four uniform numbers make one that is nearly normal."""
    uniform = (numbers >> numpy.uint64(40)).astype("f4") / numpy.float32(1 << 24) - numpy.float32(0.5)
    return uniform.reshape(-1, 4).sum(axis=1, dtype="f4") * numpy.float32(1.73)


def clustered(count):
    """Two thousand centres with noise around each."""
    random, pick = Random(1), Random(2)
    centres = random.normals(CENTRES * DIMENSIONS).reshape(CENTRES, DIMENSIONS)
    chosen = (pick.numbers(count) % numpy.uint64(CENTRES)).astype("i8")
    vectors = numpy.empty((count, DIMENSIONS), "f4")
    for at in range(0, count, 1000):
        part = chosen[at : at + 1000]
        noise = random.normals(len(part) * DIMENSIONS).reshape(-1, DIMENSIONS)
        vectors[at : at + 1000] = centres[part] + numpy.float32(0.7) * noise
    return vectors


def mixtures(real, count):
    """Real vectors in a shuffled order, then mixtures of two of them with a little noise."""
    random = Random(3)
    vectors = numpy.empty((count, DIMENSIONS), "f4")
    for at in range(count):
        numbers = random.numbers(2 + 4 * DIMENSIONS)
        first, second = (real[int(number % numpy.uint64(len(real)))] for number in numbers[:2])
        share = (
            numpy.float32(1.0) if at < len(real) else numpy.float32(0.5) + numpy.float32(at % 5) * numpy.float32(0.1)
        )
        noise = numpy.float32(0.01) * bells(numbers[2:])
        vectors[at] = first * share + second * (numpy.float32(1.0) - share) + noise
    return vectors


def unit(vectors):
    return vectors / numpy.linalg.norm(vectors, axis=1, keepdims=True)


class Hnswlib:
    name = "hnswlib, M 16, construction 200"

    def build(self, rows):
        import hnswlib

        self.index = hnswlib.Index("cosine", DIMENSIONS)
        self.index.init_index(len(rows), M=16, ef_construction=200)
        self.index.set_num_threads(1)
        self.index.add_items(rows, num_threads=1)

    def effort(self, value):
        self.index.set_ef(value)

    def search(self, query):
        return self.index.knn_query(query, NEIGHBOURS, num_threads=1)[0][0]


class FaissGraph:
    name = "faiss HNSW, M 32, construction 200"

    def build(self, rows):
        import faiss

        faiss.omp_set_num_threads(1)
        self.index = faiss.IndexHNSWFlat(DIMENSIONS, 32, faiss.METRIC_INNER_PRODUCT)
        self.index.hnsw.efConstruction = 200
        self.index.add(rows)

    def effort(self, value):
        self.index.hnsw.efSearch = value

    def search(self, query):
        return self.index.search(query[None], NEIGHBOURS)[1][0]


class FaissFlat:
    name = "faiss flat, exact"
    effort = None

    def build(self, rows):
        import faiss

        faiss.omp_set_num_threads(1)
        self.index = faiss.IndexFlatIP(DIMENSIONS)
        self.index.add(rows)

    def search(self, query):
        return self.index.search(query[None], NEIGHBOURS)[1][0]


class Usearch:
    name = "usearch, 32 bits, connectivity 16"
    kind = "f32"

    def build(self, rows):
        from usearch.index import Index

        self.index = Index(ndim=DIMENSIONS, metric="cos", dtype=self.kind)
        self.index.add(numpy.arange(len(rows)), rows, threads=1)

    def effort(self, value):
        self.index.expansion_search = value

    def search(self, query):
        return self.index.search(query, NEIGHBOURS, threads=1).keys


class UsearchBytes(Usearch):
    name = "usearch, 8 bits, connectivity 16"
    kind = "i8"


class SqliteVec:
    name = "sqlite-vec, exact"
    effort = None

    def build(self, rows):
        import sqlite3

        import sqlite_vec

        self.folder = tempfile.TemporaryDirectory()
        self.base = sqlite3.connect(os.path.join(self.folder.name, "vectors.db"))
        self.base.enable_load_extension(True)
        sqlite_vec.load(self.base)
        self.base.execute(f"CREATE VIRTUAL TABLE rows USING vec0(vector float[{DIMENSIONS}] distance_metric=cosine)")
        with self.base:
            numbered = ((number, row.tobytes()) for number, row in enumerate(rows))
            self.base.executemany("INSERT INTO rows(rowid, vector) VALUES (?, ?)", numbered)

    def search(self, query):
        asked = "SELECT rowid FROM rows WHERE vector MATCH ? AND k = ?"
        return [row[0] for row in self.base.execute(asked, (query.tobytes(), NEIGHBOURS))]


LIBRARIES = [Hnswlib, FaissGraph, Usearch, UsearchBytes, FaissFlat, SqliteVec]


def ask(library, queries, rows, bars):
    """Microseconds a query in the middle, and the share of right results."""
    times, right = [], 0
    for query, bar in zip(queries, bars):
        before = time.perf_counter()
        found = library.search(query)
        times.append(time.perf_counter() - before)
        # Where nothing was found, -1 stands.
        found = [int(row) for row in found if row >= 0]
        right += int((rows[found] @ query >= bar - TOLERANCE).sum())
    return sorted(times)[len(times) // 2] * 1e6, right / (len(queries) * NEIGHBOURS)


def measure(library, rows, queries, bars, wanted):
    """The least effort that finds as much as our index does, and the way there; where none is enough, the greatest."""
    before = time.process_time()
    library.build(rows)
    built = {"name": library.name, "build_cpu_s": time.process_time() - before}
    curve = []
    for effort in EFFORTS if library.effort else [None]:
        if effort:
            library.effort(effort)
        micros, recall = ask(library, queries, rows, bars)
        curve.append({"effort": effort, "p50_us": micros, "recall": recall})
        if recall >= wanted:
            break
    return {**built, **curve[-1], "reached": recall >= wanted, "curve": curve}


def main():
    plan = json.loads(sys.argv[1])
    real = numpy.fromfile(plan["real"], "f4").reshape(-1, DIMENSIONS) if plan["real"] else None
    for size in plan["sizes"]:
        for name in ["clustered"] + (["real"] if real is not None else []):
            vectors = unit(clustered(size + QUERIES) if name == "clustered" else mixtures(real, size + QUERIES))
            rows, queries = vectors[:size], vectors[size:]
            bars = numpy.sort(queries @ rows.T, axis=1)[:, -NEIGHBOURS]
            usual = [own for own in plan["ours"] if (own["vectors"], own["size"]) == (name, size) and own["usual"]]
            wanted = usual[0]["recall"]
            for kind in LIBRARIES:
                try:
                    told = measure(kind(), rows, queries, bars, wanted)
                except Exception as error:  # One library that fails must not take the others with it.
                    told = {"name": kind.name, "no": f"{type(error).__name__}: {error}"[:300]}
                print(json.dumps({"vectors": name, "size": size, "wanted": wanted, **told}), flush=True)


if __name__ == "__main__":
    main()
