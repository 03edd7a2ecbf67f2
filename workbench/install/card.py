"""In the guest: writes on its disk what a card of the fleet carries, for the next boot.

    python3 -m workbench.install.card
"""
import os
import pathlib
import shutil

from workbench.fleet.recipes import REPOSITORY
from workbench.install.box import play

SOURCE = pathlib.Path('/packages/card')
SEED = pathlib.Path('/var/lib/cloud/seed/nocloud')


async def write() -> None:
    shutil.copytree(SOURCE / 'repository', REPOSITORY)
    SEED.mkdir(parents=True)
    shutil.copy(SOURCE / 'user-data', SEED)
    (SEED / 'meta-data').write_text('instance-id: first-boot\n')
    # The guest reaches no mirror of Debian. A box has one.
    pathlib.Path('/etc/apt/sources.list').unlink(missing_ok=True)
    shutil.rmtree('/etc/apt/sources.list.d')
    pathlib.Path('/etc/apt/sources.list.d').mkdir()
    pathlib.Path('/etc/cloud/cloud-init.disabled').unlink()
    os.sync()


play(write())
