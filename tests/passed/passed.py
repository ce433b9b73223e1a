#!/usr/bin/env python3
"""Knows what has passed as it is, so that `./test` need not run it again.

    passed.py binaries                the test programs that have not, as an expression for nextest; nothing if all have
    passed.py note-binaries REPORT    notes those of which no test failed, by the report that nextest wrote of its run
    passed.py has NAME PATH…          whether a step has, with these files and folders as they are
    passed.py note NAME PATH…         notes that it has

Contents are compared, not times: those of the test program itself, of the programs that its crate makes, and of every file
of the crate and of `tests`, which it may read while it runs. What a test program is compiled from is part of it. Kept
beside the build, in `passed.json`; `./test --all` throws that away.
"""

import hashlib
import json
import os
import pathlib
import subprocess
import sys
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target")
KEPT = TARGET / "passed.json"
# What the test programs were like when a run of them began.
BEGUN = TARGET / "passed-begun.json"
# What tests read that are in no crate.
SHARED = ["tests", ".config", "Cargo.lock"]


def files(path):
    """The files of a path: itself, or what git knows or would take in a folder."""
    path = pathlib.Path(path)
    if not (ROOT / path).is_dir():
        return [ROOT / path]
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", str(path)]
    told = subprocess.run(listed, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
    return sorted(ROOT / name for name in set(told.decode().split("\0")) if name)


def digest(paths):
    """One for the names and contents of all files; a file that is not there counts as such."""
    whole = hashlib.sha256()
    for path in paths:
        for file in files(path):
            content = file.read_bytes() if file.is_file() else b"\0"
            whole.update(f"{file.relative_to(ROOT) if file.is_relative_to(ROOT) else file}\0{len(content)}\0".encode())
            whole.update(content)
    return whole.hexdigest()


def read(place):
    """What is kept in a place. What cannot be read is forgotten: then everything runs."""
    try:
        told = json.loads(place.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return told if isinstance(told, dict) else {}


def write(place, told):
    draft = place.with_suffix(".tmp")
    draft.write_text(json.dumps(told, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    draft.replace(place)


def states(listed, folders):
    """What each test program of nextest's list is like now, by its name there; with the folder of each crate."""
    programs = listed["rust-build-meta"]["non-test-binaries"]
    target = pathlib.Path(listed["rust-build-meta"]["target-directory"])
    shared = digest(SHARED)
    crates = {}
    told = {}
    for name, binary in listed["rust-binaries"].items():
        package = binary["package-id"]
        if package not in crates:
            made = sorted(target / program["path"] for program in programs.get(package, []))
            crates[package] = digest([*made, folders[package]])
        told[name] = hashlib.sha256(f"{digest([binary['binary-path']])} {crates[package]} {shared}".encode()).hexdigest()
    return told


def left(now, kept):
    """The names of those that have not passed as they are."""
    return [name for name, state in sorted(now.items()) if kept.get(name) != state]


def expression(names, of):
    if len(names) == of:
        return "all()"
    return " | ".join(f"binary_id(={name})" for name in names)


def clean(report):
    """The test programs of a report of which every test passed."""
    suites = xml.etree.ElementTree.parse(report).getroot().iter("testsuite")
    return [
        suite.get("name") for suite in suites if int(suite.get("failures", 0)) == int(suite.get("errors", 0)) == 0
    ]


def told_by(*command):
    """What a command of cargo's tells as JSON."""
    return json.loads(subprocess.run(["cargo", *command], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)


def binaries():
    packages = told_by("metadata", "--locked", "--no-deps", "--format-version", "1")["packages"]
    folders = {one["id"]: pathlib.Path(one["manifest_path"]).parent.relative_to(ROOT) for one in packages}
    kinds = ["--list-type", "binaries-only", "--message-format", "json"]
    now = states(told_by("nextest", "list", "--locked", "--workspace", *kinds), folders)
    write(BEGUN, now)
    print(expression(left(now, read(KEPT)), len(now)))


def note_binaries(report):
    begun = read(BEGUN)
    write(KEPT, {**read(KEPT), **{name: begun[name] for name in clean(report) if name in begun}})


def step(name, paths):
    return {f"step {name}": digest(paths)}


def main(asked):
    verb, given = (asked[0], asked[1:]) if asked else ("", [])
    if verb == "binaries" and not given:
        binaries()
    elif verb == "note-binaries" and len(given) == 1:
        note_binaries(given[0])
    elif verb == "has" and given:
        return 0 if step(given[0], given[1:]).items() <= read(KEPT).items() else 1
    elif verb == "note" and given:
        write(KEPT, {**read(KEPT), **step(given[0], given[1:])})
    else:
        print(__doc__, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
