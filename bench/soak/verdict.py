"""Whether a row of figures stayed level, and what is said about it."""

import statistics

# The second half of a run may hold this much more than the first before it counts as growing.
LIMITS = {
    "memories": 1.05, "own": 1.05, "resident": 1.05, "handles": 1.05, "threads": 1.05,
    "recall p50": 1.25, "recall p95": 1.25, "remember p50": 1.25, "remember p95": 1.25,
}


def halves(points):
    """The medians of the first and the second half of (time, value) pairs."""
    middle = len(points) // 2
    first = statistics.median(value for _, value in points[:middle])
    second = statistics.median(value for _, value in points[middle:])
    return first, second


def level(name, points):
    """A line of the table: name, both medians, their ratio, and whether that is level."""
    first, second = halves(points)
    ratio = second / first if first else float("inf") if second else 1.0
    limit = LIMITS.get(name)
    return {"name": name, "first": first, "second": second, "ratio": ratio, "limit": limit,
            "level": limit is None or ratio <= limit}


def share(values, part):
    """The value that `part` of all values do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def latencies(taken, name, window, part):
    """One point for each window of time: what `part` of the calls of a name stayed under, in milliseconds."""
    found = {}
    for at, call, seconds in taken:
        if call == name:
            found.setdefault(int(at // window), []).append(seconds * 1e3)
    # A window with few calls says nothing.
    return [(key * window, share(values, part)) for key, values in sorted(found.items()) if len(values) >= 20]
