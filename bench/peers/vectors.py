"""Vector libraries on the same vectors as our index: how long a search takes at each level of recall.

    python vectors.py PLAN

PLAN is JSON with `size`, `vectors` ("clustered" or "real") and `real` (a file of f32 rows, or nothing). The vectors are
those of `crates/peri-index/examples/vector_speed.rs`: both programs draw the same numbers. Runs in the environment
`vectors`; prints a line of JSON for each setting of each library (`vector_libraries.py`).
"""

import gc
import json
import os
import sys
import time

os.environ["OMP_NUM_THREADS"] = "1"

import numpy  # noqa: E402

from vector_libraries import SETTINGS  # noqa: E402

DIMENSIONS = 256
QUERIES = 200
NEIGHBOURS = 10
# A result counts as right if its exact cosine is hardly less than that of the tenth nearest, as in `vector_speed`.
TOLERANCE = 1e-4
# As many as `vector_speed` makes: on a machine that others use too, the best pass comes nearest to the truth.
PASSES = 7
# What a search must find; more than the last one is hardly more than rounding.
LEVELS = [0.9, 0.95, 0.99, 0.9995]
# A call from Python costs a library what this many vectors cost, and is taken off its times.
FEW = 16
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


def ask(search, queries):
    """Microseconds of a call in the middle, in the best of several passes, and what was found."""
    best = float("inf")
    for _ in range(PASSES):
        times, found = [], []
        for query in queries:
            before = time.perf_counter()
            answer = search(query)
            times.append(time.perf_counter() - before)
            found.append(answer)
        best = min(best, sorted(times)[len(times) // 2] * 1e6)
    return best, found


def share_right(found, queries, rows, bars):
    right = 0
    for answer, query, bar in zip(found, queries, bars):
        # Where nothing was found, -1 stands.
        numbers = [int(row) for row in answer if row >= 0]
        right += int((rows[numbers] @ query >= bar - TOLERANCE).sum())
    return right / (len(queries) * NEIGHBOURS)


def own_megabytes():
    """Memory that belongs to this process alone; the vectors belong to the one it comes from as well."""
    with open("/proc/self/smaps_rollup") as told:
        return sum(int(line.split()[1]) for line in told if line.startswith("Private_")) * 1024 / 1e6


def call_micros(setting, rows, queries):
    """What a call takes that has next to nothing to search."""
    few = (setting.few or setting)(rows[:FEW])
    few.effort(few.efforts[0])
    return ask(few.search, queries)[0]


def measure(setting, rows, queries, bars):
    """The curve of one setting up to where it finds everything, and what building it took."""
    call = call_micros(setting, rows, queries)
    memory, before = own_megabytes(), time.process_time()
    library = setting(rows)
    built = time.process_time() - before
    gc.collect()
    told = {"library": setting.library, "setting": setting.setting, "build_cpu_s": built, "call_us": call}
    told["memory_mb"] = own_megabytes() - memory
    curve = []
    for effort in library.efforts:
        library.effort(effort)
        micros, found = ask(library.search, queries)
        recall = share_right(found, queries, rows, bars)
        curve.append({"effort": effort, "p50_us": max(micros - call, 0.0), "recall": recall})
        if recall >= LEVELS[-1]:
            break
    return {**told, "curve": curve}


def in_a_process(setting, place, rows, queries, bars):
    """Each setting in a process of its own, so that one neither weighs on the next nor takes it along when it fails."""
    child = os.fork()
    if child == 0:
        try:
            told = measure(setting, rows, queries, bars)
        except Exception as error:  # Whatever a library raises becomes its "no".
            told = {"library": setting.library, "setting": setting.setting}
            told["no"] = f"{type(error).__name__}: {error}"[:300]
        print(json.dumps({**place, **told}), flush=True)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if status != 0:
        told = {"library": setting.library, "setting": setting.setting, "no": f"ended with status {status}"}
        print(json.dumps({**place, **told}), flush=True)


def main():
    plan = json.loads(sys.argv[1])
    size, name = plan["size"], plan["vectors"]
    if name == "clustered":
        vectors = unit(clustered(size + QUERIES))
    else:
        real = numpy.fromfile(plan["real"], "f4").reshape(-1, DIMENSIONS)
        vectors = unit(mixtures(real, size + QUERIES))
    rows, queries = vectors[:size].copy(), vectors[size:].copy()
    bars = numpy.sort(queries @ rows.T, axis=1)[:, -NEIGHBOURS]
    chosen = plan.get("only")
    for setting in SETTINGS:
        if chosen is None or setting.library in chosen:
            in_a_process(setting, {"vectors": name, "size": size}, rows, queries, bars)


if __name__ == "__main__":
    main()
