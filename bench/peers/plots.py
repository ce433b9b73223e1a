"""Bars as SVG, readable on light and dark pages."""

import html
import math

WIDTH = 760
LEFT = 190
RIGHT = 120
ROW = 26
TOP = 58
# Our own bars stand out; all others share a colour.
STYLE = (
    ":root{--ink:#1f2328;--page:#ffffff;--ours:#b3361b;--other:#5b9aa8}"
    "@media (prefers-color-scheme:dark){:root{--ink:#e6edf3;--page:#0d1117;--ours:#ff7a5c;--other:#4f8f9d}}"
    "text{font-family:system-ui,sans-serif;font-size:12px;fill:var(--ink)}"
    ".title{font-size:13px;font-weight:600}.page{fill:var(--page)}.name{text-anchor:end}"
    ".tick{text-anchor:middle;fill-opacity:.7}.grid{stroke:var(--ink);stroke-opacity:.15}"
    ".ours{fill:var(--ours)}.other{fill:var(--other)}"
)


def bars(title, about, rows, shown, logarithmic=True):
    """A bar for each (name, value); `shown` writes a value. Each tick of a logarithmic axis is ten times the last."""
    height = TOP + ROW * len(rows) + 20
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img"',
        ' aria-labelledby="title about">',
        f'<title id="title">{html.escape(title)}</title>',
        f'<desc id="about">{html.escape(about)}</desc>',
        f"<style>{STYLE}</style>",
        f'<rect class="page" width="{WIDTH}" height="{height}"/>',
        f'<text class="title" x="16" y="24">{html.escape(title)}</text>',
    ]
    place, ticks = scale([value for _, value in rows], logarithmic)
    for tick in ticks:
        x = LEFT + place(tick)
        parts.append(f'<line class="grid" x1="{x:.1f}" y1="{TOP - 6}" x2="{x:.1f}" y2="{height - 16}"/>')
        parts.append(f'<text class="tick" x="{x:.1f}" y="{TOP - 12}">{html.escape(shown(tick))}</text>')
    for number, (name, value) in enumerate(rows):
        parts += bar(TOP + ROW * number, name, place(value), shown(value))
    return "\n".join([*parts, "</svg>"]) + "\n"


def bar(top, name, length, shown):
    kind = "ours" if name.startswith("perihelion") else "other"
    middle = top + 14
    return [
        f'<text class="name" x="{LEFT - 8}" y="{middle}">{html.escape(name)}</text>',
        f'<rect class="{kind}" x="{LEFT}" y="{top + 1}" width="{max(length, 1):.1f}" height="17" rx="2"/>',
        f'<text x="{LEFT + max(length, 1) + 6:.1f}" y="{middle}">{html.escape(shown)}</text>',
    ]


def scale(values, logarithmic):
    """Where a value ends, in pixels from the left, and which values get a line. Shares go from nothing to one."""
    room = WIDTH - LEFT - RIGHT
    if not logarithmic:
        return (lambda value: room * value), [part / 4 for part in range(1, 5)]
    low = math.floor(math.log10(min(values))) - 0.3
    high = math.log10(max(values))
    high = high if high > low else low + 1
    ticks = [10.0**power for power in range(math.ceil(low), math.floor(high) + 1)]
    return (lambda value: room * (math.log10(value) - low) / (high - low)), ticks
