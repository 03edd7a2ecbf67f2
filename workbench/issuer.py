"""The key of a service that signs commands to the gateway and acceptances of its calls."""
import base64
import json
import pathlib
import subprocess

KEY_ID = '2026-1'


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b'=').decode()


class Issuer:
    """An Ed25519 key in a directory, as PEM, as JWK and as a public JWK set (RFC 8037)."""

    def __init__(self, directory: pathlib.Path) -> None:
        """Makes the key and writes its three files."""
        self.pem = directory / 'issuer.pem'
        self.jwk, self.jwks = directory / 'issuer.jwk', directory / 'issuer.jwks'
        subprocess.run(['openssl', 'genpkey', '-algorithm', 'ed25519', '-out', self.pem], check=True)
        public = {'kty': 'OKP', 'crv': 'Ed25519', 'kid': KEY_ID, 'x': base64url(self.raw('-pubout'))}
        self.jwk.write_text(json.dumps({**public, 'd': base64url(self.raw())}), encoding='utf-8')
        self.jwks.write_text(json.dumps({'keys': [public]}), encoding='utf-8')

    def raw(self, *options: str) -> bytes:
        """Returns the 32 bytes of the key, at the end of its DER form."""
        return subprocess.run(
            ['openssl', 'pkey', '-in', self.pem, '-outform', 'DER', *options], check=True,
            capture_output=True).stdout[-32:]

    def sign(self, head: dict[str, object], claims: dict[str, object]) -> str:
        """Returns the claims as a JWS in its compact form."""
        text = '.'.join(base64url(json.dumps(part).encode()) for part in (head, claims))
        # openssl pkeyutl reads the text for Ed25519 from a file only.
        file = self.pem.with_name('signed')
        file.write_text(text, encoding='ascii')
        signature = subprocess.run(
            ['openssl', 'pkeyutl', '-sign', '-inkey', self.pem, '-rawin', '-in', file], check=True,
            capture_output=True).stdout
        return f'{text}.{base64url(signature)}'
