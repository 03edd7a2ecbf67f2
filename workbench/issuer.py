"""The key of a service that signs: commands to the gateway, and acceptances of its calls."""
import base64
import json
import subprocess


def issuer_key():
    """An Ed25519 key as JWK, with and without its private part (RFC 8037)."""
    pem = subprocess.run(['openssl', 'genpkey', '-algorithm', 'ed25519'], capture_output=True, check=True).stdout
    private, public = (
        subprocess.run(['openssl', 'pkey', '-outform', 'DER', *more], input=pem, capture_output=True,
                       check=True).stdout[-32:] for more in ([], ['-pubout']))
    shown = {'kty': 'OKP', 'crv': 'Ed25519', 'kid': 'demo-1', 'x': base64url(public)}
    return {**shown, 'd': base64url(private)}, shown


def write_issuer_key(directory):
    """Makes a key and writes it. Returns the files with the private key and with the public key set."""
    private, public = issuer_key()
    (directory / 'issuer.jwk').write_text(json.dumps(private), encoding='utf-8')
    (directory / 'issuer.jwks').write_text(json.dumps({'keys': [public]}), encoding='utf-8')
    return directory / 'issuer.jwk', directory / 'issuer.jwks'


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b'=').decode()
