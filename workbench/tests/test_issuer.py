"""Tests of the signing key."""
import base64
import json
import pathlib
import subprocess
import tempfile
import unittest

from workbench.issuer import KEY_ID, Issuer


def decoded(text):
    return base64.urlsafe_b64decode(text + '=' * (-len(text) % 4))


class IssuerTests(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = pathlib.Path(directory.name)
        self.issuer = Issuer(self.directory)

    def test_public_key_set_has_no_private_part(self):
        [key] = json.loads(self.issuer.jwks.read_text())['keys']
        self.assertNotIn('d', key)
        self.assertEqual((key['kid'], len(decoded(key['x']))), (KEY_ID, 32))
        self.assertEqual(json.loads(self.issuer.jwk.read_text())['x'], key['x'])

    def test_openssl_verifies_a_signature_with_the_public_key(self):
        text, _, signature = self.issuer.sign({'alg': 'EdDSA'}, {'seq': 1}).rpartition('.')
        self.assertEqual(json.loads(decoded(text.split('.')[1])), {'seq': 1})
        (self.directory / 'text').write_text(text)
        (self.directory / 'signature').write_bytes(decoded(signature))
        subprocess.run(
            ['openssl', 'pkeyutl', '-verify', '-inkey', self.issuer.pem, '-rawin', '-in', self.directory / 'text',
             '-sigfile', self.directory / 'signature'], check=True, capture_output=True)
