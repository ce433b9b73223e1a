"""What `passed.py` promises: nothing is left out that is not as it was when it passed."""

import json
import pathlib
import subprocess
import tempfile
import unittest

import passed

REPORT = """<testsuites>
  <testsuite name="peri-one::it" tests="2" failures="0" errors="0"><testcase name="a"/></testsuite>
  <testsuite name="peri-two" tests="2" failures="1" errors="0"><testcase name="b"><failure/></testcase></testsuite>
  <testsuite name="peri-three" tests="1" failures="0" errors="1"><testcase name="c"/></testsuite>
</testsuites>"""


class Passed(unittest.TestCase):
    """Each test has a repository of its own."""

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        root = pathlib.Path(place.name).resolve()
        before = passed.ROOT, passed.TARGET, passed.KEPT, passed.BEGUN
        self.addCleanup(lambda: self.aim(*before))
        target = root / "target"
        self.aim(root, target, target / "passed.json", target / "passed-begun.json")
        self.root = root
        for name, text in {
            ".gitignore": "target/",
            "crates/peri-one/src/lib.rs": "one",
            "crates/peri-one/tests/fixtures/메모.txt": "기억",
            "crates/peri-two/src/lib.rs": "two",
            "tests/servers/install": "servers",
            "target/debug/peri": "program",
            "target/debug/deps/it": "tests of one",
            "target/debug/deps/two": "tests of two",
        }.items():
            self.put(name, text)
        subprocess.run(["git", "init", "-q", root], check=True)

    @staticmethod
    def aim(*places):
        passed.ROOT, passed.TARGET, passed.KEPT, passed.BEGUN = places

    def put(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def states(self):
        def binary(crate, file):
            return {"package-id": crate, "binary-path": str(self.root / "target/debug/deps" / file)}

        made = {"peri-one": [{"name": "peri", "kind": "bin-exe", "path": "debug/peri"}]}
        return passed.states(
            {
                "rust-build-meta": {"target-directory": str(self.root / "target"), "non-test-binaries": made},
                "rust-binaries": {"peri-one::it": binary("peri-one", "it"), "peri-two": binary("peri-two", "two")},
            },
            {crate: pathlib.Path("crates") / crate for crate in ("peri-one", "peri-two")},
        )

    def test_what_is_as_it_was_is_left_out_and_what_is_not_is_not(self):
        before = self.states()
        self.assertEqual(passed.left(before, {}), ["peri-one::it", "peri-two"])
        self.assertEqual(passed.left(self.states(), before), [])
        both, one, two = ["peri-one::it", "peri-two"], ["peri-one::it"], ["peri-two"]
        for name, text, runs in [
            ("target/debug/deps/it", "other tests", one),
            ("target/debug/deps/two", "other tests", two),
            ("target/debug/peri", "another program", one),
            ("crates/peri-one/tests/fixtures/메모.txt", "다른 기억", one),
            ("crates/peri-two/tests/new.txt", "", two),
            ("tests/servers/install", "other servers", both),
            ("docs/page.md", "a page", []),
        ]:
            with self.subTest(name):
                before = self.states()
                self.put(name, text)
                self.assertEqual(passed.left(self.states(), before), runs)

    def test_only_programs_without_a_failure_are_noted_and_as_they_were_when_the_run_began(self):
        self.put("target/report.xml", REPORT)
        self.assertEqual(passed.clean(self.root / "target/report.xml"), ["peri-one::it"])
        passed.write(passed.BEGUN, {"peri-one::it": "begun", "peri-two": "begun"})
        passed.write(passed.KEPT, {"peri-two": "earlier"})
        passed.note_binaries(self.root / "target/report.xml")
        self.assertEqual(passed.read(passed.KEPT), {"peri-one::it": "begun", "peri-two": "earlier"})

    def test_a_step_has_passed_until_something_it_looks_at_changes(self):
        asked = ["faces", "target/debug/peri", "tests/servers"]
        self.assertEqual(passed.main(["has", *asked]), 1)
        self.assertEqual(passed.main(["note", *asked]), 0)
        self.assertEqual(passed.main(["has", *asked]), 0)
        self.assertEqual(passed.main(["has", "browser", *asked[1:]]), 1, "each step has its own")
        for name in asked[1:] + ["tests/servers/new"]:
            with self.subTest(name):
                self.put(name if name != "tests/servers" else "tests/servers/install", f"changed {name}")
                self.assertEqual(passed.main(["has", *asked]), 1)
                passed.main(["note", *asked])
        (self.root / "target/debug/peri").unlink()
        self.assertEqual(passed.main(["has", *asked]), 1, "what is gone has changed")

    def test_a_record_that_cannot_be_read_leaves_nothing_out(self):
        for text in ["", "{", "[]", "null"]:
            self.put("target/passed.json", text)
            self.assertEqual(passed.read(passed.KEPT), {}, json.dumps(text))

    def test_nextest_is_told_names_to_the_letter(self):
        self.assertEqual(passed.expression(["a", "b"], 2), "all()")
        self.assertEqual(passed.expression(["peri-one::it", "b"], 3), "binary_id(=peri-one::it) | binary_id(=b)")
        self.assertEqual(passed.expression([], 3), "")


if __name__ == "__main__":
    unittest.main()
