"""What every check of the documentation reads: pages, their fences and links, the commands and their help."""

import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
HELP = ROOT / "crates/peri-cli/tests/it/snapshots"
OPENAPI = ROOT / "crates/peri-http/openapi.json"
TOOLS = ROOT / "crates/peri-mcp/tests/it/snapshots"
DEFAULTS = ROOT / "crates/peri-cli/src/config/default.toml"
ENGINE = ROOT / "crates/perihelion/src"

# Pages outside the book whose links and commands must hold as well.
BESIDE = ["README.md", "README.ko.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "clients/README.md",
          "clients/python/README.md", "clients/typescript/README.md", "bench/peers/README.md"]


class Page:
    """A Markdown file: its lines, each with whether it is inside a fence and of which language."""

    def __init__(self, path, text=None):
        self.path = Path(path)
        self.text = self.path.read_text(encoding="utf-8") if text is None else text
        self.lines = list(self._lines())

    @property
    def name(self):
        try:
            return self.path.relative_to(ROOT).as_posix()
        except ValueError:
            return self.path.name

    def _lines(self):
        fence = None
        for number, line in enumerate(self.text.splitlines(), 1):
            mark = re.match(r"\s*(`{3,}|~{3,})\s*([\w-]*)", line)
            if mark and fence is None:
                fence = (mark[1], mark[2] or "text")
                yield number, line, None
            elif mark and line.strip().startswith(fence[0]) and not mark[2]:
                fence = None
                yield number, line, None
            else:
                yield number, line, fence[1] if fence else None

    def prose(self):
        """Lines outside of fences."""
        return [(number, line) for number, line, fence in self.lines if fence is None]

    def spans(self):
        """What stands between backticks, outside of fences."""
        for number, line in self.prose():
            for span in re.findall(r"`([^`]+)`", line):
                yield number, span

    def links(self):
        """Targets of links and images: number of the line, target, whether it is an image."""
        for number, line in self.prose():
            bare = re.sub(r"`[^`]*`", "", line)
            for image, target in re.findall(r"(!?)\[[^\]]*\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)", bare):
                yield number, target, bool(image)
            for target in re.findall(r"<(?:img|script|link|iframe)\b[^>]*?(?:src|href)=\"([^\"]+)\"", bare):
                yield number, target, True

    def anchors(self):
        """What `#…` may lead to: the headings, as mdBook and forges name them."""
        seen, found = {}, set()
        for _, line in self.prose():
            heading = re.match(r"#{1,6}\s+(.*)", line)
            if not heading:
                continue
            slug = re.sub(r"[^\w\- ]", "", heading[1].strip().lower()).replace(" ", "-")
            count = seen.get(slug, 0)
            seen[slug] = count + 1
            found.add(slug if count == 0 else f"{slug}-{count}")
        return found

    def title(self):
        return next((line[2:].strip() for _, line in self.prose() if line.startswith("# ")), None)


def pages():
    """The pages of the book, SUMMARY.md apart."""
    return [Page(path) for path in sorted(DOCS.rglob("*.md")) if path.name != "SUMMARY.md"]


def beside():
    return [Page(ROOT / name) for name in BESIDE if (ROOT / name).exists()]


def summary():
    """The targets that SUMMARY.md lists, in order."""
    return [target for _, target, _ in Page(DOCS / "SUMMARY.md").links()]


def snapshot(path):
    """What a snapshot of insta holds, without its head."""
    return path.read_text(encoding="utf-8").split("---\n", 2)[2]


def helps():
    """Every command, as a tuple of words, and what its `--help` says. The tests hold these against the binary."""
    found = {}
    for path in sorted(HELP.glob("it__help__help_*.snap")):
        text = snapshot(path)
        usage = re.search(r"^Usage: peri((?: [a-z][\w-]*)*)", text, re.M)
        found[tuple(usage[1].split())] = text
    return found


def routes():
    """Every route of the HTTP API: (method, path) and its summary."""
    document = json.loads(OPENAPI.read_text(encoding="utf-8"))
    verbs = ("get", "post", "put", "patch", "delete")
    return {(method.upper(), path): operation.get("summary", "")
            for path, operations in document["paths"].items()
            for method, operation in operations.items() if method in verbs}


def mcp_tools():
    """The names of all MCP tools."""
    families = [json.loads(snapshot(path)) for path in TOOLS.glob("it__schemas__*.snap")]
    return {tool["name"] for family in families for tool in family["tools"]}


def settings():
    """Every setting as (key, default, what it does). Keys that stand right below each other share their comment."""
    section, comment, told, found = "", [], False, []
    for line in DEFAULTS.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            comment, told = ([] if told else comment) + [line[1:].strip()], False
        elif "=" in line:
            key, value = (part.strip() for part in line.split("=", 1))
            found.append((section + key, value, " ".join(comment)))
            told = True
        else:
            section = line.strip("[]") + "." if line.startswith("[") else section
            comment, told = [], False
    return found


def engine_methods():
    """The public functions of the engine's sources."""
    return {name for path in ENGINE.rglob("*.rs")
            for name in re.findall(r"pub fn (\w+)", path.read_text(encoding="utf-8"))}
