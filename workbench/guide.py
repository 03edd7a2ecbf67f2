"""Applies the steps of docs/developer/add-a-capability.md to a scratch copy of the repository, builds and tests it.

    python3 -m workbench.guide

The copy and its build stay in .build-guide; the first build takes about 12 minutes on two cores. A step is a sentence
with a block of code behind it: `New file PATH`, `In PATH, behind TEXT`, `In PATH, on a line before TEXT`, or
`on a line behind TEXT`. A text has to stand in its file once.
"""
import pathlib
import re
import shutil
import subprocess
import sys

from workbench.paths import ROOT

GUIDE = ROOT / 'docs/developer/add-a-capability.md'
PLACE = ROOT / '.build-guide'
STEP = re.compile(
    r'^(?:New file `(?P<new>[^`]+)`|In `(?P<path>[^`]+)`, (?P<where>behind|on a line before|on a line behind) '
    r'`(?P<text>[^`]+)`):\n\n```swift\n(?P<code>.*?)^```$', re.DOTALL | re.MULTILINE)
# The new test, and the rules that a new capability, verb or page could break.
TESTS = 'Glances|architecture|CapabilityNames|The verbs|Rights|PagesTests'


def copy(into: pathlib.Path, changed: dict[str, str]) -> None:
    """Brings the files of the repository and the changed ones into a folder.

    A file that is the same keeps its time, for the next build.
    """
    names = subprocess.run(
        ['git', 'ls-files', '--cached', '--others', '--exclude-standard'], cwd=ROOT, check=True, capture_output=True,
        text=True).stdout.splitlines()
    files = {name: (ROOT / name).read_bytes() for name in names if (ROOT / name).is_file()}
    files |= {name: content.encode() for name, content in changed.items()}
    for old in [each for each in into.rglob('*') if each.is_file() and str(each.relative_to(into)) not in files]:
        old.unlink()
    for name, content in files.items():
        target = into / name
        if target.is_file() and target.read_bytes() == content:
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        if (ROOT / name).is_file():
            shutil.copymode(ROOT / name, target)


def applied(content: str, step: re.Match[str]) -> str:
    """Returns the content of a file with the code of a step."""
    text, code = step['text'], step['code']
    if content.count(text) != 1:
        raise SystemExit(f'{step["path"]}: saw "{text}" {content.count(text)} times, expected it once: mend the guide')
    match step['where']:
        case 'behind':
            return content.replace(text, text.rstrip() + ' ' + code.strip() + ' ')
        case 'on a line before':
            return content.replace(text, code + text)
        case _:
            return content.replace(text + '\n', text + '\n' + code)


def changes(steps: list[re.Match[str]]) -> dict[str, str]:
    """Returns the contents of the files after the steps."""
    changed: dict[str, str] = {}
    for step in steps:
        if step['new']:
            changed[step['new']] = step['code']
        else:
            path = step['path']
            changed[path] = applied(changed.get(path) or (ROOT / path).read_text(encoding='utf-8'), step)
    return changed


def main() -> int:
    guide = GUIDE.read_text(encoding='utf-8')
    steps = list(STEP.finditer(guide))
    if len(steps) != guide.count('```swift'):
        raise SystemExit(f'{GUIDE.name}: saw {guide.count("```swift")} blocks and {len(steps)} steps: mend the guide')
    folder, build = PLACE / 'copy', PLACE / 'build'
    folder.mkdir(parents=True, exist_ok=True)
    copy(folder, changes(steps))
    bundle = str(build / 'debug/HomeGatewayPackageTests.xctest')
    for command in (
            ['swift', 'build', '--package-path', str(folder), '--scratch-path', str(build), '--build-tests'],
            [bundle, '--testing-library', 'swift-testing', '--filter', TESTS]):
        if status := subprocess.run(command, cwd=folder).returncode:
            return status
    print(f'{len(steps)} steps are applied, built and tested')
    return 0


if __name__ == '__main__':
    sys.exit(main())
