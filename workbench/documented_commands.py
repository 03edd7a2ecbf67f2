"""Commands that documents show: shell blocks and inline code of Markdown files, and their check against the programs.

A command is checked by the program's own description of its arguments (`--experimental-dump-help`): each subcommand and
option must exist, options with a value must have one, and no more values may stand there than the program takes.
`make` is checked against the Makefile, `systemctl` against its verbs and the units of this project.
"""
import json
import pathlib
import re
import shlex
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from workbench.paths import ROOT

# A block of another language holds no commands. Blocks without one do: the output between the commands begins with
# other words.
SHELL_LANGUAGES = {'', 'sh', 'bash', 'shell', 'console', 'text'}
FENCE = re.compile(r'^ *```([A-Za-z]*)[^\n]*\n(.*?)^ *```', re.M | re.S)
INLINE = re.compile(r'(?<!`)`([^`\n]+)`(?!`)')
INDENTED = re.compile(r'(?:^ {4,}[^\n]*\n)+', re.M)
PROGRAMS = ('homegateway', 'homegateway-console', 'trackme')
HEADS = (*PROGRAMS, 'make', 'systemctl')
# Subcommands that the program starts itself and that its help leaves out.
OF_THE_PROGRAM_ITSELF = {'broker-session'}
# Words that stand for others: an ellipsis, and a choice or an option in brackets.
STANDS_FOR_OTHERS = re.compile(r'^(\.\.\.|…|\[.*|.*\])$')
SYSTEMCTL_VERBS = {
    'cat', 'daemon-reload', 'disable', 'edit', 'enable', 'is-active', 'is-enabled', 'kill', 'list-units', 'mask',
    'reload', 'restart', 'show', 'start', 'status', 'stop', 'unmask'}
SYSTEMCTL_OPTIONS = {'--now', '--quiet', '--user', '--system', '--no-pager', '-q'}
# Options whose value is the next word.
SYSTEMCTL_VALUES = {'--property', '-p'}
# Units of Debian that documents name.
OTHER_UNITS = {
    'bluetooth', 'gpsd', 'gpsd.socket', 'ModemManager', 'mosquitto', 'systemd-timesyncd', 'postgresql',
    'nginx', 'haproxy', 'home-assistant'}


@dataclass(frozen=True)
class Shown:
    """Command in a document, without `sudo` and without assignments before it."""

    place: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        return f'{self.place}: {shlex.join(self.words)}'


def shown(path: pathlib.Path, root: pathlib.Path = ROOT) -> Iterator[Shown]:
    """Returns the commands of a Markdown file."""
    text = path.read_text(encoding='utf-8')
    name = str(path.relative_to(root))

    def lines_of(block: str, offset: int) -> Iterator[tuple[int, str]]:
        first = text.count('\n', 0, offset) + 1
        joined = re.sub(r'[ \t]*\\\n[ \t]*', ' \0', block)
        number = first
        for line in joined.split('\n'):
            yield number, line.replace('\0', '')
            number += 1 + line.count('\0')

    rest = list(text)
    for match in FENCE.finditer(text):
        if match[1] in SHELL_LANGUAGES:
            for number, line in lines_of(match[2], match.start(2)):
                yield from commands(line, f'{name}:{number}')
        rest[match.start():match.end()] = [each if each == '\n' else ' ' for each in rest[match.start():match.end()]]
    prose = ''.join(rest)
    for match in INDENTED.finditer(prose):
        for number, line in lines_of(match[0], match.start()):
            yield from commands(line, f'{name}:{number}')
    for match in INLINE.finditer(prose):
        line_start = prose.rfind('\n', 0, match.start()) + 1
        # An indented list item may hold inline code too; an indented block was read above.
        if not prose[line_start:match.start()].startswith('    '):
            yield from commands(match[1], f'{name}:{prose.count(chr(10), 0, match.start()) + 1}')


def commands(line: str, place: str) -> Iterator[Shown]:
    """Returns the commands of a line that begin with one of HEADS. Words behind a gap explain the line."""
    line = re.sub(r'^\s*\$ ', '', line).strip()
    if not re.search(rf'\b({"|".join(HEADS)})\b', line):
        return
    line = re.split(r' {2,}(?=[^-\s])', line)[0]
    lexer = shlex.shlex(line, posix=True, punctuation_chars='|&;<>')
    lexer.whitespace_split, lexer.commenters = True, '#'
    try:
        words = list(lexer)
    except ValueError:   # an apostrophe of prose
        return
    command: list[str] = []
    for word in [*words, ';']:
        if set(word) <= set('|&;'):
            found = stripped(command)
            if found and found[0] in HEADS:
                yield Shown(place, tuple(found))
            command = []
        else:
            command.append(word)


def stripped(command: list[str]) -> list[str]:
    """Returns the words without redirections, `sudo`, `exec` and assignments before the program."""
    words: list[str] = []
    skips = False
    for word in command:
        if set(word) <= set('<>'):
            skips = True
        elif skips:
            skips = False
        else:
            words.append(word)
    while words and (words[0] in {'sudo', 'exec', 'nice', 'time'} or re.match(r'[A-Z_]+=', words[0])):
        words.pop(0)
    if words:
        words[0] = words[0].rsplit('/', 1)[-1] if words[0].startswith(('/', '.')) else words[0]
    return words


def description(program: pathlib.Path, name: str) -> dict[str, Any]:
    """Returns the program's description of its arguments, under the name by which it is called."""
    said = subprocess.run(
        [name, '--experimental-dump-help'], executable=program, check=True, capture_output=True, text=True).stdout
    return json.loads(said)['command']


def problem(words: tuple[str, ...], command: dict[str, Any]) -> str | None:
    """Returns the reason for which the program would refuse these words, or None. `words` begin behind its name."""
    path, rest = [command['commandName']], list(words)
    while rest and (children := {each['commandName']: each for each in command.get('subcommands', [])}):
        if rest[0] in children:
            command = children[rest.pop(0)]
            path.append(command['commandName'])
            if command['commandName'] == 'help':
                return None
            continue
        if rest[0].startswith('-') or STANDS_FOR_OTHERS.match(rest[0]) or command.get('defaultSubcommand'):
            if command.get('defaultSubcommand') and not STANDS_FOR_OTHERS.match(rest[0]):
                path.append(command['defaultSubcommand'])
                command = children[command['defaultSubcommand']]
                continue
            break
        if rest[0] == 'help' or rest[0] in OF_THE_PROGRAM_ITSELF or is_placeholder(rest[0]):
            return None
        return f'{" ".join(path)} has no subcommand {rest[0]}'
    return problem_of_arguments(' '.join(path), rest, command.get('arguments', []))


def is_placeholder(word: str) -> bool:
    return re.fullmatch(r'[A-Z][A-Z_]*|<.*>', word) is not None


def problem_of_arguments(path: str, rest: list[str], arguments: list[dict[str, Any]]) -> str | None:
    options = {}
    for each in arguments:
        for name in each.get('names', []):
            options[('-' if name['kind'] == 'short' else '--') + name['name']] = each
    positional = [each for each in arguments if each['kind'] == 'positional']
    values = 0
    while rest:
        word = rest.pop(0)
        # `[--person ID]` shows an option that may be left out: it must exist as well.
        word = word.strip('[]') if re.match(r'\[?-', word) else word
        if re.match(r'--?[A-Za-z]', word):
            name, _, value = word.partition('=')
            if name not in options:
                return f'{path} has no option {name}'
            if options[name]['kind'] == 'option' and not value:
                if not rest or rest[0].startswith('--'):
                    return f'{path} {name} needs a value'
                rest.pop(0)
        elif not STANDS_FOR_OTHERS.match(word):
            values += 1
    if values > len(positional) and not any(each.get('isRepeating') for each in positional):
        return f'{path} takes {len(positional)} values, and {values} stand there'
    return None


def problem_of_make(words: tuple[str, ...], makefile: str) -> str | None:
    targets = set(re.findall(r'^([a-z][a-z0-9-]*):', makefile, re.M))
    for word in words:
        name, is_assignment, _ = word.partition('=')
        if is_assignment:
            if not re.search(rf'\b{re.escape(name)}\b', makefile):
                return f'the Makefile has no variable {name}'
        elif re.fullmatch(r'[a-z][a-z0-9-]*', word) and word not in targets:
            return f'the Makefile has no target {word}'
    return None


def problem_of_systemctl(words: tuple[str, ...], units: set[str]) -> str | None:
    words = tuple(word for before, word in zip(('', *words), words, strict=False)
                  if not {before, word} & SYSTEMCTL_VALUES)
    options = [word for word in words if word.startswith('-')]
    rest = [word for word in words if not word.startswith('-') and not STANDS_FOR_OTHERS.match(word)]
    if (unknown := [word for word in options if word not in SYSTEMCTL_OPTIONS]):
        return f'systemctl: {unknown[0]} is not among the options of {__name__}'
    if rest and rest[0] not in SYSTEMCTL_VERBS:
        return f'systemctl has no verb {rest[0]}'
    known = units | OTHER_UNITS
    for unit in rest[1:]:
        if unit.removesuffix('.service') not in known and unit not in known and not is_placeholder(unit):
            return f'systemctl: no unit {unit}'
    return None


def units() -> set[str]:
    return {path.stem for folder in ['systemd', 'TrackMe/systemd'] for path in (ROOT / folder).glob('*.service')}
