"""Our vector index beside libraries, on the same vectors."""

import json
import subprocess
import time

from install import NotInstalled, install
from peers import HERE, PLACE, ROOT, VECTORS
from processes import Run

PROGRAM = ROOT / "target" / "release" / "examples" / "vector_speed"
BUILD = ["cargo", "build", "--release", "-p", "peri-index", "--example", "vector_speed"]
SECONDS_MAX = 600
# From so many vectors on our index has a graph by itself: `flat_max` in crates/peri-index/src/graph.rs.
GRAPH_FROM = 100_000


def prepare():
    """Installs and builds what is needed, before anything is measured; why it cannot be, if it cannot."""
    try:
        install(VECTORS)
        subprocess.run(BUILD, cwd=ROOT, check=True, capture_output=True)
    except (NotInstalled, OSError, subprocess.CalledProcessError) as reason:
        return str(reason)
    return None


def measure(sizes, data):
    """Rows for the report."""
    real = real_vectors(data)
    ours = own(sizes, real)
    return {"ours": ours, "libraries": libraries(sizes, real)}


def python(*arguments):
    return [str(VECTORS.environment / "venv" / "bin" / "python"), *map(str, arguments)]


def real_vectors(data):
    """Sentences of the conversations as vectors; nothing where no conversations were given."""
    if data is None:
        return None
    file = PLACE / "real.f32"
    subprocess.run(python(HERE / "real_vectors.py", data, file), check=True, capture_output=True)
    return str(file)


def own(sizes, real):
    """What our own program measures, for ten neighbours: a curve for each plan, and the point that recall uses."""
    command = [str(PROGRAM), ",".join(map(str, sizes)), *([real] if real else [])]
    printed = subprocess.run(command, check=True, capture_output=True, text=True, timeout=SECONDS_MAX).stdout
    return curves(printed)


def curves(printed):
    """The table that `vector_speed` prints, as one row for each plan."""
    rows = {}
    for line in printed.splitlines()[1:]:
        vectors, size, plan, build, memory, neighbours, effort, micros, recall = line.split()
        if neighbours != "10":
            continue
        told = {"vectors": vectors, "size": int(size), "plan": plan, "build_cpu_s": float(build)}
        told |= {"memory_mb": float(memory), "curve": []}
        row = rows.setdefault((vectors, size, plan), told)
        point = {"p50_us": float(micros), "recall": float(recall)}
        if effort == "usual":
            row["usual"] = {**point, "chosen": plan == ("graph" if int(size) > GRAPH_FROM else "codes")}
        else:
            row["curve"].append({"effort": int(effort), **point})
    return list(rows.values())


def libraries(sizes, real):
    """One process for each set of vectors; those at one size run after each other, so that none disturbs another."""
    told = []
    for size in sizes:
        for name in ["clustered", *(["real"] if real else [])]:
            plan = json.dumps({"size": size, "vectors": name, "real": real})
            run = Run(python(HERE / "vectors.py", plan), None, PLACE / "vectors.log")
            try:
                told += run.until(time.monotonic() + SECONDS_MAX)
            finally:
                run.end()
    return told
