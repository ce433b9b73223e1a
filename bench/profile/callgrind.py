"""Reads what callgrind wrote, and turns its call graph into stacks.

Callgrind counts by function and by call, not by stack. A function's own cost and that of its calls are therefore shared
out among its callers in proportion to what each call cost; where one function is called from two places with very
different work, both places show a mixture.
"""

import collections
import re

# A stack below this share of all is cut off, and its cost counted for the function above it.
SHARE_MIN = 0.005
DEPTH_MAX = 60
NAMED = re.compile(r"\((\d+)\)(?: (.*))?")
HASH = re.compile(r"(::h[0-9a-f]{16})$")


class Function:
    def __init__(self):
        self.own = 0
        self.calls = collections.Counter()


def read(lines):
    """The functions of a profile by name: what each costs by itself, and what its calls cost by callee."""
    functions = collections.defaultdict(Function)
    names = {}
    current, callee = None, None
    for line in lines:
        line = line.rstrip("\n")
        key, _, value = line.partition("=")
        if key == "fn":
            current = functions[named(names, value)]
        elif key == "cfn":
            callee = named(names, value)
        elif key == "calls":
            continue
        elif line and line[0] in "0123456789+-*":
            cost = int(line.split()[1])
            if callee is None:
                current.own += cost
            else:
                current.calls[callee] += cost
                functions[callee]
                callee = None
    return dict(functions)


def named(names, value):
    """A name that callgrind wrote out once and has numbered since."""
    found = NAMED.match(value)
    if found is None:
        return plain(value)
    number, name = found.groups()
    if name:
        names[number] = plain(name)
    return names[number]


def plain(name):
    """A name without the number of a recursion and the compiler's digest."""
    return HASH.sub("", name.partition("'")[0])


def total(functions):
    return sum(function.own for function in functions.values())


def stacks(functions, roots=(), share_min=SHARE_MIN):
    """Stacks of names with their own costs. Roots are parts of names: of each, the function that costs most begins a
    stack. Without any, stacks begin with what nobody calls."""
    if roots:
        starts = [start for root in roots if (start := widest(functions, root))]
    else:
        called = {callee for name, function in functions.items() for callee in function.calls if callee != name}
        starts = [name for name in functions if name not in called]
    least = total(functions) * share_min
    folded = collections.Counter()
    for name in starts:
        descend(functions, (name,), inclusive(functions[name], name), least, folded)
    return folded


def widest(functions, root):
    """Of the functions whose names have a part, the one that costs most with all it calls."""
    names = [name for name in functions if root in name]
    return max(names, key=lambda name: inclusive(functions[name], name), default=None)


def inclusive(function, name):
    return function.own + sum(cost for callee, cost in function.calls.items() if callee != name)


def descend(functions, stack, cost, least, folded):
    """Shares a cost out between the function at the end of a stack and what it calls."""
    function = functions[stack[-1]]
    # A function that calls itself is shown once: its own calls are part of it.
    calls = {callee: cost for callee, cost in function.calls.items() if callee not in stack}
    whole = function.own + sum(calls.values())
    if whole == 0:
        return
    left = cost
    for callee, part in calls.items():
        share = cost * part / whole
        if share >= least and len(stack) < DEPTH_MAX:
            descend(functions, stack + (callee,), share, least, folded)
            left -= share
    folded[stack] += left


def heaviest(functions, count):
    """The functions that cost most by themselves."""
    return sorted(((function.own, name) for name, function in functions.items()), reverse=True)[:count]
