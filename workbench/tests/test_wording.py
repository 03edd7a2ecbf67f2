"""Tests of the wording check."""
import unittest

from workbench.wording import (
    ALLOWANCE,
    Wording,
    lowered,
    markdown_prose,
    problem,
    python_prose,
    read_baseline,
    swift_prose,
    written_baseline,
)


def prose(words, what=0, who=0):
    return ' '.join(['word'] * (words - what - who) + ['what'] * what + ['whom'] * who)


class ProseTests(unittest.TestCase):
    def test_comments_of_swift_are_read_and_strings_are_not(self):
        text = (
            '/// Doc.\nlet url = "http://a" // trailing\nlet raw = #"//"#\n'
            '/* block\n two */\nlet s = """\n// no\n"""\n')
        self.assertEqual(swift_prose(text).split(), ['Doc.', 'trailing', 'block', 'two', '*/'])

    def test_sentences_that_name_tests_of_swift_are_read(self):
        text = '@Suite struct `A race` {\n    @Test func `what is late`() {}\n    func `class`() {}\n}\n'
        self.assertEqual(swift_prose(text).split(), ['A', 'race', 'what', 'is', 'late'])

    def test_escaped_quote_does_not_end_a_swift_string(self):
        self.assertEqual(swift_prose(r'let a = "\" // no" // yes').split(), ['yes'])

    def test_comments_and_docstrings_of_python_are_read_and_strings_are_not(self):
        text = '"""Module."""\nx = "what"   # remark\n\n\ndef f():\n    """Function."""\n    return """what"""\n'
        self.assertCountEqual(python_prose(text).split(), ['remark', 'Module.', 'Function.'])

    def test_code_and_link_targets_of_markdown_are_left_out(self):
        text = 'Text [link](what.md).\n\n```\nwhat\n```\n\n    what\n\nEnd.\n'
        self.assertNotIn('what', markdown_prose(text))
        self.assertIn('link', markdown_prose(text))


class CountTests(unittest.TestCase):
    def test_all_forms_count(self):
        self.assertEqual(Wording.of("What's whatever? Who, whom, whose, whoever"), Wording(6, 2, 4))

    def test_inline_code_and_the_organisation_do_not_count(self):
        self.assertEqual(Wording.of('`what` the WHO says'), Wording(2, 0, 0))

    def test_similar_words_do_not_count(self):
        self.assertEqual(Wording.of('whether somewhat whole which').what, 0)


class LimitTests(unittest.TestCase):
    def test_short_file_has_the_allowance(self):
        self.assertIsNone(problem(Wording.of(prose(20, what=ALLOWANCE)), None))
        self.assertIsNotNone(problem(Wording.of(prose(20, what=ALLOWANCE + 1)), None))

    def test_long_file_has_the_rate(self):
        self.assertIsNone(problem(Wording.of(prose(4000, what=4, who=6)), None))
        self.assertRegex(str(problem(Wording.of(prose(4000, what=5)), None)), '"what"')
        self.assertRegex(str(problem(Wording.of(prose(4000, who=7)), None)), '"who"')

    def test_recorded_file_may_not_exceed_its_count(self):
        self.assertIsNone(problem(Wording.of(prose(100, what=9)), (9, 0)))
        self.assertRegex(str(problem(Wording.of(prose(100, what=10)), (9, 0))), '10 × "what"')
        self.assertRegex(str(problem(Wording.of(prose(100, what=9, who=2)), (9, 0))), '"who"')

    def test_recorded_file_below_the_limits_passes(self):
        self.assertIsNone(problem(Wording.of(prose(100, what=1)), (0, 0)))


class BaselineTests(unittest.TestCase):
    def test_baseline_is_read_as_it_was_written(self):
        counts = {'a b.md': (3, 4), 'c.swift': (12, 0)}
        self.assertEqual(read_baseline(written_baseline(counts)), counts)

    def test_counts_only_go_down(self):
        found = {
            'up': Wording(100, 9, 9), 'down': Wording(100, 2, 1), 'good': Wording(100, 0, 0), 'new': Wording(9, 9, 9)}
        baseline = {'up': (5, 5), 'down': (5, 5), 'good': (5, 5), 'gone': (5, 5)}
        self.assertEqual(lowered(baseline, found, {}), {'up': (5, 5), 'down': (2, 1)})

    def test_renamed_file_keeps_its_count(self):
        self.assertEqual(lowered({'old': (5, 0)}, {'new': Wording(100, 5, 0)}, {'old': 'new'}), {'new': (5, 0)})


if __name__ == '__main__':
    unittest.main()
