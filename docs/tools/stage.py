"""Puts what belongs into the book into a folder of its own, so that nothing else gets into it:

    python3 docs/tools/stage.py target/book-source

Pages that are listed and may come later (`check.AWAITED`) are left out of the table of contents.
"""

import re
import shutil
import sys
from pathlib import Path

import book
import check


def main(target):
    target = Path(target).resolve()
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    listed = [name for name in book.summary() if (book.DOCS / name).exists()]
    pictures = [path.relative_to(book.DOCS).as_posix() for path in book.DOCS.rglob("*")
                if path.suffix in (".svg", ".png", ".css")]
    for name in [*listed, *pictures, "book.toml"]:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(book.DOCS / name, target / name)
    lines = (book.DOCS / "SUMMARY.md").read_text(encoding="utf-8").splitlines(keepends=True)
    there = [line for line in lines if not set(re.findall(r"\]\((\S+?)\)", line)) & (check.AWAITED - set(listed))]
    (target / "SUMMARY.md").write_text("".join(there), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
