"""The Debian packages on a box with systemd: through a power cut, and by a first boot with cloud-init. Needs root.

    python3 -m workbench.install FOLDER [--logs DIR]

FOLDER has the packages that `make deb` has built. The box is the guest of the BLE rig with systemd as process 1, whose
image `Tests/BLERig/build-image installed` makes. It boots twice from one disk: the first boot ends by SIGKILL while an
alarm's window is open. Another disk is a card with docs/fleet/cloud-init/user-data.yaml and a signed repository of the
packages; its first boot is left to cloud-init. Ends with 0 when each step was kept.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time

from workbench.fleet import recipes
from workbench.package.newer import newer
from workbench.parts.child import Child
from workbench.parts.interruption import unwind_on_signals
from workbench.paths import ROOT

RUN_IN_VM = ROOT / 'Tests/BLERig/run-in-vm'
LOGS = ROOT / '.build-deb/install-logs'
PACKAGES = ('homegateway', 'homegateway-console')
STEPS = 17
BOOT_SECONDS = 900   # of a slow machine; a boot with its steps takes two minutes on an idle one
IN_GUEST = pathlib.Path('/packages')


class Trial:
    """Two boots of one disk, and the count of their steps."""

    def __init__(self, folder: pathlib.Path, logs: pathlib.Path) -> None:
        self.folder, self.logs = folder, logs
        self.passed = self.failed = 0
        self.alarm: str | None = None   # the one that was open at the power cut

    def boot(self, name: str, *words: str, disk: str = 'disk') -> None:
        """Runs a program of this package in the guest, to its end or to the power cut that it asks for."""
        guest = Child(
            [RUN_IN_VM, '--disk', self.folder / disk, '--mem', '768M', '--timeout', BOOT_SECONDS,
             '--logs', self.logs / name,
             '--mount', f'{ROOT / "workbench"}:/opt/workbench', '--mount', f'{self.folder / "packages"}:{IN_GUEST}',
             '--', 'python3', '-m', f'workbench.install.{name}', *words], stdout=subprocess.PIPE)
        try:
            for line in guest.stdout:
                self.read(line.decode(errors='replace').rstrip('\r\n'), guest)
            guest.process.wait()
        finally:
            guest.stop()

    def read(self, line: str, guest: Child) -> None:
        """Counts a step. Ends the guest, as a power cut does, where the guest asks for it."""
        if line.startswith('@cut '):
            guest.process.terminate()
            self.alarm = line.removeprefix('@cut ')
        elif line == '@late':
            print('FAIL      the power cut came after the call for help', flush=True)
            self.failed += 1
        else:
            print(line, flush=True)
            if found := re.match(r'(ok|FAIL) +\d+  ', line):
                self.passed += found[1] == 'ok'
                self.failed += found[1] == 'FAIL'


def write_card(folder: pathlib.Path, packages: list[pathlib.Path]) -> None:
    """Publishes the packages by the recipe for an operator, and fills in user-data.yaml as its comments say."""
    server, card = folder / 'server', folder / 'packages/card'
    (server / '.build-deb').mkdir(parents=True)
    (server / 'docs').symlink_to(ROOT / 'docs')
    for package in packages:
        shutil.copy(package, server / '.build-deb')
    # Short: gpg has a socket in its home.
    with tempfile.TemporaryDirectory(prefix='gpg-', dir='/tmp') as keys:
        for script in recipes.blocks('A repository of packages')[:2]:
            script = script.replace(str(recipes.REPOSITORY), str(card / 'repository'))
            said = recipes.run(script, server, GNUPGHOME=keys)
            assert said.returncode == 0, said.stdout
        subprocess.run(['gpgconf', '--kill', 'all'], env={**os.environ, 'GNUPGHOME': keys}, check=False)
    key = textwrap.indent((server / 'homegateway.asc').read_text(), 6 * ' ')
    text = (recipes.FLEET / 'cloud-init/user-data.yaml').read_text(encoding='utf-8')
    text, count = re.subn(r'^ +-----BEGIN PGP.*?END PGP PUBLIC KEY BLOCK-----\n', lambda _: key, text,
                          flags=re.M | re.S)
    assert count == 1, 'user-data.yaml has no place for the key of the repository'
    assert 'https://packages.example/homegateway' in text
    text = text.replace('https://packages.example/homegateway', f'file://{recipes.REPOSITORY}')
    # The guest has no translations, and so no locale but C.
    (card / 'user-data').write_text(f'{text}locale: false\n')


def main() -> int:
    assert __doc__
    parser = argparse.ArgumentParser(prog='python3 -m workbench.install', description=__doc__.splitlines()[0])
    parser.add_argument('folder', type=pathlib.Path)
    parser.add_argument('--logs', type=pathlib.Path, default=LOGS)
    options = parser.parse_args()
    if os.geteuid() != 0:
        sys.exit('The guest is run as root: sudo make e2e-install')
    packages = [each for name in PACKAGES for each in sorted(options.folder.glob(f'{name}_*.deb'))]
    if len(packages) != len(PACKAGES):
        sys.exit(f'Expected one package each of {", ".join(PACKAGES)} in {options.folder}, saw '
                 f'{", ".join(each.name for each in packages) or "none"}. Build them first: make deb')
    unwind_on_signals()
    shutil.rmtree(options.logs, ignore_errors=True)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix='install-') as name:
        folder = pathlib.Path(name)
        (folder / 'packages/newer').mkdir(parents=True)
        for package in packages:
            shutil.copy(package, folder / 'packages')
        later = [newer(package, folder / 'packages/newer') for package in packages]
        trial = Trial(folder, options.logs)
        trial.boot('first_boot', *(str(IN_GUEST / each.name) for each in packages))
        if trial.alarm:
            trial.boot('second_boot', trial.alarm, *(str(IN_GUEST / 'newer' / each.name) for each in later))
        write_card(folder, packages)
        trial.boot('card', disk='card')
        trial.boot('cloud_boot', *(each.name.split('_')[1] for each in packages), disk='card')
    missing = STEPS - trial.passed - trial.failed
    if missing > 0:
        print(f'FAIL      {missing} steps came to no verdict; logs: {options.logs}', flush=True)
        trial.failed += missing
    print(f'{trial.passed} passed, {trial.failed} failed  ({time.monotonic() - began:.0f} s)')
    return 1 if trial.failed else 0


if __name__ == '__main__':
    sys.exit(main())
