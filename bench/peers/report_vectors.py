"""The part of the report about vectors alone."""

from page import times

# What a search must find, and what that is called; the last is all but rounding.
LEVELS = {0.9: ".90", 0.95: ".95", 0.99: ".99", 0.9995: "1.00"}
OURS = "perihelion"
PLANS = {"codes": "scan of codes", "graph": "graph built"}


def vectors(page):
    told = page.raw.get("vectors")
    if told is None:
        return
    page.say("## Vectors alone")
    if "no" in told:
        return page.say(f"Not measured: {told['no']}")
    page.say(
        "Our index and libraries on the same vectors of 256 numbers, ten neighbours, one query a call, one thread: the "
        "time of a search in the middle, in the best of several passes, when so much of the ten nearest is to be found. "
        "Each library is told the least effort that is enough, in whichever of its settings is fastest then. What a call "
        "from Python costs a library with next to nothing to search is taken off its times; ours is measured in Rust. "
        "By itself our engine scans codes up to 100,000 memories in a namespace and walks the graph beyond, with an effort "
        "that finds nearly everything.",
    )
    for name, size in dict.fromkeys((row["vectors"], row["size"]) for row in told["ours"]):
        vector_table(page, name, size, told)


def settings(told):
    """Ours and theirs in one shape."""
    ours = [{**row, "library": OURS, "setting": PLANS[row["plan"]]} for row in told.get("ours", [])]
    return ours + told.get("libraries", [])


def least(rows, wanted):
    """The fastest point of any setting that finds so much, with the setting; None if there is none."""
    points = [(point["p50_us"], row) for row in rows for point in row.get("curve", []) if point["recall"] >= wanted]
    return min(points, key=lambda point: point[0]) if points else None


def here(told, name, size):
    """The rows of one set of vectors, by library."""
    by_library = {}
    for row in settings(told):
        if (row.get("vectors"), row.get("size")) == (name, size):
            by_library.setdefault(row["library"], []).append(row)
    return by_library


def vector_table(page, name, size, told):
    by_library = here(told, name, size)
    words = "sentences of conversations" if name == "real" else "invented clusters"
    page.say(f"{size:,} vectors, {words}:")
    ours = {level: least(by_library[OURS], level) for level in LEVELS}
    body = []
    for library, rows in by_library.items():
        for row in rows:
            if "no" in row:
                page.reasons[f"{library}, {row['setting']}", row["no"]] = ["vectors"]
        body.append([library, *(cell(least(rows, level), ours[level], library) for level in LEVELS)])
    page.table(["", *(f"p50 at {word}" for word in LEVELS.values())], body)
    built = [
        [f"{library}, {row['setting']}", f"{row['build_cpu_s']:.1f} s", f"{row['memory_mb']:.0f} MB"]
        for library, rows in by_library.items()
        for row in rows
        if "no" not in row
    ]
    page.table(["", "building, processor time", "memory"], built)
    picture(page, name, size, words, by_library)


def cell(point, own, library):
    if point is None:
        return "no"
    ratio = "" if library == OURS or own is None else f" ({times(point[0] / own[0])})"
    return f"{point[0]:.0f} µs{ratio}, {point[1]['setting']}"


def ahead(raw):
    """Libraries that find as much as we do in less time."""
    told, found = raw.get("vectors", {}), []
    for name, size in dict.fromkeys((row["vectors"], row["size"]) for row in told.get("ours", [])):
        by_library = here(told, name, size)
        for level, word in LEVELS.items():
            own = least(by_library[OURS], level)
            for library, rows in by_library.items():
                point = least(rows, level)
                if library != OURS and point and own and point[0] < own[0]:
                    title = f"{size:,} vectors, {name}, recall {word}"
                    about = f"{library}, {point[1]['setting']}"
                    found.append([title, about, micros(point[0]), micros(own[0]), times(point[0] / own[0])])
    return found


def picture(page, name, size, words, by_library):
    points = [(library, least(rows, 0.95)) for library, rows in by_library.items()]
    rows = [(library, point[0]) for library, point in points if point]
    about = "Time of one search that finds .95 of the ten nearest, on a logarithmic axis."
    title = f"{size:,} vectors, {words}, p50 at recall .95"
    page.picture(f"vectors-{name}-{size}", title, about, sorted(rows, key=lambda row: row[1]), micros)


def micros(value):
    return f"{value:.3g} µs"
