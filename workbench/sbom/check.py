"""Comparison of a program's parts with the tables of NOTICE, and of licences with the texts that come with them."""
import pathlib

from workbench.sbom.debian import DebianPackage
from workbench.sbom.inventory import Found
from workbench.sbom.notice import Kind, Part

DOCUMENTS = pathlib.Path('/usr/share/doc')
# Words that a text of the licence has. An expression with OR needs one of its texts.
WORDS = {
    'Apache-2.0': ('Apache License', 'Version 2.0'),
    'Apache-2.0 WITH Swift-exception': ('Apache License', 'Version 2.0', 'Runtime Library Exception'),
    'MIT': ('Permission is hereby granted, free of charge',),
}
# Names of the same licences in Debian's files "copyright".
NAMES_OF_DEBIAN = {
    'Apache-2.0': ('Apache-2.0',), 'BSD-2-Clause': ('BSD-2-clause', 'BSD-2-Clause'),
    'BSD-3-Clause': ('BSD-3-clause', 'EDL-1.0', 'BSD-3-Clause'),
    'CC0-1.0': ('CC0',), 'EPL-2.0': ('EPL-2.0',), 'GPL-2.0-or-later': ('GPL-2+',),
    'GPL-3.0-or-later WITH GCC-exception-3.1': ('GCC Runtime Library Exception',),
    'LGPL-2.1-or-later': ('LGPL-2.1+', 'LPGL-2.1+', 'GNU Lesser General Public'),
    'MIT': ('MIT', 'Expat'), 'PostgreSQL': ('PostgreSQL',), 'blessing': ('public-domain', 'public domain'),
    'curl': ('curl',),
}


def comparison(found: list[Found], parts: list[Part], program: str) -> list[str]:
    """Returns a problem for each part without a row in NOTICE, and for each row of this program without a part."""
    seen = {(each.kind, each.name) for each in found}
    rows = {(each.kind, each.name) for each in parts if program in each.programs}
    return [f'{program}: NOTICE has no row "{name}" in the table "{kind.value}"' for kind, name in in_order(seen - rows)
            ] + [f'{program}: NOTICE names "{name}" in the table "{kind.value}", and the program does not have it'
                 for kind, name in in_order(rows - seen)]


def in_order(keys: set[tuple[Kind, str]]) -> list[tuple[Kind, str]]:
    return sorted(keys, key=lambda key: (list(Kind).index(key[0]), key[1]))


def licences(found: list[Found], parts: list[Part]) -> list[str]:
    """Returns a problem for each licence of NOTICE without its words in the text that comes with the part."""
    by_key = {(part.kind, part.name): part.licence for part in parts}
    problems = []
    for each in found:
        licence = by_key.get((each.kind, each.name))
        if licence and each.folder:
            problems += problem_of_text(each.name, licence, text_of(each.folder), WORDS)
        elif licence and each.debian_package:
            problems += problem_of_text(each.name, licence, text_of_debian(each.debian_package), NAMES_OF_DEBIAN)
    return problems


def problem_of_text(name: str, licence: str, text: str, words: dict[str, tuple[str, ...]]) -> list[str]:
    """WORDS asks for all words of a licence, NAMES_OF_DEBIAN for one."""
    quantifier = any if words is NAMES_OF_DEBIAN else all
    choices = licence.split(' OR ')
    unknown = [choice for choice in choices if choice not in words]
    if unknown:
        return [f'{name}: no words are known for {", ".join(unknown)}. Add them to workbench/sbom/check.py']
    if not any(quantifier(word in text for word in words[choice]) for choice in choices):
        return [f'{name}: NOTICE says {licence}, and the text of its licence has not the words of it']
    if words is WORDS and 'Runtime Library Exception' in text and 'WITH' not in licence:
        return [f'{name}: NOTICE says {licence}, and the text of its licence has an exception']
    return []


def texts_of(folder: pathlib.Path) -> list[pathlib.Path]:
    """Returns the files with licence and notices at the top of a Swift package."""
    return sorted(path for path in folder.iterdir()
                  if path.is_file() and path.name.upper().startswith(('LICENSE', 'LICENCE', 'NOTICE', 'COPYING')))


def text_of(folder: pathlib.Path) -> str:
    return '\n'.join(path.read_text(encoding='utf-8') for path in texts_of(folder) if 'NOTICE' not in path.name.upper())


def text_of_debian(package: DebianPackage) -> str:
    return (DOCUMENTS / package.name / 'copyright').read_text(encoding='utf-8', errors='replace')
