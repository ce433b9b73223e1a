"""The part of the report about vectors alone."""

from page import share, times

PLANS = {"codes": "perihelion, scan of codes", "graph": "perihelion, graph built"}


def vectors(page):
    told = page.raw.get("vectors")
    if told is None:
        return
    page.say("## Vectors alone")
    if "no" in told:
        return page.say(f"Not measured: {told['no']}")
    page.say(
        "Our index and libraries on the same vectors of 256 numbers, ten neighbours, one thread. Libraries that "
        "can be told how hard to look get the least effort at which they find as much as we do; beside it stands "
        "what they take when less is enough, a choice that we do not offer. Ours is measured in Rust, the "
        "libraries through their Python interface, which costs them a few microseconds a call. Below 50,000 "
        "vectors we build no graph; where one is built, a search still scans the codes if that reads less.",
    )
    for name, size in dict.fromkeys((row["vectors"], row["size"]) for row in told["ours"]):
        vector_table(page, name, size, told)


def vector_table(page, name, size, told):
    def here(rows):
        return [row for row in rows if (row["vectors"], row["size"]) == (name, size)]

    ours = here(told["ours"])
    best = next(row["p50_us"] for row in ours if row["usual"])
    words = "sentences of conversations" if name == "real" else "invented clusters"
    page.say(f"{size:,} vectors, {words}:")
    body = []
    for row in ours:
        built = f"{row['build_cpu_s']:.1f} s"
        body.append([PLANS[row["plan"]], f"{row['p50_us']:.0f} µs", share(row["recall"]), "", "", built])
    for row in here(told["libraries"]):
        if "no" in row:
            page.reasons[row["name"], row["no"]] = ["vectors"]
            body.append([row["name"], "no", "", "", "", ""])
            continue
        reached = "" if row["reached"] else ", less than ours"
        time = f"{row['p50_us']:.0f} µs ({times(row['p50_us'] / best)})"
        found = share(row["recall"]) + reached
        body.append([row["name"], time, found, lesser(row, 0.99), lesser(row, 0.95), f"{row['build_cpu_s']:.1f} s"])
    page.table(["", "p50", "recall@10", "p50 at .99", "p50 at .95", "building, processor time"], body)
    picture(page, f"{name}-{size}", f"{size:,} vectors, {words}, p50", ours, here(told["libraries"]))


def ahead(raw):
    """Libraries that find as much as we do in less time."""
    told = raw.get("vectors", {})
    usual = {(row["vectors"], row["size"]): row["p50_us"] for row in told.get("ours", []) if row["usual"]}
    found = []
    for row in told.get("libraries", []):
        own = usual.get((row.get("vectors"), row.get("size")))
        if own is not None and row.get("reached") and row["p50_us"] < own:
            title = f"{row['size']:,} vectors, {row['vectors']}"
            found.append([title, row["name"], micros(row["p50_us"]), micros(own), times(row["p50_us"] / own)])
    return found


def picture(page, file, title, ours, libraries):
    rows = [(PLANS[row["plan"]], row["p50_us"]) for row in ours]
    rows += [(row["name"].split(",")[0] + exactness(row), row["p50_us"]) for row in libraries if "no" not in row]
    about = "Time of one search at the recall of the table, on a logarithmic axis."
    page.picture(f"vectors-{file}", title, about, sorted(rows, key=lambda row: row[1]), micros)


def lesser(row, wanted):
    """The time at which so much is found."""
    enough = [point["p50_us"] for point in row["curve"] if point["recall"] >= wanted]
    return f"{enough[0]:.0f} µs" if enough else ""


def exactness(row):
    return " 8 bits" if "8 bits" in row["name"] else ""


def micros(value):
    return f"{value:.3g} µs"
