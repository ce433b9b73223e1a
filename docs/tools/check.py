"""Holds the documentation against the program: links, pictures, the table of contents, commands and their options,
routes, tools, settings, and the parts that are generated. It needs neither mdBook nor the binary: what `--help` says
and what the server offers are read from snapshots that the tests compare with the program.
"""

import re
import shlex
import sys

import book
import generate

# Pages that are written elsewhere and may come later than the table of contents.
AWAITED = set()

# Fences of the language `console` are run as they are, mistakes included (examples.py).
FENCES_OF_COMMANDS = ("sh", "bash")
FILE_ENDINGS = ("rs", "md", "py", "toml", "json", "jsonl", "db", "ts", "yml", "zip", "log", "service", "timer", "txt")


def check_summary(findings, listed=None, there=None):
    """Every page is listed once, and everything listed is there."""
    listed = book.summary() if listed is None else listed
    there = {page.path.relative_to(book.DOCS).as_posix() for page in book.pages()} if there is None else there
    for target in sorted({target for target in listed if listed.count(target) > 1}):
        findings.append(f"docs/SUMMARY.md: lists {target} twice")
    for target in sorted(set(listed) - there - AWAITED):
        findings.append(f"docs/SUMMARY.md: {target} does not exist")
    for target in sorted(there - set(listed)):
        findings.append(f"docs/SUMMARY.md: does not list {target}")


def check_links(findings, page):
    """Links lead somewhere; the book's do not leave it; nothing that a browser loads is elsewhere."""
    in_book = book.DOCS in page.path.parents
    for number, target, loaded in page.links():
        place = f"{page.name}:{number}"
        if re.match(r"[a-z]+:", target):
            if loaded and not target.startswith("data:"):
                findings.append(f"{place}: {target} would be fetched from elsewhere by whoever reads the page")
            continue
        path, _, anchor = target.partition("#")
        aim = (page.path.parent / path).resolve() if path else page.path
        there = page if aim == page.path else book.Page(aim) if aim.suffix == ".md" and aim.exists() else None
        if in_book and book.DOCS not in aim.parents:
            findings.append(f"{place}: {target} leaves the book; name the file between backticks instead")
        elif not there and not aim.exists():
            if not (in_book and aim.relative_to(book.DOCS).as_posix() in AWAITED):
                findings.append(f"{place}: {target} does not exist")
        elif anchor and there and anchor not in there.anchors():
            findings.append(f"{place}: {target}: there is no such heading")


def command_lines(page):
    """Everything on a page that somebody might type and that runs `peri`."""
    joined = ""
    for number, line, fence in page.lines:
        if fence not in FENCES_OF_COMMANDS:
            joined = ""
            continue
        joined += line.removeprefix("$ ")
        if joined.endswith("\\"):
            joined = joined[:-1] + " "
        else:
            yield number, joined
            joined = ""
    for number, span in page.spans():
        if span.startswith("peri "):
            yield number, span


def invocations(line):
    """The words after each `peri` of a line, up to what a shell takes as the end of a command."""
    line = re.sub(r"(^|\s)#\s.*$", "", line).replace("$(", " ; ").replace(")", " ").replace("`", " ")
    try:
        words = shlex.split(line, comments=False)
    except ValueError:
        words = line.split()
    found, current = [], None
    for word in words:
        if word == "peri" and current is None:
            current = []
            found.append(current)
        elif word in ("|", "||", "&&", ";", "&", ">", ">>", "<", "--") or word.endswith(";"):
            current = None
        elif current is not None:
            current.append(word)
    return found


def check_commands(findings, page, helps):
    """Verbs and options exist."""
    for number, line in command_lines(page):
        for words in invocations(line):
            fault = fault_of(words, helps)
            if fault:
                findings.append(f"{page.name}:{number}: `peri {' '.join(words)}`: {fault}")


def fault_of(words, helps):
    """What is wrong with the words after `peri`, if anything."""
    command, rest = (), list(words)
    taking = {"--home", "-n", "--namespace", "--config", "--color"}
    while rest and rest[0].startswith("-"):
        rest = rest[2:] if rest[0] in taking else rest[1:]
    if rest[:1] == ["help"]:
        rest = rest[1:]
    while rest and command + (rest[0],) in helps:
        command, rest = command + (rest[0],), rest[1:]
    if not command:
        # Words in capitals, brackets or angles stand for something; so does an ellipsis.
        if not rest or not re.fullmatch(r"[a-z][\w-]*", rest[0]):
            return None
        return f"there is no verb {rest[0]}"
    text = helps[command]
    subcommands = "<COMMAND>" in text.split("Usage:", 1)[1].split("\n", 1)[0]
    if subcommands and rest and re.fullmatch(r"[a-z][a-z-]*", rest[0]):
        return f"there is no {' '.join(command)} {rest[0]}"
    known = set(re.findall(r"(?<![\w-])--[a-z][\w-]*", text)) | set(re.findall(r"(?m)^ +(-\w)\b", text))
    for word in words:
        flag = re.match(r"--[a-z][\w-]*|-[a-z]$", word)
        if flag and flag[0] not in known | {"--help", "-h", "--version", "-V"}:
            return f"{flag[0]} is not among its options"
    return None


def check_names(findings, page, routes, tools, methods, keys):
    """Routes, tools, methods and settings that a page names exist."""
    known_paths = {re.sub(r"\{\w+\}", "{}", f"{method} {path}") for method, path in routes}
    for number, span in page.spans():
        place = f"{page.name}:{number}: `{span}`"
        route = re.match(r"(GET|POST|PUT|PATCH|DELETE) (/[\w/{}.-]*)", span)
        if route:
            path = re.sub(r"\{\w+\}", "{}", route[2])
            if f"{route[1]} {path}" not in known_paths:
                findings.append(f"{place}: there is no such route")
        method = re.fullmatch(r"Perihelion::(\w+)", span)
        if method and method[1] not in methods:
            findings.append(f"{place}: the engine has no such method")
        key = re.fullmatch(r"([a-z_]+(?:\.[a-z_]+)+)(?: = .*)?", span)
        if key and key[1].split(".")[0] in {name.split(".")[0] for name in keys if "." in name}:
            if key[1] not in keys and key[1].rsplit(".", 1)[1] not in FILE_ENDINGS:
                findings.append(f"{place}: there is no such setting")
    for number, line in page.prose():
        for named in re.findall(r"\| MCP \| (.*) \|", line):
            for tool in re.findall(r"`(\w+)`", named):
                if tool not in tools:
                    findings.append(f"{page.name}:{number}: `{tool}`: there is no such tool")


def check_verbs(findings, helps):
    """Every verb has a page with its options; every tool is on the page about MCP."""
    for verb in sorted({words[0] for words in helps if words}):
        path = book.DOCS / "verbs" / f"{verb}.md"
        if not path.exists():
            findings.append(f"docs/verbs/{verb}.md: the page of `peri {verb}` is missing")
        elif f"<!-- generated: options {verb} -->" not in path.read_text(encoding="utf-8"):
            findings.append(f"docs/verbs/{verb}.md: has no part `<!-- generated: options {verb} -->`")
    for path in sorted((book.DOCS / "verbs").glob("*.md")):
        if path.stem != "README" and (path.stem,) not in helps:
            findings.append(f"docs/verbs/{path.name}: there is no verb {path.stem}")
    page = (book.DOCS / "mcp.md").read_text(encoding="utf-8")
    for tool in sorted(book.mcp_tools()):
        if f"`{tool}`" not in page:
            findings.append(f"docs/mcp.md: does not name the tool {tool}")


def check_generated(findings, page):
    if generate.fresh(page.text) != page.text:
        findings.append(f"{page.name}: a generated part is not up to date; run python3 docs/tools/generate.py")


def check_icon(findings):
    if (book.DOCS / "theme/favicon.svg").read_bytes() != (book.ROOT / "dashboard/public/icon.svg").read_bytes():
        findings.append("docs/theme/favicon.svg: is not dashboard/public/icon.svg")


def main():
    findings = []
    helps, routes, tools = book.helps(), book.routes(), book.mcp_tools()
    methods, keys = book.engine_methods(), {key for key, _, _ in book.settings()}
    keys |= {key.rsplit(".", 1)[0] for key in keys if "." in key}
    check_summary(findings)
    check_verbs(findings, helps)
    check_icon(findings)
    pages = [book.Page(book.DOCS / "SUMMARY.md"), *book.pages(), *book.beside()]
    for page in pages:
        check_links(findings, page)
        check_commands(findings, page, helps)
        check_names(findings, page, routes, tools, methods, keys)
        check_generated(findings, page)
    for finding in findings:
        print(finding)
    print(f"{len(pages)} pages, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
