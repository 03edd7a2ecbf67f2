"""Tests of the writer of gateway.toml."""
import pathlib
import tomllib
import unittest

from workbench import gateway_settings as settings


class SettingsTests(unittest.TestCase):
    def test_house_with_a_person_and_a_wearable_is_valid_toml(self):
        text = (
            settings.house('box', pathlib.Path('/run/x'), 1883) + settings.person('maria', 'Maria "M" Rossi')
            + settings.wearable('tag', 'C0:FF:EE:00:00:05', 'maria', {'button': 'sos-button'}, heard_by='advertising')
            + settings.commands(pathlib.Path('/run/x/issuer.jwks')))
        parsed = tomllib.loads(text)
        self.assertEqual(parsed['gateway']['control_socket'], '/run/x/control.sock')
        self.assertEqual(parsed['person'][0]['name'], 'Maria "M" Rossi')
        self.assertEqual(parsed['person'][0]['sos']['heart_rate']['high'], settings.HIGH_BPM)
        self.assertEqual(parsed['wearable'][0]['signals'], {'button': 'sos-button'})
        self.assertEqual(parsed['commands']['issuers'][0]['keys'], '/run/x/issuer.jwks')

    def test_house_is_silent_unless_sound_is_set(self):
        directory = pathlib.Path('/run/x')
        self.assertEqual(tomllib.loads(settings.house('box', directory, 1))['house'], {'screen': True, 'sound': False})
        self.assertEqual(
            tomllib.loads(settings.house('box', directory, 1, wav_directory='/w'))['house'],
            {'screen': True, 'wav_directory': '/w'})
