"""Debian packages of a later version, made out of those that `make deb` has built."""
import pathlib
import shutil
import subprocess

NEWER = '99.0'
CONSOLE_SETTINGS = 'etc/homegateway/console.toml'


def newer(package: pathlib.Path, into: pathlib.Path) -> pathlib.Path:
    """Returns the same package with a later version, and with an example of the pages' settings that has changed."""
    folder = into / 'tree'
    subprocess.run(['dpkg-deb', '-R', package, folder], check=True)
    for script in ['control', 'preinst']:
        if (path := folder / 'DEBIAN' / script).exists():
            path.write_text(path.read_text().replace(version(package), NEWER))
    if (console := folder / CONSOLE_SETTINGS).exists():
        console.write_text(console.read_text() + '# newer\n')
        subprocess.run('rm -f DEBIAN/md5sums', shell=True, check=True, cwd=folder)
    target = into / package.name.replace(version(package), NEWER)
    # Little compression: it is installed once, and here.
    subprocess.run(['dpkg-deb', '--root-owner-group', '-Zgzip', '-z1', '-b', folder, target], check=True,
                   stdout=subprocess.DEVNULL)
    shutil.rmtree(folder)
    return target


def version(package: pathlib.Path) -> str:
    return subprocess.run(
        ['dpkg-deb', '-f', package, 'Version'], check=True, capture_output=True, text=True).stdout.strip()
