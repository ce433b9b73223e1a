"""A row of figures over time: as SVG for a page, and as a line of blocks for a terminal."""

import html

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 190, 64, 16, 40, 30
STYLE = (
    ":root{--ink:#1f2328;--page:#ffffff;--line:#b3361b;--second:#5b9aa8}"
    "@media (prefers-color-scheme:dark){:root{--ink:#e6edf3;--page:#0d1117;--line:#ff7a5c;--second:#4f8f9d}}"
    "text{font-family:system-ui,sans-serif;font-size:11px;fill:var(--ink)}.title{font-size:13px;font-weight:600}"
    ".page{fill:var(--page)}.grid{stroke:var(--ink);stroke-opacity:.15}.side{text-anchor:end}.foot{text-anchor:middle}"
    "polyline{fill:none;stroke-width:1.6}.line0{stroke:var(--line)}.line1{stroke:var(--second)}"
    ".name0{fill:var(--line)}.name1{fill:var(--second)}"
)
BLOCKS = "▁▂▃▄▅▆▇█"


def nice(most):
    """A round number at or above the largest value."""
    power = 1.0
    while power * 10 <= most:
        power *= 10
    while power > most:
        power /= 10
    return next(power * step for step in (1, 1.5, 2, 3, 4, 5, 6, 8, 10) if power * step >= most)


def plot(title, unit, rows):
    """Lines from nothing to a round number above the most; `rows` are (name, [(minutes, value)]), two at most."""
    top = nice(max(value for _, points in rows for _, value in points) or 1.0)
    end = max(minute for _, points in rows for minute, _ in points) or 1.0
    across = lambda minute: LEFT + (WIDTH - LEFT - RIGHT) * minute / end  # noqa: E731
    down = lambda value: HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / top  # noqa: E731
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-labelledby="title">',
        f'<title id="title">{html.escape(title)}</title><style>{STYLE}</style>',
        f'<rect class="page" width="{WIDTH}" height="{HEIGHT}"/>',
        f'<text class="title" x="16" y="22">{html.escape(title)}</text>',
    ]
    for part in range(5):
        value = top * part / 4
        parts.append(f'<line class="grid" x1="{LEFT}" y1="{down(value):.1f}" x2="{WIDTH - RIGHT}" y2="{down(value):.1f}"/>')
        shown = f"{value:g} {unit}".strip()
        parts.append(f'<text class="side" x="{LEFT - 6}" y="{down(value) + 4:.1f}">{html.escape(shown)}</text>')
        parts.append(f'<text class="foot" x="{across(end * part / 4):.1f}" y="{HEIGHT - 10}">{end * part / 4:.0f} min</text>')
    for number, (name, points) in enumerate(rows):
        drawn = " ".join(f"{across(minute):.1f},{down(value):.1f}" for minute, value in points)
        parts.append(f'<polyline class="line{number}" points="{drawn}"/>')
        parts.append(f'<text class="name{number}" x="{WIDTH - 200 + 100 * number}" y="22">{html.escape(name)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def spark(points, width=60):
    """The same in one line of text: the mean of each stretch, against the largest."""
    values = [value for _, value in points]
    size = max(1, -(-len(values) // width))
    means = [sum(values[at : at + size]) / len(values[at : at + size]) for at in range(0, len(values), size)]
    most = max(means) or 1.0
    return "".join(BLOCKS[min(7, int(8 * mean / most))] for mean in means)
