"""A page of Markdown with tables of figures, ratios to ours, and pictures."""

import plots


def seconds(value):
    if value < 1:
        return f"{value * 1e3:.3g} ms"
    return f"{value:.3g} s" if value < 1000 else f"{value:,.0f} s"


def milliseconds(value):
    return seconds(value / 1e3)


def megabytes(value):
    return f"{value / 1e6:,.3g} MB"


def kilobytes(value):
    return f"{value / 1e3:.3g} KB"


def share(value):
    return f"{value:.3f}".removeprefix("0")


def times(ratio):
    if ratio >= 10:
        return f"×{ratio:,.0f}"
    return "×" + (f"{ratio:.2g}".removeprefix("0") or "0")


class Page:
    """Lines of Markdown, made from the raw figures."""

    def __init__(self, raw, images):
        self.raw, self.images, self.lines, self.reasons = raw, images, [], {}
        self.rows, self.size = raw["peers"], raw["size"]

    def say(self, *lines):
        self.lines += [*lines, ""]

    def table(self, heads, rows):
        self.lines += ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
        self.lines += ["| " + " | ".join(cells) + " |" for cells in rows]
        self.lines.append("")

    def ours(self, name):
        """Our own row that a peer is compared with: of what was measured once more beside it, that."""
        row = self.rows[name]
        return {**self.rows[row["beside"]], **row.get("ours", {})}

    def cell(self, name, figure):
        """A figure with its ratio to ours, or no; why, is told below all tables."""
        value, reason = figure.value(self.rows[name])
        if value is None:
            self.reasons.setdefault((name, reason), []).append(figure.title)
            return "no"
        if name.startswith("perihelion"):
            return figure.show(value)
        ratio = figure.ratio(self.rows[name], self.ours(name))
        return figure.show(value) + ("" if ratio is None else f" ({times(ratio)})")

    def compare(self, columns, after=()):
        """A row for each peer: figures, then columns that are words."""
        heads = ["", *[figure.title for figure in columns], *[head for head, _ in after]]
        body = []
        for name in self.rows:
            cells = [self.cell(name, figure) for figure in columns]
            body.append([name, *cells, *[told(name) for _, told in after]])
        self.table(heads, body)

    def plot(self, file, title, about, figure, logarithmic=True):
        """A picture of one column, the best first; peers without the figure are left out."""
        read = [(name, figure.value(row)[0]) for name, row in self.rows.items()]
        rows = [(name, value) for name, value in read if value is not None and (value > 0 or not logarithmic)]
        rows.sort(key=lambda row: row[1], reverse=figure.larger_is_better)
        self.picture(file, title, about, rows, figure.show, logarithmic)

    def picture(self, file, title, about, rows, shown, logarithmic=True):
        name = f"benchmarks-{file}.svg"
        (self.images / name).write_text(plots.bars(title, about, rows, shown, logarithmic), encoding="utf-8")
        self.say(f"![{title}]({self.images.name}/{name})")
