"""What the soak promises about its own judgement."""

import pathlib
import sys
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent), str(pathlib.Path(__file__).resolve().parents[1] / "peers")]

import lines  # noqa: E402
import load  # noqa: E402
import verdict  # noqa: E402


class Verdict(unittest.TestCase):
    def test_a_row_that_stays_is_level(self):
        self.assertTrue(verdict.level("own", [(at, 100.0 + at % 3) for at in range(100)])["level"])

    def test_a_row_that_grows_is_not(self):
        self.assertFalse(verdict.level("own", [(at, 100.0 + at) for at in range(100)])["level"])

    def test_one_spike_is_not_growth(self):
        row = [(at, 1000.0 if at == 90 else 100.0) for at in range(100)]
        self.assertTrue(verdict.level("handles", row)["level"])

    def test_what_has_no_limit_is_only_told(self):
        self.assertTrue(verdict.level("disk", [(at, 1.0 + at) for at in range(10)])["level"])

    def test_latencies_are_by_name_and_window(self):
        taken = [(at / 10, "recall", 0.001) for at in range(300)] + [(1.0, "remember", 9.0)]
        self.assertEqual(verdict.latencies(taken, "recall", 10, 0.95), [(0, 1.0), (10, 1.0), (20, 1.0)])

    def test_a_window_with_few_calls_says_nothing(self):
        self.assertEqual(verdict.latencies([(0.0, "recall", 0.001)], "recall", 10, 0.5), [])


class Lines(unittest.TestCase):
    def test_a_plot_is_an_svg_with_a_line_for_each_row(self):
        drawn = lines.plot("메모리 & more", "MB", [("a", [(0, 1.0), (1, 2.0)]), ("b", [(0, 0.0), (1, 0.5)])])
        self.assertEqual(drawn.count("<polyline"), 2)
        self.assertIn("메모리 &amp; more", drawn)

    def test_the_top_is_a_round_number_at_or_above_the_most(self):
        for most, top in ((0.7, 0.8), (1.0, 1.0), (37.0, 40.0), (250.0, 300.0), (1001.0, 1500.0)):
            self.assertAlmostEqual(lines.nice(most), top)

    def test_a_line_of_blocks_has_its_width(self):
        self.assertEqual(len(lines.spark([(at, at) for at in range(120)], width=60)), 60)
        self.assertEqual(lines.spark([(0, 0.0)]), "▁")


class Shares(unittest.TestCase):
    def test_the_shares_of_all_calls_make_a_thousand(self):
        self.assertEqual(sum(load.SHARES), 1000)


if __name__ == "__main__":
    unittest.main()
