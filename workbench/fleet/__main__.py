"""The recipes of docs/fleet in a clean Debian: repository, upgrade, Ansible role, first boot and Avahi. Needs root.

    python3 -m workbench.fleet --ansible FOLDER

FOLDER is a venv with ansible-core and ansible-lint. The commands are those of docs/fleet/README.md. The packages are
made here: they have the names of the real ones, and a program that records its calls. The Debian is that of
`workbench.package`. Ends with 0 when each rule was kept.
"""
import argparse
import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from workbench.fleet.recipes import FLEET, REPOSITORY, blocks, run
from workbench.package.__main__ import Trial, clean_debian
from workbench.parts.interruption import unwind_on_signals
from workbench.paths import ROOT

NAMES = ['homegateway', 'homegateway-console']
# Records its calls. It refuses settings with the word MISTAKE, as the real one refuses settings with a mistake.
PROGRAM = '''#!/bin/sh
echo "$*" >> /var/log/homegateway-calls
case $1 in
check) for file; do :; done; ! grep -q MISTAKE "$file" || { echo "$file:1: a mistake" >&2; exit 78; } ;;
contract) echo eyJ0eXAiOiJ0cmFja21lLWNsYWltK2p3dCJ9.claim.signature ;;
esac
'''
UNIT = '[Service]\nExecStart=/usr/bin/homegateway run\n[Install]\nWantedBy=multi-user.target\n'


def make_packages(version: str, into: pathlib.Path) -> None:
    """Makes packages with the names of the real ones, in place of those that are there."""
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir()
    architecture = subprocess.run(
        ['dpkg', '--print-architecture'], check=True, capture_output=True, text=True).stdout.strip()
    for name in NAMES:
        with tempfile.TemporaryDirectory() as folder:
            tree = pathlib.Path(folder, 'tree')
            (tree / 'DEBIAN').mkdir(parents=True)
            needs = f'homegateway (= {version})' if name != 'homegateway' else 'systemd'
            (tree / 'DEBIAN/control').write_text(
                f'Package: {name}\nVersion: {version}\nArchitecture: {architecture}\nMaintainer: nobody <a@b.invalid>\n'
                f'Section: misc\nPriority: optional\nDepends: {needs}\nDescription: trial\n')
            if name == 'homegateway':
                (tree / 'DEBIAN/postinst').write_text('#!/bin/sh\ngroupadd --force --system homegateway\n')
                (tree / 'DEBIAN/postinst').chmod(0o755)
                for path, text, mode in [('usr/bin/homegateway', PROGRAM, 0o755),
                                         ('usr/lib/systemd/system/homegateway.service', UNIT, 0o644)]:
                    (tree / path).parent.mkdir(parents=True)
                    (tree / path).write_text(text)
                    (tree / path).chmod(mode)
                (tree / 'etc/homegateway').mkdir(parents=True)
            subprocess.run(
                ['dpkg-deb', '--root-owner-group', '-b', tree, into / f'{name}_{version}_{architecture}.deb'],
                check=True, stdout=subprocess.DEVNULL)


@contextlib.contextmanager
def bound(source: pathlib.Path, target: pathlib.Path) -> Iterator[None]:
    target.mkdir(parents=True, exist_ok=True)
    subprocess.run(['mount', '--bind', source, target], check=True)
    try:
        yield
    finally:
        subprocess.run(['umount', '-l', target], check=False)


class FleetTrial:
    def __init__(self, trial: Trial, server: pathlib.Path, ansible: pathlib.Path) -> None:
        """`server` is a folder for the operator's side."""
        self.trial, self.server, self.ansible = trial, server, ansible
        self.rule = trial.rule
        # The home of gpg: short, since it holds a socket.
        self.keys = server / 'keys'
        self.keys.mkdir(mode=0o700)
        (server / 'docs').symlink_to(ROOT / 'docs')

    def on_server(self, script: str) -> subprocess.CompletedProcess[str]:
        return run(script, self.server, GNUPGHOME=str(self.keys))

    def in_box(self, script: str) -> subprocess.CompletedProcess[str]:
        return self.trial.run('sh', '-euc', f'cd /root; {script}')

    def play(self) -> None:
        self.publish_first()
        self.install()
        self.upgrade()
        self.refuse_other_key()
        self.apply_role()

    def publish_first(self) -> None:
        make_key, publish = blocks('A repository of packages')[:2]
        said = self.on_server(make_key)
        self.rule('a key is made and exported', said.returncode == 0, said.stdout)
        make_packages('1.0', self.server / '.build-deb')
        said = self.on_server(publish)
        self.rule('reprepro publishes and lists both packages',
                  said.returncode == 0 and all(f'{name} 1.0' in said.stdout for name in NAMES), said.stdout)
        seen = sorted(path.name for path in (REPOSITORY / 'dists/bookworm').iterdir())
        self.rule('the lists are signed', {'InRelease', 'Release.gpg'} <= set(seen), seen)

    def install(self) -> None:
        root = self.trial.root
        (root / 'etc/apt/apt.conf.d/90trial').write_text(
            'APT::Get::Assume-Yes "true";\nAPT::Install-Recommends "false";\n')
        shutil.copy(self.server / 'homegateway.asc', root / 'root')
        shutil.copy(FLEET / 'apt/52homegateway', root / 'root')
        sources = (FLEET / 'apt/homegateway.sources').read_text()
        (root / 'root/homegateway.sources').write_text(
            sources.replace('https://packages.example/homegateway', f'file://{REPOSITORY}'))
        said = self.in_box(blocks('A repository of packages')[2])
        self.rule('the box installs the packages from the signed repository',
                  said.returncode == 0 and self.trial.state_of('homegateway-console') == 'ii 1.0', said.stdout[-2_000:])

    def upgrade(self) -> None:
        make_packages('2.0', self.server / '.build-deb')
        said = self.on_server(blocks('A repository of packages')[1])
        self.rule('a newer version is published', 'homegateway 2.0' in said.stdout, said.stdout)
        self.in_box('apt-get update')
        dry_run = blocks('A repository of packages')[3]
        drop_in = self.trial.root / 'etc/apt/apt.conf.d/52homegateway'
        text = drop_in.read_text()
        drop_in.unlink()
        self.rule('without the drop-in unattended-upgrades leaves the gateway alone',
                  self.taken(self.in_box(dry_run).stdout) == set())
        drop_in.write_text(text)
        said = self.in_box(dry_run)
        self.rule('with it a dry run takes both packages',
                  said.returncode == 0 and self.taken(said.stdout) == set(NAMES), said.stdout[-2_000:])
        self.rule('a dry run changes nothing', self.trial.state_of('homegateway') == 'ii 1.0')
        said = self.in_box('unattended-upgrade')
        self.rule('unattended-upgrade installs the newer version',
                  self.trial.state_of('homegateway') == 'ii 2.0', said.stdout[-2_000:])

    @staticmethod
    def taken(said: str) -> set[str]:
        """Returns those of the packages that unattended-upgrade says it upgrades."""
        line = re.search(r'^Packages that will be upgraded: (.*)$', said, re.M)
        return set(line[1].split()) & set(NAMES) if line else set()

    def refuse_other_key(self) -> None:
        other = self.server / 'other'
        other.mkdir(mode=0o700)
        said = run("gpg --batch --passphrase '' --quick-generate-key 'Other <a@b.invalid>' ed25519 sign 2y\n"
                   'gpg --armor --export a@b.invalid > other.asc', self.server, GNUPGHOME=str(other))
        ring = self.trial.root / 'etc/apt/keyrings/homegateway.asc'
        right = ring.read_bytes()
        shutil.copy(self.server / 'other.asc', ring)
        self.in_box('rm -rf /var/lib/apt/lists/*homegateway*')
        said = self.in_box('apt-get update -o APT::Update::Error-Mode=any')
        self.rule('a list that another key has signed is refused',
                  said.returncode != 0 and 'not signed' in said.stdout, said.stdout[-1_000:])
        ring.write_bytes(right)

    def apply_role(self) -> None:
        folder = FLEET / 'ansible'
        programs = self.ansible / 'bin'
        said = run(f'{programs}/ansible-playbook --syntax-check --inventory inventory.example.yml site.yml', folder)
        self.rule('the playbook has the right syntax', said.returncode == 0, said.stdout)
        said = run(f'{programs}/ansible-lint --offline --nocolor site.yml', folder,
                   PATH=f'{programs}:{os.environ["PATH"]}', ANSIBLE_HOME=str(self.server / 'ansible-home'))
        self.rule('ansible-lint has nothing to say', said.returncode == 0, said.stdout[-3_000:])

        root = self.trial.root
        self.in_box('apt-get purge homegateway; rm -f /etc/apt/sources.list.d/homegateway.sources '
                    '/etc/apt/keyrings/homegateway.asc /etc/apt/apt.conf.d/52homegateway /var/log/homegateway-calls')
        (root / 'root/house.toml').write_text('# of the house\n')
        (root / 'root/inventory.yml').write_text(
            'boxes:\n  hosts:\n    box:\n      ansible_connection: local\n      ansible_become: false\n'
            '      ansible_python_interpreter: /usr/bin/python3\n'
            f'      homegateway_repository_uri: file://{REPOSITORY}\n'
            '      homegateway_repository_key: /root/homegateway.asc\n      homegateway_settings: /root/house.toml\n'
            '      homegateway_show_claim: true\n')
        # By its interpreter: in the box the venv lies at the path of this tree, whatever its scripts say.
        play = (f'LC_ALL=C.UTF-8 {programs}/python -B {programs}/ansible-playbook --inventory inventory.yml '
                f'{folder}/site.yml')
        said = self.in_box(play)
        self.rule('the role sets a box up', said.returncode == 0 and self.trial.state_of('homegateway') == 'ii 2.0',
                  said.stdout[-3_000:])
        written = self.in_box('stat -c "%a %U %G" /etc/homegateway/gateway.toml; cat /etc/homegateway/gateway.toml')
        self.rule('the settings are there, for root and the group of the gateway',
                  written.stdout == '640 root homegateway\n# of the house\n', written.stdout)
        first = ' '.join(self.calls())
        self.rule('the settings were checked before', first.startswith('check --offline'), first)
        self.rule('the unit is enabled', 'enabled' in self.in_box('systemctl is-enabled homegateway').stdout)
        self.rule('the line for the fleet is shown', 'claim.signature' in said.stdout, said.stdout[-1_000:])
        said = self.in_box(f'{play} --check --diff')
        self.rule('a second run would change nothing', re.search(r'changed=0 .*failed=0', said.stdout) is not None,
                  said.stdout[-2_000:])

        (root / 'root/house.toml').write_text('# MISTAKE of the house\n')
        said = self.in_box(play)
        kept = (root / 'etc/homegateway/gateway.toml').read_text()
        self.rule('settings with a mistake do not replace those before',
                  said.returncode != 0 and kept == '# of the house\n', said.stdout[-1_000:])
        (root / 'root/house.toml').write_text('# of the house, changed\n')
        said = self.in_box(play)
        self.rule('changed settings are taken over by a reload', 'reload' in self.calls(), (said.stdout, self.calls()))

    def calls(self) -> list[str]:
        path = self.trial.root / 'var/log/homegateway-calls'
        return path.read_text().splitlines() if path.exists() else []


def check_first_boot(trial: Trial, folder: pathlib.Path) -> None:
    said = run(blocks('First boot')[0], ROOT)
    trial.rule('user-data keeps the schema of cloud-init', said.returncode == 0, said.stdout)
    wrong = folder / 'wrong.yaml'
    wrong.write_text('#cloud-config\npackages: 5\n')
    said = run(f'cloud-init schema --config-file {wrong}', ROOT)
    trial.rule('the schema refuses a wrong file', said.returncode != 0, said.stdout)


# A network of one, with a bus of its own. `avahi-browse` is asked until the daemon has announced the service.
AVAHI = '''
ip link set lo up
ip link add lan type veth peer name far
ip link set far up
ip link set lan up
ip address add 192.0.2.10/24 dev lan
mount -t tmpfs tmpfs /etc/avahi/services
mount -t tmpfs tmpfs /run
mkdir -p /run/avahi-daemon
cp "$1" /etc/avahi/services/homegateway.service
printf '[server]\\nhost-name=house-12\\nuse-ipv6=no\\nallow-interfaces=lan\\n' > /run/avahi.conf
DBUS_SYSTEM_BUS_ADDRESS=$DBUS_SESSION_BUS_ADDRESS
export DBUS_SYSTEM_BUS_ADDRESS
avahi-daemon --no-drop-root --no-chroot --no-rlimits -f /run/avahi.conf > /run/log 2>&1 &
daemon=$!
trap 'kill $daemon' EXIT
timeout 30 sh -c 'until grep -q "successfully established" /run/log; do sleep 0.2; done' || { cat /run/log; exit 1; }
timeout 30 avahi-browse --resolve --terminate _homegateway._tcp
'''


def announce(trial: Trial, folder: pathlib.Path) -> None:
    service = folder / 'homegateway.service'
    service.write_text((ROOT / 'docs/fleet/mdns/homegateway.service.in').read_text().replace('@VERSION@', '1.2.3'))
    said = subprocess.run(
        ['unshare', '--net', '--mount', 'dbus-run-session', '--', 'sh', '-euc', AVAHI, 'avahi', service], check=False,
        text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
    trial.rule('avahi-browse sees the box with its port, version and role',
               said.returncode == 0 and all(word in said.stdout for word in [
                   'HomeGateway on house-12', 'port = [8765]', '"version=1.2.3"', '"role=home"']), said.stdout)
    text = re.findall(r'txt = \[(.*)\]', said.stdout)
    trial.rule('nothing else is announced', set(text) == {'"role=home" "version=1.2.3"'}, text)


def main() -> int:
    assert __doc__
    parser = argparse.ArgumentParser(prog='python3 -m workbench.fleet', description=__doc__.splitlines()[0])
    parser.add_argument('--ansible', type=pathlib.Path, required=True)
    parser.add_argument('--in-namespace', action='store_true', help=argparse.SUPPRESS)
    options = parser.parse_args()
    if os.geteuid() != 0:
        sys.exit('It makes a system in a folder and changes into it, and needs root for that: sudo make test-fleet')
    if not options.in_namespace:
        # Mounts of its own: /srv of this machine stays as it is.
        os.execvp('unshare', ['unshare', '--mount', '--propagation', 'private', sys.executable, '-B', '-m',
                              'workbench.fleet', *sys.argv[1:], '--in-namespace'])
    unwind_on_signals()
    subprocess.run(['mount', '-t', 'tmpfs', 'tmpfs', REPOSITORY.parent], check=True)
    REPOSITORY.mkdir()
    with tempfile.TemporaryDirectory(prefix='fleet-', dir='/tmp') as folder, clean_debian() as root:
        server = pathlib.Path(folder)
        trial = Trial(root)
        check_first_boot(trial, server)
        announce(trial, server)
        with bound(REPOSITORY, root / 'srv/homegateway'), bound(ROOT, root / str(ROOT).lstrip('/')):
            try:
                FleetTrial(trial, server, options.ansible.resolve()).play()
            finally:
                subprocess.run(['gpgconf', '--homedir', server / 'keys', '--kill', 'all'], check=False)
                subprocess.run(['gpgconf', '--homedir', server / 'other', '--kill', 'all'], check=False)
    print(f'{len(trial.broken)} rules were broken')
    return 1 if trial.broken else 0


if __name__ == '__main__':
    sys.exit(main())
