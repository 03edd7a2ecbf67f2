"""Tests of the list of parts: NOTICE against the sources, and against programs that are built."""
import json
import pathlib
import re
import subprocess
import tempfile
import unittest

from workbench.paths import GATEWAY_PROGRAM, ROOT, TRACKME_PROGRAM
from workbench.sbom import check, document, inventory, link_plan, notice
from workbench.sbom.debian import DebianPackage, stem
from workbench.sbom.inventory import Found
from workbench.sbom.notice import Kind, NoticeError, Part

LINT_PYTHON = ROOT / '.build-lint/venv/bin/python'
# Libraries that no module map of this project names: those of C, C++ and of the packages GRDB and swift-crypto.
IMPLIED = {'libc', 'libm', 'libgcc_s', 'libstdc++', 'libsqlite3'}
GATEWAY = frozenset({'homegateway'})
LOG = Found(Kind.SWIFT_PACKAGE, 'swift-log', '1.2.3', 'abc', 'https://github.com/apple/swift-log.git')
HTTP = Found(Kind.VENDORED, 'llhttp', '9.3.0', within='swift-log')
SSL = DebianPackage('libssl3', '3.0.1-1+b1~deb12', 'amd64', 'openssl', ('libcrypto', 'libssl'))
FOUND = [LOG, HTTP, *(Found(Kind.LIBRARY, name, SSL.version, debian_package=SSL) for name in SSL.libraries),
         Found(Kind.FILE, 'Words.swift', '', sha256='0' * 64)]
PARTS = [
    Part(Kind.SWIFT_PACKAGE, 'swift-log', 'Apache-2.0', GATEWAY), Part(Kind.VENDORED, 'llhttp', 'MIT', GATEWAY),
    Part(Kind.LIBRARY, 'libcrypto', 'Apache-2.0', GATEWAY), Part(Kind.LIBRARY, 'libssl', 'Apache-2.0', GATEWAY),
    Part(Kind.FILE, 'Words.swift', 'CC-BY-3.0-US', GATEWAY)]


def rows(kind: Kind) -> list[Part]:
    return [part for part in notice.read((ROOT / 'NOTICE').read_text(encoding='utf-8')) if part.kind == kind]


class NoticeTests(unittest.TestCase):
    def test_rows_are_read_with_their_table(self):
        text = 'Head\n\nLibraries of Debian, linked:\n\n  liba, libb   MIT OR CC0-1.0  G T  remark\n\nNot  a  row\n'
        both = frozenset({'homegateway', 'trackme'})
        self.assertEqual(notice.read(text), [
            Part(Kind.LIBRARY, 'liba', 'MIT OR CC0-1.0', both), Part(Kind.LIBRARY, 'libb', 'MIT OR CC0-1.0', both)])

    def test_row_without_licence_or_programs_and_double_row_are_refused(self):
        for row in ['  liba  MIT', '  liba  under the MIT licence  G', '  liba  MIT  X', '  a  MIT  G\n  a  MIT  T']:
            with self.assertRaises(NoticeError, msg=row):
                notice.read(f'Libraries of Debian:\n\n{row}\n')

    def test_every_library_of_a_module_map_is_named_and_no_other(self):
        maps = [*(ROOT / 'Sources').rglob('module.modulemap'), *(ROOT / 'TrackMe/Sources').rglob('module.modulemap')]
        linked = {f'lib{name}' for path in maps for name in re.findall(r'link "(.*)"', path.read_text())}
        self.assertEqual({part.name for part in rows(Kind.LIBRARY)}, linked | IMPLIED)

    def test_every_package_of_the_manifests_is_named_for_its_program(self):
        for folder, program in [('', 'homegateway'), ('TrackMe', 'trackme')]:
            text = (ROOT / folder / 'Package.swift').read_text()
            packages = {url.rsplit('/', 1)[1] for url in re.findall(r'\.package\(url: "(.*?)"', text)}
            named = {part.name for part in rows(Kind.SWIFT_PACKAGE) if program in part.programs}
            self.assertLessEqual(packages, named)

    def test_every_development_package_that_debian_control_needs_has_a_row(self):
        control = (ROOT / 'debian/control').read_text()
        needed = set(re.findall(r'^ (lib[a-z0-9+-]+)-dev,$', control, re.M))
        names = {part.name for part in rows(Kind.LIBRARY)} | {'libtomlplusplus'}
        # Debian adds digits of an interface and the name of a variant.
        without = {each for each in needed if not any(re.match(rf'{re.escape(name)}(\d|-|$)', each) for name in names)}
        self.assertEqual(without, set())

    def test_files_of_others_are_there(self):
        for part in rows(Kind.FILE):
            self.assertTrue((ROOT / part.name).exists(), part.name)


class ComparisonTests(unittest.TestCase):
    def test_notice_with_just_the_parts_has_no_problem(self):
        self.assertEqual(check.comparison(FOUND, PARTS, 'homegateway'), [])

    def test_part_without_row_and_row_without_part_are_problems(self):
        self.assertRegex('\n'.join(check.comparison(FOUND, PARTS[1:], 'homegateway')), 'no row "swift-log"')
        self.assertRegex('\n'.join(check.comparison(FOUND[1:], PARTS, 'homegateway')), 'names "swift-log"')

    def test_licence_is_held_against_the_text_that_comes_with_the_package(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            found = [Found(Kind.SWIFT_PACKAGE, 'swift-log', '1', folder=folder)]
            for text, problem in [('Apache License\nVersion 2.0', None), ('Some other terms', 'not the words'),
                                  ('Apache License\nVersion 2.0\nRuntime Library Exception', 'an exception')]:
                (folder / 'LICENSE.txt').write_text(text)
                problems = check.licences(found, PARTS)
                self.assertRegex('\n'.join(problems), problem) if problem else self.assertEqual(problems, [])


class PlanTests(unittest.TestCase):
    def test_packages_of_linked_objects_are_found_by_their_sources(self):
        objects = '/b/release/Logging.build/A.swift.o'
        plan = f'''commands:
  "C.Logging.module":
    inputs: ["/b/checkouts/swift-log/Sources/Logging/A.swift","/b/release/Modules/X.swiftmodule"]
    outputs: ["{objects}"]
  "C.Other.module":
    inputs: ["/b/checkouts/swift-other/Sources/Other/A.swift"]
    outputs: ["/b/release/Other.build/A.swift.o"]
  "C.homegateway-x86_64-release.exe":
    inputs: ["{objects}"]
'''
        state = {'object': {'dependencies': [{
            'subpath': 'swift-log', 'packageRef': {'location': 'https://x'},
            'state': {'checkoutState': {'version': '1.2.3', 'revision': 'abc'}}}]}}
        with tempfile.TemporaryDirectory() as name:
            build = pathlib.Path(name)
            (build / 'release.yaml').write_text(plan)
            (build / 'workspace-state.json').write_text(json.dumps(state))
            found = link_plan.read(build, 'release', 'homegateway')
            self.assertEqual([(each.name, each.version, each.modules) for each in found.packages],
                             [('swift-log', '1.2.3', frozenset({'Logging'}))])
            with self.assertRaisesRegex(link_plan.PlanError, 'links trackme'):
                link_plan.read(build, 'release', 'trackme')

    def test_library_names_lose_their_versions(self):
        self.assertEqual([stem(name) for name in ['libre.so.0', 'libldap-2.5.so.0', 'libstdc++.so.6']],
                         ['libre', 'libldap', 'libstdc++'])


class DocumentTests(unittest.TestCase):
    def made(self, found=FOUND, built_at=None):
        return document.of('homegateway', '1.0', 'GPL-3.0-or-later', found, PARTS, 'debian-12', built_at)

    def test_same_parts_give_the_same_document(self):
        self.assertEqual(json.dumps(self.made()), json.dumps(self.made()))
        self.assertNotEqual(self.made()['serialNumber'], self.made(FOUND[1:])['serialNumber'])

    def test_time_is_that_of_the_environment_or_none(self):
        self.assertNotIn('timestamp', self.made()['metadata'])
        self.assertEqual(self.made(built_at=0)['metadata']['timestamp'], '1970-01-01T00:00:00Z')

    def test_package_urls_have_name_version_and_qualifiers(self):
        urls = {each['name']: each.get('purl') for each in self.made()['components']}
        self.assertEqual(urls['swift-log'], 'pkg:swift/github.com/apple/swift-log@1.2.3')
        self.assertEqual(urls['libssl3'], 'pkg:deb/debian/libssl3@3.0.1-1%2Bb1~deb12?arch=amd64&distro=debian-12')

    def test_vendored_sources_hang_on_their_package(self):
        needs = {each['ref']: each.get('dependsOn') for each in self.made()['dependencies']}
        self.assertEqual(needs['pkg:swift/github.com/apple/swift-log@1.2.3'], ['llhttp@9.3.0'])
        self.assertNotIn('llhttp@9.3.0', needs['homegateway@1.0'])

    @unittest.skipUnless(LINT_PYTHON.exists(), 'make lint installs the schemas')
    def test_document_is_valid_and_an_invalid_one_is_seen(self):
        self.assertEqual(violations(self.made(built_at=0)), '')
        self.assertNotEqual(violations({**self.made(), 'components': [{'name': 'no type'}]}), '')


class BuiltTests(unittest.TestCase):
    """NOTICE against the debug builds, where they are there."""

    def hold(self, program):
        build = program.parent.parent
        parts = notice.read((ROOT / 'NOTICE').read_text(encoding='utf-8'))
        found = inventory.of(program, build, 'debug') + inventory.files(ROOT, parts, program.name)
        self.assertEqual(check.comparison(found, parts, program.name) + check.licences(found, parts), [])
        made = document.of(program.name, '1.0', 'Apache-2.0', found, parts, 'debian-12', None)
        if LINT_PYTHON.exists():
            self.assertEqual(violations(made), '')

    @unittest.skipUnless(GATEWAY_PROGRAM.exists(), 'make build builds it')
    def test_notice_names_the_parts_of_the_gateway(self):
        self.hold(GATEWAY_PROGRAM)

    @unittest.skipUnless(TRACKME_PROGRAM.exists(), 'make trackme builds it')
    def test_notice_names_the_parts_of_trackme(self):
        self.hold(TRACKME_PROGRAM)


def violations(made):
    return subprocess.run(
        [LINT_PYTHON, '-B', '-m', 'workbench.sbom.schema'], cwd=ROOT, input=json.dumps(made), check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout


if __name__ == '__main__':
    unittest.main()
