"""The vector libraries that ours is measured beside, each in the settings that may be its best.

Every setting is a class: built from rows of 256 numbers of length one, with the `efforts` it can be told, ascending, and a
`search` for the ten nearest of one query in one thread. The price of a call from Python is found with a handful of rows;
a setting that cannot be built from so `few` names another one of its library.
"""

import math
import os
import sqlite3
import tempfile

import numpy

DIMENSIONS = 256
NEIGHBOURS = 10
HELD = [10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 64, 80, 96, 128, 192, 256, 384, 512, 768]
PROBES = [1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192]


class Setting:
    few = None
    efforts = [None]

    def effort(self, value):
        """Exact ones have none."""


class Hnswlib(Setting):
    library = "hnswlib"
    efforts = HELD

    def __init__(self, rows):
        import hnswlib

        self.index = hnswlib.Index("cosine", DIMENSIONS)
        self.index.init_index(len(rows), M=self.links, ef_construction=200)
        self.index.set_num_threads(1)
        self.index.add_items(rows, num_threads=1)

    def effort(self, value):
        self.index.set_ef(value)

    def search(self, query):
        return self.index.knn_query(query, NEIGHBOURS, num_threads=1)[0][0]


class Hnswlib16(Hnswlib):
    setting, links = "M 16, construction 200", 16


class Hnswlib32(Hnswlib):
    setting, links = "M 32, construction 200", 32


class Faiss(Setting):
    library = "faiss"

    def __init__(self, rows):
        import faiss

        faiss.omp_set_num_threads(1)
        self.faiss = faiss
        self.lists = round(4 * math.sqrt(len(rows)) / 2)
        self.index = faiss.index_factory(DIMENSIONS, self.kind(), faiss.METRIC_INNER_PRODUCT)
        self.prepare()
        self.index.train(rows)
        self.index.add(rows)

    def prepare(self):
        """Before the first row."""

    def tell(self, name, value):
        self.faiss.ParameterSpace().set_index_parameter(self.index, name, value)

    def search(self, query):
        return self.index.search(query[None], NEIGHBOURS)[1][0]


class FaissGraph(Faiss):
    efforts = HELD

    def kind(self):
        return f"HNSW{self.links},Flat"

    def prepare(self):
        self.index.hnsw.efConstruction = 200

    def effort(self, value):
        self.index.hnsw.efSearch = value


class FaissGraph16(FaissGraph):
    setting, links = "HNSW, M 16, construction 200", 16


class FaissGraph32(FaissGraph):
    setting, links = "HNSW, M 32, construction 200", 32


class FaissFlat(Faiss):
    setting = "flat, exact"

    def kind(self):
        return "Flat"


class FaissLists(Faiss):
    setting = "lists, flat"
    few = FaissFlat
    efforts = PROBES

    def kind(self):
        return f"IVF{self.lists},Flat"

    def effort(self, value):
        self.tell("nprobe", value)


class FaissProducts(Faiss):
    """Four bits for each two numbers, compared sixteen at a time; the best are compared exactly."""

    setting = "products of 4 bits, refined"
    few = FaissFlat
    efforts = [1, 2, 3, 4, 6, 8, 12, 16, 32]

    def kind(self):
        return "PQ128x4fs,RFlat"

    def effort(self, value):
        self.tell("k_factor_rf", value)


class FaissListedProducts(FaissProducts):
    setting = "lists, products of 4 bits, refined"
    efforts = [(probes, factor) for probes in PROBES for factor in (2, 4, 8)]

    def kind(self):
        return f"IVF{self.lists},PQ128x4fs,RFlat"

    def effort(self, value):
        self.tell("nprobe", value[0])
        self.tell("k_factor_rf", value[1])


class Usearch(Setting):
    library = "usearch"
    setting, number = "32 bits", "f32"
    efforts = HELD

    def __init__(self, rows):
        from usearch.index import Index

        self.index = Index(ndim=DIMENSIONS, metric="cos", dtype=self.number)
        self.index.add(numpy.arange(len(rows)), rows, threads=1)

    def effort(self, value):
        self.index.expansion_search = value

    def search(self, query):
        return self.index.search(query, NEIGHBOURS, threads=1).keys


class UsearchBytes(Usearch):
    setting, number = "8 bits", "i8"


class SqliteVec(Setting):
    library, setting = "sqlite-vec", "exact"

    def __init__(self, rows):
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


class QdrantEdge(Setting):
    library, setting = "qdrant-edge", "M 16, construction 100"
    efforts = HELD

    def __init__(self, rows):
        import qdrant_edge

        self.qdrant = qdrant_edge
        # Kept until the process ends: the shard writes there.
        self.folder = tempfile.mkdtemp()
        graph = qdrant_edge.HnswIndexConfig(m=16, ef_construct=100, full_scan_threshold=1, max_indexing_threads=1)
        numbers = qdrant_edge.EdgeVectorParams(size=DIMENSIONS, distance=qdrant_edge.Distance.Cosine)
        order = qdrant_edge.EdgeOptimizersConfig(indexing_threshold=1, default_segment_number=1)
        config = qdrant_edge.EdgeConfig(
            vectors=numbers, hnsw_config=graph, optimizers=order, max_search_threads=1, wal_enabled=False
        )
        self.shard = qdrant_edge.EdgeShard.create(self.folder, config)
        for at in range(0, len(rows), 1000):
            points = [qdrant_edge.Point(at + more, row.tolist()) for more, row in enumerate(rows[at : at + 1000])]
            self.shard.update(qdrant_edge.UpdateOperation.upsert_points(points))
        self.shard.optimize()

    def effort(self, value):
        self.params = self.qdrant.SearchParams(hnsw_ef=value)

    def search(self, query):
        wanted = self.qdrant.Query.Nearest(query.tolist())
        asked = self.qdrant.SearchRequest(wanted, NEIGHBOURS, params=self.params)
        return [int(point.id) for point in self.shard.search(asked)]


SETTINGS = [
    Hnswlib16,
    Hnswlib32,
    FaissGraph16,
    FaissGraph32,
    FaissLists,
    FaissProducts,
    FaissListedProducts,
    FaissFlat,
    Usearch,
    UsearchBytes,
    QdrantEdge,
    SqliteVec,
]
