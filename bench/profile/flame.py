"""Draws stacks as a flame graph: wide is dear, below is the caller, hovering tells the share."""

import hashlib
from xml.sax.saxutils import escape

WIDTH = 1200
ROW = 17
LETTER = 6.6
MARGIN = 10
HEAD = 44


class Frame:
    def __init__(self, name):
        self.name, self.cost, self.above = name, 0.0, {}


def tree(folded):
    """Stacks with common beginnings put together."""
    root = Frame("all")
    for stack, cost in folded.items():
        frame = root
        frame.cost += cost
        for name in stack:
            frame = frame.above.setdefault(name, Frame(name))
            frame.cost += cost
    return root


def depth(frame):
    return 1 + max((depth(above) for above in frame.above.values()), default=0)


def colour(name):
    """Ours are warm, the database is blue, the rest is grey; the same name always has the same shade."""
    shade = hashlib.md5(name.encode()).digest()[0] % 40
    if "peri" in name:
        return f"rgb({225 - shade // 2},{120 + shade},{60 + shade // 2})"
    if "sqlite" in name.lower():
        return f"rgb({90 + shade},{140 + shade},{200 + shade // 2})"
    return f"rgb({185 + shade // 2},{185 + shade // 2},{180 + shade // 2})"


def shown(name, room):
    """As much of a name as there is room for, from its end, where it says most."""
    letters = int((room - 6) / LETTER)
    if letters < 3:
        return ""
    return name if len(name) <= letters else "…" + name[-(letters - 1) :]


def draw(folded, title):
    """The picture as the text of an SVG file."""
    root = tree(folded)
    rows = depth(root)
    height = HEAD + rows * ROW + MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="monospace" font-size="11">',
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
        f'<text x="{MARGIN}" y="26" font-size="15">{escape(title)}</text>',
    ]
    place(root, MARGIN, 0, (WIDTH - 2 * MARGIN) / max(root.cost, 1), height, root.cost, parts)
    return "\n".join(parts + ["</svg>", ""])


def place(frame, x, row, scale, height, whole, parts):
    width = frame.cost * scale
    y = height - MARGIN - (row + 1) * ROW
    share = 100 * frame.cost / max(whole, 1)
    parts.append(
        f'<g><title>{escape(frame.name)}: {share:.1f} %</title><rect x="{x:.1f}" y="{y}" width="{width:.1f}" '
        f'height="{ROW - 1}" fill="{colour(frame.name)}"/>'
        + (f'<text x="{x + 3:.1f}" y="{y + 12}">{escape(text)}</text>' if (text := shown(frame.name, width)) else "")
        + "</g>"
    )
    for above in sorted(frame.above.values(), key=lambda above: -above.cost):
        place(above, x, row + 1, scale, height, whole, parts)
        x += above.cost * scale


def fold(lines):
    """The stacks of `perf script`: a line that begins a sample, a frame a line from the top, and an empty line."""
    folded, stack, inside = {}, [], False
    for line in list(lines) + [""]:
        if not line.strip():
            if stack:
                key = tuple(reversed(stack))
                folded[key] = folded.get(key, 0) + 1
            stack, inside = [], False
        elif not inside:
            inside = True
        else:
            parts = line.split(None, 1)
            if len(parts) == 2:
                stack.append(parts[1].rpartition(" (")[0].partition("+0x")[0] or parts[1])
    return folded


def pruned(folded, share_min=0.005):
    """The same with what is too narrow to be seen counted for what it stands on."""
    least = sum(folded.values()) * share_min
    costs = {}
    for stack, cost in folded.items():
        for depth in range(1, len(stack) + 1):
            costs[stack[:depth]] = costs.get(stack[:depth], 0) + cost
    kept = {}
    for stack, cost in folded.items():
        while len(stack) > 1 and costs[stack] < least:
            stack = stack[:-1]
        kept[stack] = kept.get(stack, 0) + cost
    return kept
