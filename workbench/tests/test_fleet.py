"""Tests of the recipes in docs/fleet against the gateway's own program."""
import pathlib
import re
import subprocess
import tempfile
import textwrap
import unittest

from workbench.documented_commands import description, problem
from workbench.paths import GATEWAY_PROGRAM, ROOT

FLEET = ROOT / 'docs/fleet'
USER_DATA = (FLEET / 'cloud-init/user-data.yaml').read_text(encoding='utf-8')


def content_of(path: str) -> str:
    """Returns the text that user-data writes to this path."""
    part = USER_DATA.split(f'- path: {path}\n')[1].split('content: |\n')[1]
    lines = re.match(r'(?: {6}[^\n]*\n|\n)+', part)
    assert lines, path
    return textwrap.dedent(lines[0])


class FleetTests(unittest.TestCase):
    def test_user_data_and_repository_recipe_have_the_same_files(self):
        self.assertEqual(content_of('/etc/apt/sources.list.d/homegateway.sources'),
                         (FLEET / 'apt/homegateway.sources').read_text())
        recipe = [line for line in (FLEET / 'apt/52homegateway').read_text().splitlines() if not line.startswith('//')]
        self.assertEqual(content_of('/etc/apt/apt.conf.d/52homegateway').splitlines(), recipe)

    def test_origin_of_the_repository_is_the_one_that_upgrades_come_from(self):
        fields = dict(line.split(': ', 1) for line in (FLEET / 'apt/distributions').read_text().splitlines())
        self.assertIn(f'"origin={fields["Origin"]},codename={fields["Codename"]}"',
                      (FLEET / 'apt/52homegateway').read_text())

    def test_settings_of_the_first_boot_have_no_consent_and_no_password(self):
        text = content_of('/etc/homegateway/gateway.toml')
        self.assertIn('data_policy = "not-accepted"', text)
        self.assertIn('automated_sos = "not-accepted"', text)
        self.assertNotIn('password', text)

    def test_announcement_names_nobody(self):
        text = (ROOT / 'docs/fleet/mdns/homegateway.service.in').read_text()
        self.assertEqual(re.findall(r'<txt-record>(.*)</txt-record>', text), ['version=@VERSION@', 'role=home'])

    @unittest.skipUnless(GATEWAY_PROGRAM.exists(), 'make build builds it')
    def test_settings_of_the_first_boot_are_right_and_are_known_as_an_example(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, 'gateway.toml')
            path.write_text(content_of('/etc/homegateway/gateway.toml'))
            said = subprocess.run([GATEWAY_PROGRAM, 'check', '--offline', path], check=False, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        # Right as they stand, but for the agreement that the person gives at the visit.
        self.assertEqual(said.returncode, 69, said.stdout)
        self.assertIn('the settings are those of the example', said.stdout)
        self.assertIn('nobody is called for maria', said.stdout)
        self.assertNotIn('nothing within reach', said.stdout)

    @unittest.skipUnless(GATEWAY_PROGRAM.exists(), 'make build builds it')
    def test_commands_in_recipes_exist(self):
        tree = description(GATEWAY_PROGRAM, 'homegateway')
        lists = re.findall(r'^  - \[homegateway, (.*)\]$', USER_DATA, re.M)
        role = ''.join(path.read_text() for path in sorted((FLEET / 'ansible').rglob('*.yml')))
        lines = re.findall(r"(?:command|validate): (?:sh -c ')?homegateway (.*?)(?: \"\$0\".*)?$", role, re.M)
        self.assertEqual(len(lists) + len(lines), 5)
        for line in [*(each.replace(',', '') for each in lists), *lines]:
            self.assertIsNone(problem(tuple(line.split()), tree), line)


if __name__ == '__main__':
    unittest.main()
