"""Steps 15 to 17, in the guest: the first boot of a card, which cloud-init carries out by itself.

    python3 -m workbench.install.cloud_boot VERSION VERSION
"""
import base64
import json
import pathlib
import re
import socket
import sys
import time

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ed25519

from workbench.install import box
from workbench.install.box import CONSOLE, DAEMON, run, succeed, unit
from workbench.install.steps import Ended, Steps

HOUSE = 'house-12'   # of user-data.yaml
OUTPUT = pathlib.Path('/var/log/cloud-init-output.log')
RESULT = pathlib.Path('/run/cloud-init/result.json')
LONGEST_SECONDS = 600


async def carried_out(steps: Steps) -> None:
    async with steps.step(15, 'cloud-init carries out user-data.yaml at the first boot', essential=True) as seen:
        said = await run('cloud-init', 'status', '--wait', '--long', limit=LONGEST_SECONDS)
        output = OUTPUT.read_text(errors='replace')
        assert said.status == 0, f'{said.text}\n{output[-4_000:]}'
        result = json.loads(RESULT.read_text())['v1']
        assert result['errors'] == [], result
        seen(' '.join(said.text.lstrip('.').split()))
        finished = re.findall(r'^Cloud-init v.* finished at .*$', output, re.M)
        seen(finished[-1] if finished else 'no last line of cloud-init')


async def set_up(steps: Steps, versions: list[str]) -> None:
    async with steps.step(16, 'the gateway runs with the settings of the card, out of the signed repository') as seen:
        for name, version in zip((DAEMON, CONSOLE), versions, strict=True):
            state = await succeed('dpkg-query', '-W', '-f', '${db:Status-Abbrev}${Version}', name)
            assert state == f'ii {version}', f'{name}: saw {state}, expected {version}'
            policy = await succeed('apt-cache', 'policy', name)
            assert 'file:/srv/homegateway' in policy, policy
            seen(f'{name}: {state}')
        assert socket.gethostname() == HOUSE, socket.gethostname()
        found = box.access(box.SETTINGS)
        assert found == f'root {DAEMON} 640', found
        await box.wait_for_gateway()
        enabled = (await unit(DAEMON, 'UnitFileState'))['UnitFileState']
        assert enabled == 'enabled', enabled
        status = json.loads(await succeed('homegateway', 'status', '--json'))
        seen(f'{socket.gethostname()}, {box.SETTINGS}: {found}, {DAEMON}: {enabled}')
        seen('conditions: ' + (', '.join(sorted({each['code'] for each in status['conditions']})) or 'none'))


async def claimed(steps: Steps) -> None:
    async with steps.step(17, 'the log has the line for the fleet, signed by the key of this box') as seen:
        lines = re.findall(r'^eyJ[\w-]+\.[\w-]+\.[\w-]+$', OUTPUT.read_text(errors='replace'), re.M)
        assert len(lines) == 1, f'saw {len(lines)} lines with a claim, expected 1'
        head, claims = (json.loads(decoded(part)) for part in lines[0].split('.')[:2])
        assert head['typ'] == 'trackme-claim+jwt' and claims['iss'] == HOUSE, (head, claims)
        key = json.loads(await succeed('homegateway', 'contract', 'keys', '--jwks'))['keys'][0]['x']
        signed, _, signature = lines[0].rpartition('.')
        assert verifies(key, signed.encode(), decoded(signature)), 'the signature is not of this box'
        assert not verifies(key, signed.encode() + b'x', decoded(signature)), 'any text verifies'
        seen(f'{head["typ"]} of {claims["iss"]}, {time.time() - claims["iat"]:.0f} s old')


def decoded(part: str) -> bytes:
    return base64.urlsafe_b64decode(part + '=' * (-len(part) % 4))


def verifies(x: str, signed: bytes, signature: bytes) -> bool:
    """Whether the holder of this Ed25519 key has signed it (RFC 8037)."""
    try:
        ed25519.Ed25519PublicKey.from_public_bytes(decoded(x)).verify(signature, signed)
    except InvalidSignature:
        return False
    return True


async def boot(versions: list[str]) -> None:
    steps = Steps()
    await carried_out(steps)
    await set_up(steps, versions)
    await claimed(steps)


try:
    box.play(boot(sys.argv[1:]))
except Ended:
    sys.exit(1)
