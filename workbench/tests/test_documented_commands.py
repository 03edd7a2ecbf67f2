"""Tests of the commands that documents show, and of their check."""
import pathlib
import tempfile
import unittest

from workbench.documented_commands import (
    Shown,
    commands,
    description,
    problem,
    problem_of_make,
    problem_of_systemctl,
    shown,
    units,
)
from workbench.paths import GATEWAY_PROGRAM, ROOT, TRACKME_PROGRAM

# Decisions are history: their commands are those of their day.
EXEMPT = ROOT / 'docs/adr'
TREE = {
    'commandName': 'box', 'arguments': [], 'subcommands': [
        {'commandName': 'show', 'arguments': [
            {'kind': 'option', 'names': [{'kind': 'long', 'name': 'person'}]},
            {'kind': 'flag', 'names': [{'kind': 'long', 'name': 'json'}, {'kind': 'short', 'name': 'j'}]},
            {'kind': 'positional', 'isRepeating': False}]},
        {'commandName': 'runs', 'arguments': [], 'defaultSubcommand': 'list', 'subcommands': [
            {'commandName': 'list', 'arguments': [{'kind': 'flag', 'names': [{'kind': 'long', 'name': 'all'}]}]},
            {'commandName': 'drop', 'arguments': []}]}]}


def words(line):
    return [each.words for each in commands(line, '')]


class ReadingTests(unittest.TestCase):
    def test_commands_of_a_line_are_read_without_the_words_around_them(self):
        self.assertEqual(words('$ sudo A=1 make demo && homegateway check > out  # try'),
                         [('make', 'demo'), ('homegateway', 'check')])
        self.assertEqual(words('homegateway consent list                requests and decisions'),
                         [('homegateway', 'consent', 'list')])
        self.assertEqual(words('ls | sudo /usr/bin/homegateway watch'), [('homegateway', 'watch')])

    def test_other_programs_and_prose_are_no_commands(self):
        self.assertEqual(words('apt-get install ./homegateway_*.deb'), [])
        self.assertEqual(words('maria: data-policy accepted'), [])
        self.assertEqual(words('# make or homegateway'), [])

    def test_blocks_continued_lines_indented_lines_and_inline_code_have_their_place(self):
        text = ('Text `make lint` here.\n\n```sh\nhomegateway \\\n  check\nmake test\n```\n\n```toml\nmake = 1\n```\n\n'
                '    trackme keys\n')
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            (root / 'a.md').write_text(text)
            self.assertCountEqual(shown(root / 'a.md', root), [
                Shown('a.md:1', ('make', 'lint')), Shown('a.md:4', ('homegateway', 'check')),
                Shown('a.md:6', ('make', 'test')), Shown('a.md:13', ('trackme', 'keys'))])


class ArgumentTests(unittest.TestCase):
    def test_right_commands_pass(self):
        for line in ['show', 'show --person maria -j', 'show --person=maria FILE', 'runs --all', 'runs drop', 'show …',
                     'show [--person ID] [--json]', 'help show', 'COMMAND']:
            self.assertIsNone(problem(tuple(line.split()), TREE), line)

    def test_wrong_subcommands_options_and_values_are_seen(self):
        for line, expected in [
                ('shew', 'no subcommand shew'), ('show --persons x', 'no option --persons'),
                ('show [--jsn]', 'no option --jsn'), ('show --person', 'needs a value'),
                ('show --person --json', 'needs a value'), ('show a b', 'takes 1 values, and 2'),
                ('runs --none', 'box runs list has no option --none'), ('runs drop x', 'takes 0 values')]:
            self.assertRegex(str(problem(tuple(line.split()), TREE)), expected, line)

    def test_make_and_systemctl(self):
        makefile = 'lint: x\nX ?= 1\n'
        self.assertIsNone(problem_of_make(('lint', 'X=2'), makefile))
        self.assertRegex(str(problem_of_make(('lnt',), makefile)), 'no target lnt')
        self.assertRegex(str(problem_of_make(('Y=2',), makefile)), 'no variable Y')
        self.assertIsNone(problem_of_systemctl(('enable', '--now', 'a.service'), {'a'}))
        self.assertRegex(str(problem_of_systemctl(('enabel', 'a'), {'a'})), 'no verb enabel')
        self.assertRegex(str(problem_of_systemctl(('start', 'b'), {'a'})), 'no unit b')


def is_current(program: pathlib.Path, sources: pathlib.Path) -> bool:
    """Returns whether the program is built out of the present sources: another one has other commands."""
    return program.exists() and program.stat().st_mtime > max(
        path.stat().st_mtime for path in sources.rglob('*.swift'))


class DocumentTests(unittest.TestCase):
    def documents(self, name):
        paths = [ROOT / 'README.md', *(path for path in (ROOT / 'docs').rglob('*.md') if EXEMPT not in path.parents)]
        found = [each for path in sorted(paths) for each in shown(path) if each.words[0] == name]
        self.assertGreater(len(found), 5)
        return found

    def hold(self, name, reason):
        problems = [f'{each}: {why}' for each in self.documents(name) if (why := reason(each.words[1:]))]
        self.assertEqual(problems, [])

    def test_targets_of_make_exist(self):
        makefile = (ROOT / 'Makefile').read_text()
        self.hold('make', lambda words: problem_of_make(words, makefile))

    def test_verbs_and_units_of_systemctl_exist(self):
        self.hold('systemctl', lambda words: problem_of_systemctl(words, units()))

    @unittest.skipUnless(is_current(GATEWAY_PROGRAM, ROOT / 'Sources'), 'make build builds it')
    def test_commands_of_the_gateway_exist(self):
        for name in ['homegateway', 'homegateway-console']:
            tree = description(GATEWAY_PROGRAM, name)
            self.hold(name, lambda words, tree=tree: problem(words, tree))

    @unittest.skipUnless(is_current(TRACKME_PROGRAM, ROOT / 'TrackMe/Sources'), 'make trackme builds it')
    def test_commands_of_trackme_exist(self):
        tree = description(TRACKME_PROGRAM, 'trackme')
        self.hold('trackme', lambda words: problem(words, tree))


if __name__ == '__main__':
    unittest.main()
