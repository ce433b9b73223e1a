"""Runs the queries of a document against exports of a store with known contents."""

import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import duckdb

PERI, DOCUMENT = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])

# Two weeks, three kinds, three scripts; the third is recalled, and two are linked.
MEMORIES = [
    {"content": "Ana prefers green tea", "kind": "preference", "occurred_at": "2026-01-05T10:00:00Z", "tags": ["tea"]},
    {"content": "김민수는 부산에 산다", "kind": "fact", "occurred_at": "2026-01-06T10:00:00Z", "tags": ["이사", "tea"]},
    {"content": "王芳喜欢在周末拍照", "kind": "fact", "occurred_at": "2026-01-07T10:00:00Z"},
    {"content": "The staging server is called Ganymede", "kind": "fact", "occurred_at": "2026-01-13T10:00:00Z"},
    {"content": "I will bring the kiln", "kind": "episode", "occurred_at": "2026-01-14T10:00:00Z", "session": "monday",
     "speaker": "Ines"},
    {"content": "a note for the trash", "kind": "observation", "occurred_at": "2026-01-14T10:00:00Z"},
]


def queries(text):
    """The fenced queries of the document, by name."""
    found = dict(re.findall(r"^```sql name=(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    assert len(found) == text.count("```sql"), "every query of the document has a name of its own"
    return found


class Store:
    """A data folder and the command on it."""

    def __init__(self, folder):
        self.folder = folder

    def peri(self, *arguments, text=""):
        environment = {"PERI_HOME": str(self.folder / "home"), "PATH": os.environ["PATH"], "TZ": "UTC"}
        done = subprocess.run([PERI, *arguments], input=text, text=True, capture_output=True, env=environment,
                              cwd=self.folder, timeout=120)
        assert done.returncode == 0, f"{arguments}: {done.stdout}{done.stderr}"
        return done.stdout

    def fill(self):
        lines = "".join(json.dumps(memory) + "\n" for memory in MEMORIES)
        self.peri("remember", "--file", "-", "--format", "jsonl", text=lines)
        listed = json.loads(self.peri("list", "--limit", "100", "--json"))["memories"]
        ids = {memory["content"]: memory["id"] for memory in listed}
        assert len(ids) == len(MEMORIES)
        self.peri("graph", "link", ids[MEMORIES[0]["content"]], ids[MEMORIES[3]["content"]], "--type", "sequence")
        self.peri("forget", ids[MEMORIES[5]["content"]])
        for _ in range(3):
            self.peri("recall", "Ganymede")


class Queries(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        store = Store(cls.folder)
        store.fill()
        cls.files = ["memories.jsonl", "memories.jsonl.zst"]
        for file in cls.files:
            store.peri("export", file)
        cls.queries = queries(DOCUMENT.read_text(encoding="utf-8"))

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def ask(self, name):
        """What a query of the document answers, which must be the same of either file."""
        answers = []
        for file in self.files:
            with duckdb.connect() as database:
                views = self.queries["views"]
                self.assertIn("'memories.jsonl'", views)
                database.execute(views.replace("'memories.jsonl'", f"'{self.folder / file}'"))
                answers.append(database.execute(self.queries[name]).fetchall())
        self.assertEqual(answers[0], answers[1], "plain and compressed")
        return answers[0]

    def test_every_query_of_the_document_is_asked(self):
        asked = {"views", "whole", "kinds_by_week", "most_recalled", "links", "tags", "speakers"}
        self.assertEqual(set(self.queries), asked)

    def test_the_file_is_whole(self):
        self.assertEqual(self.ask("whole"), [(6, 6)])

    def test_memories_by_kind_and_week(self):
        first, second = datetime.date(2026, 1, 5), datetime.date(2026, 1, 12)
        expected = [("episode", second, 1), ("fact", first, 2), ("fact", second, 1), ("preference", first, 1)]
        self.assertEqual(self.ask("kinds_by_week"), expected)

    def test_what_is_recalled_most(self):
        self.assertEqual(self.ask("most_recalled")[0], ("The staging server is called Ganymede", 3))

    def test_links(self):
        expected = ("Ana prefers green tea", "sequence", "The staging server is called Ganymede", 1.0)
        self.assertIn(expected, self.ask("links"))

    def test_tags(self):
        self.assertEqual(self.ask("tags"), [("tea", 2), ("이사", 1)])

    def test_speakers(self):
        self.assertEqual(self.ask("speakers"), [("Ines", "monday", 1)])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
