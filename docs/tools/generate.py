"""Writes the parts of pages that follow from the program itself, between two marks:

    <!-- generated: options remember -->
    …
    <!-- generated: end -->

`python3 docs/tools/generate.py` brings all pages up to date; the check says which are not.
"""

import re
import sys

import book

PART = re.compile(r"(<!-- generated: (\w+)((?: [\w/-]+)*) -->\n)(.*?)(<!-- generated: end -->)", re.S)


def cell(text):
    """A text that is safe within a table."""
    return " ".join(text.split()).replace("|", "\\|")


def code(text):
    return "`" + text.replace("|", "\\|") + "`"


def sections(text):
    """The parts of a help text: heading and lines, in order."""
    found, heading, lines = [], "", []
    for line in text.splitlines():
        if re.fullmatch(r"[A-Z][\w ]*:", line):
            found.append((heading, lines))
            heading, lines = line[:-1], []
        else:
            lines.append(line)
    return found + [(heading, lines)]


def entries(lines):
    """Arguments and what is said of them, however clap has laid them out. A line that stands at the margin ends them."""
    found = []
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if line and indent == 0:
            break
        begins = 2 <= indent <= 6 and re.match(r"[-<\[]", line.lstrip())
        if begins:
            spec, _, told = line.strip().partition("  ")
            found.append([spec, told.strip()])
        elif found:
            found[-1][1] += " " + line.strip()
    return [(spec, tidied(told)) for spec, told in found if spec not in ("-h, --help", "-V, --version")]


def tidied(told):
    """Possible values that clap lists one by one, in a row."""
    told = " ".join(told.split())
    return re.sub(r"Possible values: - ", "One of: ", told).replace(" - ", "; ") if "Possible values: -" in told else told


def table(rows):
    """Rows of arguments, with their names as code."""
    lines = ["| argument | meaning |", "|---|---|"]
    for spec, told in rows:
        names = ", ".join(code(name) for name in spec.split(", ")) if spec.startswith("-") else code(spec)
        lines.append(f"| {names} | {cell(told)} |")
    return lines


def one_command(words, text, level):
    """Usage, arguments and options of one command."""
    lines = [f"{'#' * level} `peri {' '.join(words)}`", ""] if level else []
    if level:
        lines += [text.split("\n", 1)[0] + ".", ""]
    usage = re.search(r"^Usage: (.*(?:\n       peri .*)*)", text, re.M)[1]
    lines += ["```text", *(line.strip() for line in usage.splitlines()), "```", ""]
    parts = {heading: entries(inner) for heading, inner in sections(text)}
    plain = parts.pop("Arguments", []) + parts.pop("Options", [])
    lines += [*table(plain), ""] if plain else []
    for heading, rows in parts.items():
        if rows and heading not in ("", "Everywhere", "Commands", "Exit codes"):
            lines += [f"{heading}:", "", *table(rows), ""]
    return lines


def options(verb):
    """Everything that can be typed after a verb."""
    helps = book.helps()
    lines = []
    below = [words for words in helps if words[0:1] == (verb,) and len(words) > 1]
    if not below or any(row for heading, inner in sections(helps[(verb,)]) if heading == "Arguments"
                        for row in entries(inner)):
        lines += one_command((verb,), helps[(verb,)], 0)
    for words in order(helps, verb, below):
        lines += one_command(words, helps[words], 3)
    return lines


def order(helps, verb, below):
    """Subcommands as the help lists them."""
    def rank(words):
        listed = []
        for depth in range(1, len(words)):
            text = helps[words[:depth]]
            names = re.findall(r"^  ([a-z][\w-]*)  ", text.split("Commands:", 1)[-1].split("\n\n")[0], re.M)
            listed.append(names.index(words[depth]) if words[depth] in names else 99)
        return listed
    return sorted(below, key=rank)


def everywhere():
    rows = [row for heading, inner in sections(book.helps()[()]) if heading == "Everywhere" for row in entries(inner)]
    return [*table(rows), ""]


def verbs():
    """The table of all verbs."""
    text = book.helps()[()].split("Commands:", 1)[1].split("\n\n")[0]
    found = [(name, told) for name, told in re.findall(r"^  ([a-z]+) +(.*)$", text, re.M) if name != "help"]
    return ["| verb | what for |", "|---|---|", *(f"| [`peri {name}`]({name}.md) | {cell(told)} |" for name, told in found), ""]


def exits():
    text = book.helps()[()].split("Exit codes:\n", 1)[1]
    rows = re.findall(r"^  (\d)  (.*)$", text, re.M)
    return ["| code | meaning |", "|---|---|", *(f"| {number} | {cell(told)} |" for number, told in rows), ""]


def settings():
    """Every setting with its default, a table for each section."""
    lines, section = [], None
    for key, value, told in book.settings():
        here = key.rpartition(".")[0]
        if here != section:
            section = here
            lines += ["", f"### `[{here}]`" if here else "### At the top", "", "| setting | default | what it does |", "|---|---|---|"]
        lines.append(f"| {code(key)} | {code(value)} | {cell(told)} |")
    return [*lines[1:], ""]


def routes():
    """Every route, what belongs together below each other."""
    rows = [f"| {code(method + ' ' + path)} | {cell(told)} |" for (method, path), told in book.routes().items()]
    return ["| route | what it does |", "|---|---|", *rows, ""]


KINDS = {"options": options, "everywhere": everywhere, "verbs": verbs, "exits": exits, "settings": settings,
         "routes": routes}


def fresh(text):
    """A page's text with its generated parts as they should be."""
    def replace(part):
        return part[1] + "\n" + "\n".join(KINDS[part[2]](*part[3].split())) + part[5]
    return PART.sub(replace, text)


def main():
    for page in book.pages() + book.beside():
        text = fresh(page.text)
        if text != page.text:
            page.path.write_text(text, encoding="utf-8")
            print(f"{page.name}: brought up to date")


if __name__ == "__main__":
    sys.exit(main())
