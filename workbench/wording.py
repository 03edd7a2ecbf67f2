"""Checks the wording of comments and documents: `what` and `who` may not stand in for nouns.

    python3 -m workbench.wording            reports the worst ten files; fails for each file above its limit
    python3 -m workbench.wording --update   lowers the baseline to the present counts

The check counts `what` and `whatever`, and `who`, `whom`, `whose` and `whoever`, in comments, doc comments and names of
tests of Swift files, in comments of Python, JavaScript and CSS files, and in Markdown files without their code. The
files in docs/adr are history and stay as they are.

A file holds LIMITS, in words per 1,000. ALLOWANCE lets a short file have one such word. A file that was above the
limits when the check first read it has a line in scripts/wording-baseline with its two counts; it may not exceed them.
The baseline only shrinks: `--update` lowers counts and removes lines, and it follows renames that git recognises. Only
without a baseline file does it record the files above the limits.
"""
import argparse
import ast
import io
import pathlib
import re
import subprocess
import sys
import tokenize
from dataclasses import dataclass

from workbench.paths import ROOT

# Five times the rates of GRDB (0.2 and 0.3), the library with the plainest comments of those that were measured.
LIMITS = {'what': 1.0, 'who': 1.5}
ALLOWANCE = 1   # occurrences
BASELINE = 'scripts/wording-baseline'
EXEMPT = ('docs/adr/',)
WORST = 10
COUNTED = {
    'what': frozenset({'what', 'whatever'}),
    'who': frozenset({'who', 'whom', 'whose', 'whoever'}),
}
HEAD = '''\
# Files above the limits of workbench/wording.py: occurrences of "what", occurrences of "who", path.
# Counts may only go down: python3 -m workbench.wording --update
'''

WORD = re.compile(r"[A-Za-z]+(?:['’][A-Za-z]+)*")
INLINE_CODE = re.compile(r'``.+?``|`[^`\n]*`', re.DOTALL)
# A string is matched first, so that a "//" inside it begins no comment.
SWIFT = re.compile(
    r'(?P<string>(?P<raw>#*)"""(?:\\.|.)*?"""(?P=raw)|#+"[^\n]*?"#+|"(?:\\.|[^"\\\n])*")'
    r'|(?P<comment>//[^\n]*|/\*.*?\*/)', re.DOTALL)
# Sentences that name tests and their suites.
SWIFT_NAME = re.compile(r'\b(?:func|struct|class) `([^`\n]* [^`\n]*)`')
MARKDOWN_CODE = re.compile(r'^(```|~~~).*?^\1[^\n]*$|^(?: {4}|\t)[^\n]*$', re.DOTALL | re.MULTILINE)
MARKDOWN_TARGET = re.compile(r'\]\([^)]*\)|<https?:[^>]*>')


def swift_prose(text: str) -> str:
    """Returns the comments and the names of tests of a Swift file; of another one with the comments of C, these."""
    comments = (match['comment'] for match in SWIFT.finditer(text) if match['comment'])
    return '\n'.join([
        *(re.sub(r'^\s*(///?|/\*+|\*/?)', '', comment) for comment in comments), *SWIFT_NAME.findall(text)])


def python_prose(text: str) -> str:
    """Returns the comments and docstrings of a Python file."""
    found = [
        token.string.lstrip('#!') for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.COMMENT]
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            found.append(ast.get_docstring(node) or '')
    return '\n'.join(found)


def markdown_prose(text: str) -> str:
    """Returns the text of a Markdown file without code blocks and link targets."""
    return MARKDOWN_TARGET.sub('] ', MARKDOWN_CODE.sub('', text))


def prose_of(path: pathlib.Path) -> str | None:
    """Returns the text to check in the file at `path`; None for a file of another kind."""
    if path.suffix in ('.swift', '.js', '.css'):
        return swift_prose(path.read_text(encoding='utf-8'))
    if path.suffix == '.md':
        return markdown_prose(path.read_text(encoding='utf-8'))
    if path.suffix == '.py':
        return python_prose(path.read_text(encoding='utf-8'))
    if not path.suffix and path.stat().st_size < 100_000:
        content = path.read_bytes()
        if content.startswith(b'#!') and b'python' in content.partition(b'\n')[0]:
            return python_prose(content.decode())
    return None


@dataclass(frozen=True)
class Wording:
    """The number of words in the prose of one file, and the occurrences of the counted ones."""
    words: int
    what: int
    who: int

    @classmethod
    def of(cls, prose: str) -> 'Wording':
        # `WHO` in capitals is the World Health Organization.
        found = [
            re.split("['’]", word)[0].lower() for word in WORD.findall(INLINE_CODE.sub(' ', prose)) if word != 'WHO']
        return cls(len(found), *(sum(word in COUNTED[group] for word in found) for group in ('what', 'who')))

    def allowed(self, group: str) -> int:
        return max(ALLOWANCE, int(self.words * LIMITS[group] / 1000))

    @property
    def holds_limits(self) -> bool:
        return self.what <= self.allowed('what') and self.who <= self.allowed('who')

    @property
    def rate(self) -> float:
        """Occurrences of all counted words per 1,000 words."""
        return 1000 * (self.what + self.who) / max(self.words, 1)


Counts = dict[str, tuple[int, int]]


def problem(wording: Wording, recorded: tuple[int, int] | None) -> str | None:
    """Returns the reason for which a file fails, or None. `recorded`: its counts in the baseline."""
    if wording.holds_limits:
        return None
    counts = (wording.what, wording.who)
    limits, origin = recorded, 'its count in the baseline is'
    if limits is None:
        limits, origin = (wording.allowed('what'), wording.allowed('who')), f'the limit for {wording.words} words is'
    wrong = [
        f'{count} × "{group}", {origin} {limit}'
        for group, count, limit in zip(COUNTED, counts, limits, strict=True) if count > limit]
    return '; '.join(wrong) or None


def read_baseline(text: str) -> Counts:
    rows = (line.split(maxsplit=2) for line in text.splitlines() if line and not line.startswith('#'))
    return {path: (int(what), int(who)) for what, who, path in rows}


def written_baseline(counts: Counts) -> str:
    return HEAD + ''.join(f'{what:4} {who:4} {path}\n' for path, (what, who) in sorted(counts.items()))


def lowered(baseline: Counts, found: dict[str, Wording], renames: dict[str, str]) -> Counts:
    """Returns the baseline with the present counts where they are lower, without files that hold the limits."""
    kept: Counts = {}
    for path, (what, who) in baseline.items():
        path = path if path in found else renames.get(path, path)
        if path in found and not found[path].holds_limits:
            kept[path] = (min(what, found[path].what), min(who, found[path].who))
    return kept


def git(*words: str) -> list[str]:
    return subprocess.run(['git', *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()


def wordings() -> dict[str, Wording]:
    """Returns the wording of each checked file of the repository, new files included."""
    found = {}
    for name in sorted(set(git('ls-files', '--cached', '--others', '--exclude-standard'))):
        path = ROOT / name
        if name.startswith(EXEMPT) or path.is_symlink() or not path.is_file():
            continue
        if (prose := prose_of(path)) is not None:
            found[name] = Wording.of(prose)
    return found


def renames() -> dict[str, str]:
    """Returns the renames since the baseline was committed: old path to new path."""
    commits = git('log', '-1', '--format=%H', '--', BASELINE)
    if not commits:
        return {}
    rows = (line.split('\t') for line in git('diff', '-M30%', '--name-status', '--diff-filter=R', commits[0]))
    return {old: new for _, old, new in rows}


def report(found: dict[str, Wording]) -> None:
    total = Wording(*(sum(getattr(each, name) for each in found.values()) for name in ('words', 'what', 'who')))
    print(f'wording: {len(found)} files, {total.words} words; per 1,000 words: '
          f'what {1000 * total.what / total.words:.1f}, who {1000 * total.who / total.words:.1f}. The worst:')
    above = [(name, each) for name, each in found.items() if not each.holds_limits]
    for name, each in sorted(above, key=lambda row: -row[1].rate)[:WORST]:
        print(f'  {each.rate:5.1f} per 1,000 ({each.what} what, {each.who} who in {each.words} words)  {name}')


def main() -> int:
    parser = argparse.ArgumentParser(
        prog='python3 -m workbench.wording', description='Checks the wording of comments and documents.')
    parser.add_argument('--update', action='store_true', help='lower the baseline to the present counts')
    arguments = parser.parse_args()
    path, found = ROOT / BASELINE, wordings()
    if arguments.update:
        if path.exists():
            counts = lowered(read_baseline(path.read_text(encoding='utf-8')), found, renames())
        else:
            counts = {name: (each.what, each.who) for name, each in found.items() if not each.holds_limits}
        path.write_text(written_baseline(counts), encoding='utf-8')
    baseline = read_baseline(path.read_text(encoding='utf-8'))
    report(found)
    failed = {name: text for name, each in found.items() if (text := problem(each, baseline.get(name)))}
    for name, text in failed.items():
        print(f'{name}: {text}. Name the noun instead.', file=sys.stderr)
    if stale := len(baseline) - len(set(baseline) & {name for name, each in found.items() if not each.holds_limits}):
        print(f'{stale} lines of {BASELINE} are not needed any more: python3 -m workbench.wording --update')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
