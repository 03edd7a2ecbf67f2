"""The commands of docs/fleet/README.md, as they stand there."""
import os
import pathlib
import re
import subprocess

from workbench.paths import ROOT

FLEET = ROOT / 'docs/fleet'
REPOSITORY = pathlib.Path('/srv/homegateway')


def blocks(section: str) -> list[str]:
    """Returns the shell blocks of a section of docs/fleet/README.md, in their order."""
    text = (FLEET / 'README.md').read_text(encoding='utf-8')
    part = re.search(rf'^## {re.escape(section)}$(.*?)(?=^## |\Z)', text, re.M | re.S)
    assert part, section
    return re.findall(r'^```sh\n(.*?)^```', part[1], re.M | re.S)


def run(script: str, folder: pathlib.Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ['sh', '-euc', script], cwd=folder, env={**os.environ, **environment}, check=False, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
