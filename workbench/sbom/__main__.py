"""Writes the parts of a built program as a CycloneDX document, and the texts of their licences.

    python3 -m workbench.sbom PROGRAM --build FOLDER [--configuration debug] --into FOLDER

PROGRAM is the program before it was stripped, FOLDER a scratch path of SwiftPM. It writes NAME.cdx.json and
NAME.licences.txt, and ends with 1 when NOTICE does not name exactly the parts of the program, each with its licence.
The document has a time only where SOURCE_DATE_EPOCH is set.
"""
import argparse
import json
import os
import pathlib
import re
import sys

from workbench.paths import ROOT
from workbench.sbom import check, document, inventory, notice
from workbench.sbom.debian import LibraryError
from workbench.sbom.link_plan import PlanError
from workbench.sbom.notice import Kind

# Licences of the programs as a whole; NOTICE says why the gateway's is the GPL.
WHOLE = {'homegateway': 'GPL-3.0-or-later', 'trackme': 'Apache-2.0'}
# Licences without a text in the toolchain.
PLACES_OF_TEXTS = {'ICU': 'Unicode-3.0, https://www.unicode.org/license.txt'}
# Texts of vendored sources that the texts of their package do not contain.
FURTHER_TEXTS = {'llhttp': ('swift-nio', 'Sources/CNIOLLHTTP/LICENSE')}


def distribution() -> str:
    """Returns the distribution of this machine as purls name it: `debian-12`."""
    fields = dict(re.findall(r'^(\w+)="?([^"\n]*)', pathlib.Path('/etc/os-release').read_text(encoding='utf-8'), re.M))
    return f'{fields["ID"]}-{fields.get("VERSION_ID", "unknown")}'


def version() -> str:
    first = (ROOT / 'debian/changelog').read_text(encoding='utf-8').splitlines()[0]
    match = re.search(r'\((.*)\)', first)
    assert match, first
    return match[1]


def licence_texts(found: list[inventory.Found]) -> str:
    """Returns the licences and notices of all sources that are compiled in; those of libraries are Debian's to keep."""
    folders = {each.name: each.folder for each in found if each.folder}
    pages = [
        (f'{name}: {path.name}', path) for name, folder in sorted(folders.items()) for path in check.texts_of(folder)]
    pages += [(f'{each.name}: {FURTHER_TEXTS[each.name][1]}', folders[each.within] / FURTHER_TEXTS[each.name][1])
              for each in found if each.name in FURTHER_TEXTS and each.within]
    pages += [(f'{each.name}: copyright', check.DOCUMENTS / each.debian_package.name / 'copyright')
              for each in found if each.kind == Kind.HEADERS and each.debian_package]
    remarks = [f'{each.name}: {PLACES_OF_TEXTS[each.name]}\n' for each in found if each.name in PLACES_OF_TEXTS]
    rule = '=' * 100
    return ''.join(remarks) + '\n'.join(
        f'{rule}\n{title}\n{rule}\n{path.read_text(encoding="utf-8")}' for title, path in pages)


def main() -> int:
    assert __doc__
    parser = argparse.ArgumentParser(prog='python3 -m workbench.sbom', description=__doc__.splitlines()[0])
    parser.add_argument('program', type=pathlib.Path)
    parser.add_argument('--build', type=pathlib.Path, required=True)
    parser.add_argument('--configuration', choices=['debug', 'release'], default='release')
    parser.add_argument('--into', type=pathlib.Path, required=True)
    options = parser.parse_args()
    name = options.program.name
    try:
        parts = notice.read((ROOT / 'NOTICE').read_text(encoding='utf-8'))
        found = inventory.of(options.program, options.build, options.configuration)
        found += inventory.files(ROOT, parts, name)
    except (notice.NoticeError, PlanError, LibraryError, inventory.InventoryError) as error:
        sys.exit(str(error))
    problems = check.comparison(found, parts, name) + check.licences(found, parts)
    if problems:
        print('\n'.join(problems), file=sys.stderr)
        return 1
    epoch = os.environ.get('SOURCE_DATE_EPOCH')
    whole = document.of(name, version(), WHOLE[name], found, parts, distribution(), int(epoch) if epoch else None)
    options.into.mkdir(parents=True, exist_ok=True)
    text = json.dumps(whole, indent=1, ensure_ascii=False) + '\n'
    (options.into / f'{name}.cdx.json').write_text(text, encoding='utf-8')
    (options.into / f'{name}.licences.txt').write_text(licence_texts(found), encoding='utf-8')
    print(f'{options.into}/{name}.cdx.json: {len(whole["components"])} components')
    return 0


if __name__ == '__main__':
    sys.exit(main())
