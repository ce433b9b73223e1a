"""One figure of one peer out of the raw results, or the reason why there is none."""

import dataclasses


class Missing(Exception):
    """There is no such figure; the words say why."""


def stage(row, name):
    """What a stage told."""
    if "no" in row:
        raise Missing(f"not installed: {row['no']}")
    told = row[name]
    if "no" in told:
        raise Missing(told["no"])
    return told


def filled(mode, count):
    """Seconds until so many were remembered."""

    def read(row):
        told = stage(row, f"fill_{mode}")
        marks = told["marks"]
        if str(count) in marks:
            return marks[str(count)]
        raise Missing(f"{told['reached']:,} of {count:,} after {told['seconds']:.0f} s")

    return read


def of(name, field, factor=1):
    """A field of a stage."""
    return lambda row: stage(row, name)[field] * factor


def store(row):
    """The store into which recall looked: the one with the most memories."""
    told = [row[f"fill_{mode}"] for mode in ("batch", "one")]
    reached = [one for one in told if one.get("reached")]
    if not reached:
        stage(row, "fill_one")
        raise Missing("nothing could be stored")
    return max(reached, key=lambda one: one["reached"])


def disk(row):
    """Bytes for each memory."""
    if "no" in row:
        raise Missing(f"not installed: {row['no']}")
    told = store(row)
    return told["disk"] / told["reached"]


def quality(limit):
    """The share of right memories among the first; where not all conversations were done, over those that were."""

    def read(row, names=None):
        done = stage(row, "quality")["done"]
        counted = [one for one in done if names is None or one["conversation"] in names]
        return sum(one[f"sum_{limit}"] for one in counted) / sum(one["questions"] for one in counted)

    return read


def conversations(row):
    return {one["conversation"] for one in stage(row, "quality")["done"]}


def results(row):
    done = stage(row, "quality")["done"]
    return sum(one["results"] for one in done) / sum(one["questions"] for one in done)


@dataclasses.dataclass(frozen=True)
class Figure:
    """A column of the report."""

    title: str
    read: object
    show: object
    # Whether a larger figure is the better one.
    larger_is_better: bool = False

    def value(self, row):
        """The figure and nothing, or nothing and the reason."""
        try:
            return self.read(row), None
        except Missing as reason:
            return None, str(reason)

    def ratio(self, row, ours):
        """The peer's figure over ours; nothing where one of them is missing."""
        own, _ = self.value(ours)
        its, _ = self.value(row)
        if self.title.startswith("R@") and its is not None and own is not None:
            own = self.read(ours, conversations(row))
        return None if own is None or its is None or own == 0 else its / own
