"""The tables of the file NOTICE: each part of the programs, its licence, and the programs that have it.

A table begins with a line without indentation that ends with a colon. Its rows have two spaces of indentation, and
columns that two or more spaces separate: names (with ", " between them), SPDX expression, programs, remark.
"""
import enum
import re
from dataclasses import dataclass

PROGRAMS = {'G': 'homegateway', 'T': 'trackme'}
SPDX = re.compile(r'\(?[A-Za-z0-9.+-]+\)?( (AND|OR|WITH) \(?[A-Za-z0-9.+-]+\)?)*')


class Kind(enum.Enum):
    """Tables of NOTICE, by their first words."""

    SWIFT_PACKAGE = 'Swift packages'
    VENDORED = 'Sources of others in those packages'
    TOOLCHAIN = 'Parts of the Swift toolchain'
    LIBRARY = 'Libraries of Debian'
    HEADERS = 'Headers of Debian'
    FILE = 'Files in this tree'


@dataclass(frozen=True)
class Part:
    """Row of a table. `programs` is empty for a file that is in no program."""

    kind: Kind
    name: str
    licence: str
    programs: frozenset[str]


class NoticeError(Exception):
    """Line of NOTICE that cannot be read."""


def read(text: str) -> list[Part]:
    """Returns the rows of all tables. Raises `NoticeError` for a row without licence or programs, and for doubles."""
    parts: list[Part] = []
    kind: Kind | None = None
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(r'\S.*:$', line):
            kind = next((each for each in Kind if line.startswith(each.value)), None)
            if kind is None:
                raise NoticeError(f'NOTICE line {number}: no table begins with: {line}')
        elif line and not line.startswith(' '):
            kind = None
        elif kind and re.match(r'  \S', line):
            columns = re.split(r' {2,}', line.strip())
            if len(columns) < 3 or not SPDX.fullmatch(columns[1]) or not re.fullmatch(r'-|[GT]( [GT])?', columns[2]):
                raise NoticeError(f'NOTICE line {number}: expected name, SPDX expression and programs, seen: {line}')
            programs = frozenset(PROGRAMS[letter] for letter in columns[2].split() if letter != '-')
            parts += [Part(kind, name, columns[1], programs) for name in columns[0].split(', ')]
    seen = [(part.kind, part.name) for part in parts]
    doubles = sorted({name for kind, name in seen if seen.count((kind, name)) > 1})
    if doubles:
        raise NoticeError(f'NOTICE names twice: {", ".join(doubles)}')
    return parts
