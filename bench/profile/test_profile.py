"""What the profile's tools make of small profiles."""

import os
import sys
import unittest
import xml.etree.ElementTree

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import callgrind  # noqa: E402
import flame  # noqa: E402

# main calls remember twice, which calls relate and flush; a flush calls itself once.
PROFILE = """\
version: 1
events: Ir

fl=(1) main.rs
fn=(1) main
1 10
cfn=(2) perihelion::remember::h0123456789abcdef
calls=2 20
1 90

fl=(2) remember.rs
fn=(2)
20 30
cfn=(3) peri_text::relate
calls=8 40
21 40
cfn=(4) flush
calls=2 50
+1 20

fn=(3)
40 40

fn=(4)
50 15
cfn=(5) flush'2
calls=1 50
50 5
fn=(5)
50 5
"""


class Callgrind(unittest.TestCase):
    def setUp(self):
        self.functions = callgrind.read(PROFILE.splitlines())

    def test_own_costs_and_costs_of_calls_are_told_apart(self):
        remember = self.functions["perihelion::remember"]
        self.assertEqual((remember.own, dict(remember.calls)), (30, {"peri_text::relate": 40, "flush": 20}))
        self.assertEqual(callgrind.total(self.functions), 10 + 30 + 40 + 20)

    def test_stacks_add_up_to_the_whole(self):
        stacks = callgrind.stacks(self.functions)
        self.assertAlmostEqual(sum(stacks.values()), 100)
        self.assertAlmostEqual(stacks[("main", "perihelion::remember", "peri_text::relate")], 40)
        self.assertAlmostEqual(stacks[("main", "perihelion::remember", "flush")], 20)

    def test_a_root_leaves_out_who_called_it(self):
        stacks = callgrind.stacks(self.functions, ["remember"])
        self.assertEqual({stack[0] for stack in stacks}, {"perihelion::remember"})
        self.assertAlmostEqual(sum(stacks.values()), 90)

    def test_of_a_root_the_dearest_function_is_taken(self):
        self.assertEqual(callgrind.widest(self.functions, "re"), "perihelion::remember")
        self.assertIsNone(callgrind.widest(self.functions, "recall"))

    def test_what_is_below_the_share_is_counted_for_its_caller(self):
        stacks = callgrind.stacks(self.functions, share_min=0.25)
        self.assertNotIn(("main", "perihelion::remember", "flush"), stacks)
        self.assertAlmostEqual(stacks[("main", "perihelion::remember")], 30 + 20)

    def test_the_heaviest_come_first(self):
        self.assertEqual(callgrind.heaviest(self.functions, 1), [(40, "peri_text::relate")])


class Flame(unittest.TestCase):
    def test_the_picture_is_sound_and_as_wide_as_its_costs(self):
        picture = flame.draw({("a", "b<기억 & 记忆>"): 75, ("a", "sqlite3_step"): 25}, "before & after")
        tree = xml.etree.ElementTree.fromstring(picture)
        boxes = {}
        for group in tree.iter("{http://www.w3.org/2000/svg}g"):
            rect = group.find("{http://www.w3.org/2000/svg}rect")
            boxes[group.find("{http://www.w3.org/2000/svg}title").text] = float(rect.get("width"))
        self.assertAlmostEqual(boxes["b<기억 & 记忆>: 75.0 %"], 3 * boxes["sqlite3_step: 25.0 %"], delta=0.2)

    def test_nothing_at_all_is_a_picture_too(self):
        xml.etree.ElementTree.fromstring(flame.draw({}, "nothing"))

    def test_samples_of_perf_are_folded_from_the_bottom(self):
        script = [
            "peri 1 2.0: 1 cycles:",
            "\t55 peri_text::relate+0x1f (/bin/peri)",
            "\t44 main (/bin/peri)",
            "",
        ]
        self.assertEqual(flame.fold(script * 2), {("main", "peri_text::relate"): 2})

    def test_pruning_keeps_the_sum(self):
        kept = flame.pruned({("a", "b"): 1, ("a", "c"): 999})
        self.assertEqual(kept, {("a",): 1, ("a", "c"): 999})


if __name__ == "__main__":
    unittest.main()
