"""What the harness promises about its own work: `python3 -m unittest discover bench/peers`."""

import json
import os
import pathlib
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

import workload  # noqa: E402
from figures import Figure, Missing, filled, of, quality  # noqa: E402
from install import lock_files, version  # noqa: E402
from page import Page  # noqa: E402
from peers import OTHERS, VECTORS  # noqa: E402
from plots import bars  # noqa: E402
from processes import Run  # noqa: E402
from stages import outcome  # noqa: E402


def row(**stages):
    return {"version": "1", "beside": "ours", **stages}


class Workload(unittest.TestCase):
    def test_memories_are_the_same_on_every_run_and_no_two_are_alike(self):
        once, again = list(workload.memories(500)), list(workload.memories(500))
        self.assertEqual(once, again)
        self.assertEqual(once[200:], list(workload.memories(300, 200)))
        self.assertEqual(len({memory["text"] for memory in once}), 500)

    def test_korean_and_chinese_are_among_them(self):
        texts = " ".join(memory["text"] for memory in workload.memories(300))
        self.assertIn("회의", texts)
        self.assertIn("记录", texts)

    def test_no_question_holds_the_number_that_occurs_once(self):
        self.assertFalse([asked for asked in workload.questions(200, 1000) if "K0" in asked or not asked])

    def test_times_of_turns_are_read_and_others_are_left_out(self):
        self.assertEqual(workload.moment("1:56 pm on 8 May, 2023"), "2023-05-08T13:56:00Z")
        self.assertIsNone(workload.moment("지난주"))


class Figures(unittest.TestCase):
    def test_what_was_not_done_in_time_says_how_far_it_came(self):
        told = row(fill_one={"marks": {"100": 1.0}, "reached": 300, "seconds": 60.0})
        self.assertEqual(filled("one", 100)(told), 1.0)
        with self.assertRaisesRegex(Missing, "300 of 1,000 after 60 s"):
            filled("one", 1000)(told)

    def test_a_ratio_needs_both_sides(self):
        figure = Figure("p50", of("recall", "p50_ms"), str)
        slow, fast, none = (row(recall=told) for told in ({"p50_ms": 8}, {"p50_ms": 2}, {"no": "cannot"}))
        self.assertEqual(figure.ratio(slow, fast), 4)
        self.assertIsNone(figure.ratio(none, fast))
        self.assertIsNone(figure.ratio(slow, none))

    def test_quality_is_compared_over_the_conversations_that_both_did(self):
        first = {"conversation": "a", "questions": 10, "sum_5": 5}
        second = {"conversation": "b", "questions": 10, "sum_5": 10}
        ours, peer = row(quality={"done": [first, second]}), row(quality={"done": [first]})
        self.assertEqual(Figure("R@5", quality(5), str, larger_is_better=True).ratio(peer, ours), 1)

    def test_a_peer_is_compared_with_what_was_measured_of_ours_beside_it(self):
        figure = Figure("p50", of("recall", "p50_ms"), str)
        ours = row(recall={"p50_ms": 2}, quality={"done": []})
        near = row(recall={"p50_ms": 12}, ours={"recall": {"p50_ms": 4}})
        page = Page({"peers": {"ours": ours, "near": near, "far": row(recall={"p50_ms": 12})}, "size": {}}, None)
        self.assertEqual(figure.ratio(near, page.ours("near")), 3)
        self.assertEqual(figure.ratio(near, page.ours("far")), 6)
        self.assertEqual(page.ours("near")["quality"], {"done": []}, "what was not measured again is that of the row")

    def test_what_a_peer_cannot_do_is_no_with_the_reason(self):
        self.assertEqual(outcome({"cannot": "no batches"}), {"no": "no batches"})
        self.assertEqual(outcome({"failed": "locked"}), {"no": "it failed: locked"})


def gone(pid):
    """Whether a process has ended, whether or not somebody has asked for its status yet."""
    try:
        state = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return True
    return state.rpartition(")")[2].split()[0] in "ZX"


class Processes(unittest.TestCase):
    def begin(self, script):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        run = Run([sys.executable, "-c", script], dict(os.environ), pathlib.Path(folder.name) / "log")
        self.addCleanup(run.process.stdout.close)
        self.addCleanup(run.end)
        return run

    def test_everything_that_was_said_before_the_end_is_read(self):
        run = self.begin("print('{\"a\": 1}'); print('{\"a\": 2}')")
        self.assertEqual(run.rest(time.monotonic() + 60), [{"a": 1}, {"a": 2}])

    def test_a_kill_ends_children_too(self):
        lines = [
            "import json, subprocess",
            "child = subprocess.Popen(['sleep', '600'])",
            "print(json.dumps({'pid': child.pid}), flush=True)",
            "child.wait()",
        ]
        run = self.begin("\n".join(lines))
        pid = run.read(time.monotonic() + 60)["pid"]
        run.kill()
        # The pipe ends only when nobody of the group holds it any more; who dies lets go of it first.
        self.assertEqual(run.rest(time.monotonic() + 60), [])
        until = time.monotonic() + 60
        while not gone(pid) and time.monotonic() < until:
            time.sleep(0.01)
        self.assertTrue(gone(pid))


class Plots(unittest.TestCase):
    def test_a_picture_is_well_formed_and_escapes_names(self):
        drawn = bars("a < b", "about", [("perihelion", 1.0), ("x & y", 250.0)], str)
        self.assertIn("x &amp; y", drawn)
        xml.etree.ElementTree.fromstring(drawn)

    def test_shares_of_nothing_are_drawn(self):
        xml.etree.ElementTree.fromstring(bars("R", "about", [("a", 0.0), ("b", 0.5)], str, logarithmic=False))


class Locks(unittest.TestCase):
    def test_every_environment_is_locked_without_the_name_of_a_registry(self):
        for peer in [*OTHERS, VECTORS]:
            self.assertTrue(version(peer), peer.name)
            for lock in lock_files(peer):
                told = lock.read_text(encoding="utf-8")
                self.assertNotIn("registry.", told, lock)
                self.assertNotIn("file:", told, lock)
                if lock.suffix == ".json":
                    json.loads(told)


if __name__ == "__main__":
    unittest.main()
