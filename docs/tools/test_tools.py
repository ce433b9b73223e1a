"""What the checks of the documentation promise about their own work: `python3 -m unittest discover -s docs/tools`."""

import unittest
from pathlib import Path

import book
import check
import examples
import generate


def page(text):
    return book.Page(book.DOCS / "page.md", text)


def findings(function, *arguments):
    found = []
    function(found, *arguments)
    return found


class Checks(unittest.TestCase):
    def test_a_page_that_nobody_lists_and_a_listed_page_that_is_missing_are_found(self):
        found = findings(check.check_summary, ["a.md", "gone.md", "a.md"], {"a.md", "alone.md"})
        self.assertEqual(len(found), 3, found)

    def test_links_lead_somewhere_within_the_book(self):
        for text, count in [("[a](SUMMARY.md)", 0), ("[a](gone.md)", 1), ("[a](../ARCHITECTURE.md)", 1),
                            ("![a](images/gone.png)", 1), ("![a](https://example.org/a.png)", 1),
                            ("[a](https://example.org)", 0), ("`[a](gone.md)`", 0), ("```\n[a](gone.md)\n```", 0),
                            ("[a](notes.md#a-language-model)", 0), ("[a](notes.md#nowhere)", 1),
                            ("# 한국어 제목\n[a](#한국어-제목)", 0)]:
            self.assertEqual(len(findings(check.check_links, page(text))), count, text)

    def test_verbs_and_options_that_do_not_exist_are_found(self):
        helps = book.helps()
        for line, count in [('peri recall "어디?" --explain -l 3', 0), ("peri recal x", 1), ("peri recall --exlain x", 1),
                            ("echo a | peri remember --tag b && peri lst", 1), ("peri work sett a", 1),
                            ("KEY=$(peri key create laptop --roll writer)", 1), ("peri list   # peri nothing", 0),
                            ("peri -n team/a --json stats", 0), ("claude mcp add memory -- peri mcp --tools knowledge", 0),
                            ("PERI_HOME=x peri serve --listn a", 1), ("peri journal turn begin --session a", 0)]:
            self.assertEqual(len(findings(check.check_commands, page(f"```sh\n{line}\n```"), helps)), count, line)
        self.assertEqual(len(findings(check.check_commands, page("Run `peri recal`."), helps)), 1)

    def test_routes_methods_tools_and_settings_that_do_not_exist_are_found(self):
        known = ({("GET", "/v1/memories/{id}"): ""}, {"memory_store"}, {"recall"}, {"recall.limit"})
        for text, count in [("`GET /v1/memories/{id}`", 0), ("`GET /v1/memory/{id}`", 1), ("`POST /v1/memories/{id}`", 1),
                            ("`Perihelion::recall`", 0), ("`Perihelion::recal`", 1), ("`recall.limit`", 0),
                            ("`recall.limits`", 1), ("`recall.rs`", 0), ("| MCP | `memory_stor` |", 1)]:
            self.assertEqual(len(findings(check.check_names, page(text), *known)), count, text)

    def test_a_generated_part_that_was_edited_is_found_and_mended(self):
        text = "<!-- generated: exits -->\n| 0 | maybe |\n<!-- generated: end -->\n"
        self.assertEqual(len(findings(check.check_generated, page(text))), 1)
        self.assertEqual(findings(check.check_generated, page(generate.fresh(text))), [])


class Help(unittest.TestCase):
    def test_every_option_of_every_command_is_in_the_tables(self):
        for words, text in book.helps().items():
            if not words:
                continue
            told = "\n".join(generate.options(words[0]))
            for heading, lines in generate.sections(text):
                if heading in ("Everywhere", "Commands"):
                    continue
                for spec, _ in generate.entries(lines):
                    self.assertIn(spec.split(" ")[0].rstrip(","), told, words)

    def test_settings_below_each_other_share_what_is_said_of_them(self):
        told = {key: text for key, _, text in book.settings()}
        self.assertEqual(told["orbit.core_min"], told["orbit.belt_min"])
        self.assertNotEqual(told["recall.limit"], told["recall.floor"])
        self.assertTrue(all(told.values()))


class Outputs(unittest.TestCase):
    def setUp(self):
        self.home = examples.Home.__new__(examples.Home)
        self.home.real, self.home.pretty = {}, {}
        self.ids = [f"01a1e81c-10d{n}-7556-9847-fa8bf23282a{n}" for n in range(3)]

    def check(self, shown, real, expected):
        self.assertEqual(examples.same(shown.split("\n"), real.split("\n"), self.home), expected, shown)

    def test_times_sizes_and_scores_may_differ_and_words_may_not(self):
        self.check(" 1  0.61  2026-11-17  inner", " 1  0.59  2027-01-02  inner", True)
        self.check("took 3 ms, 5.68 kB, 06:19:35", "took 12.5 ms, 10 kB, 07:00:00", True)
        self.check("2 stored, 0 refused", "2 stored, 1 refused", False)
        self.check("회의는 화요일이다", "회의는 수요일이다", False)

    def test_an_id_stands_for_the_same_thing_throughout_a_page(self):
        first, second = examples.Home._name(1), examples.Home._name(2)
        self.check(f"stored {first}", f"stored {self.ids[0]}", True)
        self.check(f"replaces {first[:13]}", f"replaces {self.ids[0][:13]}", True)
        self.check(f"stored {first}", f"stored {self.ids[1]}", False)
        self.check(f"stored {second}", f"stored {self.ids[1]}", True)
        self.assertEqual(self.home.with_real_ids(f"peri get {second[:13]}"), f"peri get {self.ids[1]}")
        self.assertEqual(self.home.with_shown_ids(f"{self.ids[0]} {self.ids[1][:13]}"), f"{first} {second[:13]}")

    def test_an_ellipsis_stands_for_any_lines(self):
        self.check("a\n…\nd", "a\nb\nc\nd", True)
        self.check("a\n…\nd", "a\nd", True)
        self.check("a\n…\nd", "a\nb", False)

    def test_commands_and_what_they_print_are_read_from_fences_of_console_alone(self):
        text = "```sh\n$ no\n```\n```console\n$ one \\\n  two\nout\n\n$ three\n```\n"
        found = examples.commands(page(text))
        self.assertEqual([(c.words, c.shown) for c in found], [("one \\\n  two", ["out", ""]), ("three", [])])


if __name__ == "__main__":
    unittest.main()
