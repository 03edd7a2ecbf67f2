"""Check of sealed messages by the program that docs/integrator/sealing.md shows to third parties."""
import json
import re
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from workbench.contract.document import CONTRACT


def program():
    """Returns the function of the program in docs/integrator/sealing.md, word for word."""
    text = (CONTRACT.parent / 'integrator/sealing.md').read_text(encoding='utf-8')
    [source] = re.findall(r'```python\n(.*?)```', text, re.S)
    names: dict[str, Any] = {}
    exec(compile(source, 'docs/integrator/sealing.md', 'exec'), names)
    return names['unsealed']


def problems(path):
    """Returns the problems of the messages in the file at `path`, one JSON object a line.

    Members: "topic", "payload", "keys" ({kid: private key in hex}) and "plain", the expected content; null for a
    message that must not open.
    """
    unsealed, found = program(), []
    lines = [json.loads(line) for line in path.read_text(encoding='utf-8').splitlines()]
    for number, line in enumerate(lines, 1):
        keys = {kid: X25519PrivateKey.from_private_bytes(bytes.fromhex(key)) for kid, key in line['keys'].items()}
        try:
            plain = unsealed(line['topic'], line['payload'], keys)
        except InvalidTag:
            plain = None
        if plain != (line['plain'] and json.loads(line['plain'])):
            found.append(f'line {number}: {plain} is inside, expected {line["plain"]}')
    return found if lines else [f'{path} holds no message']
