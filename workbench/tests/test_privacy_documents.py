"""Tests of the privacy notice and the threat model: figures of the settings, and files that exist."""
import re
import subprocess
import unittest

from workbench.paths import ROOT

NOTICES = [ROOT / 'docs/privacy/home-notice.md', ROOT / 'docs/privacy/home-notice.it.md']
THREATS = ROOT / 'docs/developer/threat-model.md'


def standard(document: str, section: str, key: str) -> str:
    """Returns the value of a key that is not written, as a table of settings has it."""
    text = (ROOT / document).read_text(encoding='utf-8')
    row = re.search(rf'^\| `{key}` \|(.*)\|$', text[text.index(section):], re.M)
    assert row, (document, key)
    found = re.findall(r'(?<![\d.])\d[\d_]*(?![\d.])', row[1].split('|')[1] if '...' in row[1] else row[1])
    assert found, row[0]
    return found[0]


class NoticeTests(unittest.TestCase):
    def test_figures_are_those_of_the_settings(self):
        settings, cloud = 'docs/installer/settings.md', 'docs/trackme/README.md'
        declared = [
            standard(settings, '## `[history]`', 'raw_days'), standard(settings, '## `[history]`', 'keep_days'),
            standard(settings, '## `[outbox]`', 'keep_days')]
        declared += [standard(cloud, '## How long data are kept', f'{name}_days')
                     for name in ['raw', 'minute', 'hour', 'shared']]
        self.assertEqual(declared, ['30', '400', '90', '7', '90', '400', '30'])
        for path in NOTICES:
            figures = re.findall(r'(\d+) (?:days|giorni)', path.read_text(encoding='utf-8'))
            self.assertEqual(figures, declared, path.name)

    def test_numbers_of_kept_records_are_those_of_the_code(self):
        kept = (ROOT / 'Sources/Adapters/Vault/Alarms/AlarmRecordStore.swift').read_text(encoding='utf-8')
        self.assertIn('alarmsKept = 2_000', kept)
        disclosures = (ROOT / 'docs/installer/state.md').read_text(encoding='utf-8')
        self.assertIn('the last 1,000 |', disclosures)
        for path, alarms, last in zip(NOTICES, ['2,000', '2.000'], ['1,000', '1.000'], strict=True):
            text = path.read_text(encoding='utf-8')
            self.assertIn(alarms, text)
            self.assertIn(last, text)

    def test_both_languages_have_the_same_parts(self):
        english, italian = (path.read_text(encoding='utf-8') for path in NOTICES)
        for form in [r'^\|', r'^\*\*|\*\*[.:,]', r'`[^`]+`', r'_{20,}']:
            self.assertEqual(len(re.findall(form, english, re.M)), len(re.findall(form, italian, re.M)), form)
        self.assertEqual(sorted(re.findall(r'`[^`]+`', english)), sorted(re.findall(r'`[^`]+`', italian)))


class ThreatModelTests(unittest.TestCase):
    def test_every_named_file_and_target_exists(self):
        text = THREATS.read_text(encoding='utf-8')
        tracked = subprocess.run(
            ['git', 'ls-files'], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
        names = {path.rsplit('/', 1)[-1] for path in tracked} | set(tracked)
        named = re.findall(r'`([\w/+-]+\.(?:swift|py))`', text)
        self.assertGreater(len(named), 40)
        self.assertEqual([name for name in named if name not in names], [])
        for target in re.findall(r'\]\(([^)#]+)', text):
            self.assertTrue((THREATS.parent / target).resolve().exists(), target)

    def test_every_threat_has_a_measure_or_the_word_that_there_is_none(self):
        text = THREATS.read_text(encoding='utf-8')
        rows = [line for line in text.splitlines() if re.match(r'\| [STRIDE](, [STRIDE])* \|', line)]
        self.assertGreater(len(rows), 40)
        for row in rows:
            # Threat, measure and remaining risk; the last may be empty, the others not.
            letters, threat, measure, _ = (cell.strip() for cell in re.split(r'(?<!\\)\|', row)[1:-1])
            self.assertTrue(letters and threat and measure, row)


if __name__ == '__main__':
    unittest.main()
