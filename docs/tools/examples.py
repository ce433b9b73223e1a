"""Runs what pages show in fences of the language `console`, and compares what comes out.

    $ peri remember "Ana prefers tea"       a command, which may go on after a backslash
    stored 0198c5b2-7d31-… in default       what it prints, errors and notes included
    …                                       stands for any lines

Each page has an empty home of its own and is run from top to bottom. Ids, times, durations, sizes and scores need not
be the same: an id must stand for the same thing throughout a page, the others must only be of their sort. A reader's
home is called /home/ana.

    python3 docs/tools/examples.py            compares; exit code 1 if something differs
    python3 docs/tools/examples.py --write    writes what came out into the pages
    python3 docs/tools/examples.py docs/verbs/recall.md …
"""

import os
import re
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import book

HOME = "/home/ana"
PATIENCE_SECONDS = 60
# An id, or its beginning as answers show it.
ID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}(?:-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})?\b")
# How ids begin that no memory of a page has: those of pages and of the program's own words, and one of nothing.
OURS = ("0198c5b2-", "ffffffff-")
# What may differ from run to run, and what it is compared as. The order counts.
SORTS = [
    (re.compile(r"\b\d{8}T\d{6}Z-\d{12}(?:-before-restore)?\b"), "BACKUP"),
    (re.compile(r"\bperihelion-demo-[\d-]+"), "DEMO"),
    (re.compile(r"\bepisodes-[\w.-]+"), "SNAPSHOT"),
    (re.compile(r"\bperi_[A-Za-z0-9_]{16,}\b"), "SECRET"),
    (re.compile(r"\b[Kk]ey(?: revoke)? [a-z0-9]{8}\b|^[a-z0-9]{8}(?=  )"), "KEY"),
    (re.compile(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?"), "TIME"),
    (re.compile(r"\b\d{4}-\d\d-\d\d\b"), "DAY"),
    (re.compile(r"\b\d\d:\d\d(?::\d\d(?:\.\d+)?)?\b"), "CLOCK"),
    (re.compile(r"\b[0-9a-f]{12,}\b"), "DIGEST"),
    (re.compile(r"\b[\d.]+ (?:B|[kKMG]B|[KMGT]iB)\b"), "SIZE"),
    (re.compile(r"\b[\d.]+ ?(?:ms|µs|min|s|m|h)\b"), "DURATION"),
    (re.compile(r"[-+]?\b\d+\.\d+\b"), "NUMBER"),
    (re.compile(r"▪+"), "BAR"),
    (re.compile(r"[ \t]+"), " "),
]


class Command:
    """One command of a page, and the lines that it is said to print."""

    def __init__(self, line, words):
        self.line, self.words, self.shown = line, words, []


def commands(page):
    """The commands of a page's fences, in order."""
    found, open_command, unfinished = [], None, False
    for number, line, fence in page.lines:
        if fence != "console":
            open_command = None
        elif unfinished:
            open_command.words += "\n" + line
            unfinished = line.endswith("\\")
        elif line.startswith("$ "):
            open_command = Command(number, line[2:])
            found.append(open_command)
            unfinished = line.endswith("\\")
        elif open_command:
            open_command.shown.append(line)
    return found


class Home:
    """A page's own home, and which real id each id on the page stands for."""

    def __init__(self, folder, binary):
        self.folder = Path(folder).resolve()
        self.real, self.pretty = {}, {}
        for name in ("home", "bin", "tmp"):
            (self.folder / name).mkdir()
        (self.folder / "bin" / "peri").symlink_to(binary)
        kept = ("LANG", "LC_ALL")
        self.environment = {name: os.environ[name] for name in kept if name in os.environ} | {
            "PATH": f"{self.folder}/bin:/usr/local/bin:/usr/bin:/bin", "HOME": str(self.folder / "home"), "TMPDIR": str(self.folder / "tmp"),
            "NO_COLOR": "1", "TZ": "UTC", "COLUMNS": "100"}

    def run(self, words):
        """What a command prints, with the reader's home in the place of this one."""
        process = subprocess.Popen(["bash", "-c", self.with_real_ids(words)], cwd=self.folder / "home",
                                   env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, start_new_session=True)
        try:
            output, _ = process.communicate(timeout=PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output = process.communicate()[0] + b"(it did not end; a command that stays belongs into a fence `sh`)"
        printed = output.decode("utf-8", "replace").rstrip("\n")
        return printed.replace(str(self.folder / "home"), HOME).replace(str(self.folder / "tmp"), "/tmp")

    def with_real_ids(self, words):
        def real(match):
            whole = [shown for shown in self.real if shown.startswith(match[0])]
            return self.real[whole[0]] if whole else match[0]
        return ID.sub(real, words)

    def bind(self, shown, real):
        """Whether an id of the page can stand for a real one. Ids in the program's own words stand for themselves."""
        if real.startswith(OURS):
            return shown == real
        name = self._whole(shown)
        known = self._known(real)
        if known:
            return self.pretty[known] == name
        if name in self.real:
            return False
        self.real[name], self.pretty[real] = real, name
        return True

    def with_shown_ids(self, text):
        """An output as the page shows it: real ids become ones that never change."""
        def shown(match):
            real = match[0]
            if real.startswith(OURS):
                return real
            if not self._known(real):
                number = 1
                while self._name(number) in self.real:
                    number += 1
                self.bind(self._name(number), real)
            return self.pretty[self._known(real)][:len(real)]
        return ID.sub(shown, text)

    def _known(self, real):
        """What an id was seen as before: itself, or its beginning, or the whole of which it is the beginning."""
        return next((known for known in self.pretty if known.startswith(real) or real.startswith(known)), None)

    def _whole(self, shown):
        """The whole of a page's id of which only the beginning is shown."""
        return self._name(int(shown[11:13], 16) - 0x30) if shown.startswith(OURS[0]) else shown

    @staticmethod
    def _name(number):
        return f"0198c5b2-7d{0x30 + number:02x}-7a41-9c55-1f2e3d4c5b{number:02x}"


def sort_of(line):
    """A line with everything that may differ replaced by its sort."""
    line = ID.sub("ID", line)
    for pattern, name in SORTS:
        line = pattern.sub(name, line)
    return line.strip()


def pairs_of(shown, real):
    """The ids of a page beside those that came out, if the lines are the same; None if they are not. A line `…` stands
    for any number of lines."""
    if not shown:
        return None if real else []
    if shown[0].strip() == "…":
        tried = (pairs_of(shown[1:], real[at:]) for at in range(len(real) + 1))
        return next((pairs for pairs in tried if pairs is not None), None)
    if not real or sort_of(shown[0]) != sort_of(real[0]):
        return None
    rest = pairs_of(shown[1:], real[1:])
    return None if rest is None else list(zip(ID.findall(shown[0]), ID.findall(real[0]))) + rest


def same(shown, real, home):
    """Whether real lines are what a page shows."""
    pairs = pairs_of(shown, real)
    return pairs is not None and all([home.bind(*pair) for pair in pairs])


def run_page(page, binary):
    """Runs a page; tells what differs as (command, real lines as the page would show them)."""
    differing = []
    with tempfile.TemporaryDirectory(prefix="peri-docs-", ignore_cleanup_errors=True) as folder:
        home = Home(folder, binary)
        for command in commands(page):
            real = home.run(command.words)
            lines = real.split("\n") if real else []
            if not same(command.shown, lines, home):
                differing.append((command, home.with_shown_ids(real).split("\n") if real else []))
    return differing


def rewrite(page, differing):
    """Puts what came out into the page."""
    lines = page.text.splitlines()
    for command, real in reversed(differing):
        after = command.line + command.words.count("\n")
        lines[after:after + len(command.shown)] = real
    page.path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def binary():
    named = os.environ.get("PERI")
    target = Path(os.environ.get("CARGO_TARGET_DIR", book.ROOT / "target"))
    path = Path(named) if named else target / "debug" / "peri"
    if not path.exists():
        sys.exit(f"{path} does not exist: run `cargo build -p peri-cli`, or name a binary in PERI")
    return path.resolve()


def main(arguments):
    write = "--write" in arguments
    named = [Path(argument).resolve() for argument in arguments if not argument.startswith("--")]
    pages = [book.Page(path) for path in named] or book.pages() + book.beside()
    pages = [page for page in pages if commands(page)]
    peri = binary()
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 2) as pool:
        outcomes = list(pool.map(lambda page: run_page(page, peri), pages))
    faults = 0
    for page, differing in zip(pages, outcomes):
        faults += len(differing)
        if write and differing:
            rewrite(page, differing)
            print(f"{page.name}: {len(differing)} outputs written")
            continue
        for command, real in differing:
            print(f"\n{page.name}:{command.line}: $ {command.words}\n  the page shows:")
            print("\n".join(f"    {line}" for line in command.shown) or "    (nothing)")
            print("  it prints:")
            print("\n".join(f"    {line}" for line in real) or "    (nothing)")
    count = sum(len(commands(page)) for page in pages)
    print(f"{count} commands on {len(pages)} pages, {faults} print something else")
    return 1 if faults and not write else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
