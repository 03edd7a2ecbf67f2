"""The Debian packages in a clean Debian: installed, upgraded, not downgraded, removed and purged. Needs root.

    python3 -m workbench.package FOLDER

FOLDER has the packages that `make deb` has built. The Debian is a folder that mmdebstrap makes out of this machine's
own sources of packages; no systemd runs in it. Ends with 0 when each rule was kept.
"""
import argparse
import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from workbench.package.newer import CONSOLE_SETTINGS, NEWER, newer
from workbench.parts.interruption import unwind_on_signals

SOURCES = pathlib.Path('/etc/apt')
SETTINGS = 'etc/homegateway/gateway.toml'
STATE = 'var/lib/homegateway/state.sqlite'
PROGRAMS = {'homegateway': '/usr/bin/homegateway', 'trackme': '/usr/bin/trackme'}
FILES = [
    'usr/share/man/man1/homegateway.1.gz', 'usr/share/man/man5/gateway.toml.5.gz', 'usr/share/man/man1/trackme.1.gz',
    'usr/share/bash-completion/completions/homegateway', 'usr/share/zsh/vendor-completions/_homegateway',
    'usr/share/fish/vendor_completions.d/homegateway.fish', 'usr/share/polkit-1/rules.d/50-homegateway.rules',
    'usr/share/doc/homegateway/sbom.cdx.json', 'usr/share/doc/homegateway/licences.txt.gz',
    'usr/share/doc/trackme/sbom.cdx.json', 'usr/share/doc/homegateway/NOTICE', 'usr/share/doc/homegateway/copyright',
    'usr/share/doc/homegateway/examples/gateway.example.toml', CONSOLE_SETTINGS]


class Trial:
    """A system in a folder, and the rules that were broken in it."""

    def __init__(self, root: pathlib.Path) -> None:
        self.root = root
        self.broken: list[str] = []

    def rule(self, words: str, is_kept: bool, seen: object = '') -> None:
        print(f'{"PASS" if is_kept else "FAIL"}  {words}', flush=True)
        if not is_kept:
            self.broken.append(words)
            print(f'      {seen}', flush=True)

    def run(self, *command: object) -> subprocess.CompletedProcess[str]:
        """Runs a command in the system, without its environment of this one."""
        return subprocess.run(
            ['chroot', self.root, 'env', '-i', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'LC_ALL=C.UTF-8', 'TERM=dumb',
             'DEBIAN_FRONTEND=noninteractive', *map(str, command)],
            check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)

    def has(self, path: str) -> bool:
        return os.path.lexists(self.root / path)

    def state_of(self, package: str) -> str:
        """Returns dpkg's word and the version; nothing for a package that dpkg does not know."""
        return self.run('dpkg-query', '-W', '-f', '${db:Status-Abbrev}${Version}', package).stdout.strip()


@contextlib.contextmanager
def clean_debian() -> Iterator[pathlib.Path]:
    with tempfile.TemporaryDirectory(prefix='package-') as folder:
        root = pathlib.Path(folder, 'root')
        sources = [*SOURCES.glob('sources.list.d/*.sources'), *SOURCES.glob('sources.list')]
        subprocess.run(
            ['mmdebstrap', '--quiet', '--variant=minbase', '--include=man-db', 'bookworm', root, *sources], check=True)
        shutil.copytree(SOURCES / 'apt.conf.d', root / 'etc/apt/apt.conf.d', dirs_exist_ok=True)
        for name in ['resolv.conf', 'hosts']:
            shutil.copy(f'/etc/{name}', root / 'etc' / name)
        # Nothing is started here, as policy-rc.d says to every package; a machine's systemd would see to it.
        policy = root / 'usr/sbin/policy-rc.d'
        policy.write_text('#!/bin/sh\nexit 101\n')
        policy.chmod(0o755)
        mounts = [root / 'proc', root / 'dev']
        try:
            subprocess.run(['mount', '-t', 'proc', 'proc', mounts[0]], check=True)
            subprocess.run(['mount', '--bind', '/dev', mounts[1]], check=True)
            yield root
        finally:
            for mount in mounts:
                subprocess.run(['umount', '-l', mount], check=False, stderr=subprocess.DEVNULL)


def install(trial: Trial, packages: list[pathlib.Path]) -> subprocess.CompletedProcess[str]:
    folder = trial.root / 'packages'
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for package in packages:
        shutil.copy(package, folder)
    return trial.run('apt-get', 'install', '-y', '-q', '--no-install-recommends', '--allow-downgrades',
                     '-o', 'Dpkg::Options::=--force-confold', *(f'/packages/{each.name}' for each in packages))


def is_installed(trial: Trial) -> None:
    for name, path in PROGRAMS.items():
        said = trial.run(path, '--version')
        trial.rule(f'{name} says its version', said.returncode == 0 and said.stdout.startswith(name), said.stdout)
    for path in FILES:
        trial.rule(f'/{path} is there', trial.has(path))
    for page in ['homegateway', 'gateway.toml', 'trackme']:
        said = trial.run('man', '--warnings', page)
        trial.rule(f'man {page} shows a page without a warning',
                   said.returncode == 0 and len(said.stdout) > 1_000 and 'warning' not in said.stdout.split('NAME')[0],
                   said.stdout[:300])
    for account in ['homegateway', 'homegateway-console', 'trackme']:
        trial.rule(f'the account {account} is there', trial.run('getent', 'passwd', account).returncode == 0)
    for unit, state in [('homegateway', 'disabled'), ('homegateway-console', 'enabled'), ('trackme', 'disabled')]:
        seen = trial.run('systemctl', 'is-enabled', unit).stdout.strip()
        trial.rule(f'the unit {unit} is {state}', seen == state, seen)
    text = trial.run('cat', f'/{unit_path(trial, "homegateway")}').stdout
    trial.rule('the unit starts the program of the package', '\nExecStart=/usr/bin/homegateway run\n' in text, text)
    said = trial.run('homegateway-console', '--help')
    trial.rule('homegateway-console is a command', said.returncode == 0, said.stdout)
    # The example has a broker of nobody and no settings of a house: the check must not call it good.
    said = trial.run('homegateway', 'check', '--offline', '/etc/homegateway/gateway.toml')
    trial.rule('without settings the check says what is missing', said.returncode == 78, said.stdout)


def unit_path(trial: Trial, name: str) -> str:
    return next(path for path in [f'lib/systemd/system/{name}.service', f'usr/lib/systemd/system/{name}.service']
                if trial.has(path))


def play(trial: Trial, packages: list[pathlib.Path]) -> None:
    trial.run('apt-get', 'update', '-q')
    said = install(trial, packages)
    trial.rule('the packages install', said.returncode == 0, said.stdout[-2_000:])
    if trial.broken:
        return
    is_installed(trial)

    # A house in use.
    (trial.root / SETTINGS).write_text('# of the house\n')
    (trial.root / STATE).write_text('kept')
    console = trial.root / CONSOLE_SETTINGS
    console.write_text(console.read_text() + '# of the installer\n')

    with tempfile.TemporaryDirectory() as folder:
        later = [newer(package, pathlib.Path(folder)) for package in packages]
        said = install(trial, later)
        trial.rule('a newer version installs over it',
                   said.returncode == 0 and trial.state_of('homegateway') == f'ii {NEWER}', said.stdout[-2_000:])
        group = trial.run('stat', '-c', '%G', f'/{SETTINGS}').stdout.strip()
        trial.rule('the settings are of the group of the gateway', group == 'homegateway', group)
        is_kept(trial, 'an upgrade')
        trial.rule('an upgrade keeps what the installer changed', '# of the installer' in console.read_text())

    said = install(trial, packages)
    trial.rule('an older version is refused in words',
               said.returncode != 0 and 'expected at most' in said.stdout, said.stdout[-2_000:])
    trial.rule('the newer version stays', trial.state_of('homegateway').endswith(NEWER), trial.state_of('homegateway'))
    is_kept(trial, 'the refusal')

    names = [package.name.split('_')[0] for package in packages]
    said = trial.run('apt-get', 'remove', '-y', '-q', *names)
    trial.rule('the packages are removed',
               said.returncode == 0 and not trial.has('usr/bin/homegateway'), said.stdout[-2_000:])
    is_kept(trial, 'the removal')
    said = trial.run('dpkg', '--purge', *names)
    left = trial.run('find', '/etc', '/usr', '/var/lib', '-not', '-path', '/var/lib/dpkg/*', '-and', '(',
                     '-name', '*homegateway*', '-o', '-name', '*trackme*', ')').stdout.split()
    trial.rule('a purge leaves nothing', said.returncode == 0 and not left, said.stdout[-2_000:] + ' '.join(left))


def is_kept(trial: Trial, act: str) -> None:
    trial.rule(f'{act} keeps settings and state', trial.has(SETTINGS) and trial.has(STATE))


def main() -> int:
    assert __doc__
    parser = argparse.ArgumentParser(prog='python3 -m workbench.package', description=__doc__.splitlines()[0])
    parser.add_argument('folder', type=pathlib.Path)
    options = parser.parse_args()
    if os.geteuid() != 0:
        sys.exit('It makes a system in a folder and changes into it, and needs root for that: sudo make test-deb')
    packages = sorted(each for each in options.folder.glob('*.deb') if '-dbgsym_' not in each.name)
    if not packages:
        sys.exit(f'There is no package in {options.folder}. Build them first: make deb')
    unwind_on_signals()
    with clean_debian() as root:
        trial = Trial(root)
        play(trial, packages)
    print(f'{len(trial.broken)} rules were broken')
    return 1 if trial.broken else 0


if __name__ == '__main__':
    sys.exit(main())
