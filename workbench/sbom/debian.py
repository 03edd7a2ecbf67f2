"""Debian packages of the libraries that a program names as needed, and of single packages."""
import pathlib
import re
import subprocess
from dataclasses import dataclass


class LibraryError(Exception):
    """Library that no Debian package owns."""


@dataclass(frozen=True, order=True)
class DebianPackage:
    """Installed package. `libraries` are the names of its libraries, without `.so` and version."""

    name: str
    version: str
    architecture: str
    source: str
    libraries: tuple[str, ...] = ()


def output(*command: object) -> str:
    return subprocess.run([*map(str, command)], check=True, capture_output=True, text=True).stdout


def installed(name: str, libraries: tuple[str, ...] = ()) -> DebianPackage:
    """Returns the installed package of this name."""
    fields = output('dpkg-query', '-W', '-f', '${Package}\t${Version}\t${Architecture}\t${source:Package}\n', name)
    package, version, architecture, source = fields.splitlines()[0].split('\t')
    return DebianPackage(package, version, architecture, source, libraries)


def stem(soname: str) -> str:
    """Returns the name of a library without its version: `libre.so.0` and `libldap-2.5.so.0` give libre, libldap."""
    return re.sub(r'(-[0-9.]+)?\.so(\..*)?$', '', soname)


def needed(program: pathlib.Path) -> list[tuple[str, pathlib.Path]]:
    """Returns the libraries that the program itself needs, and where the loader finds them."""
    names = set(re.findall(r'\(NEEDED\).*\[(.*)\]', output('readelf', '--dynamic', '--wide', program)))
    places = {match[1].rsplit('/')[-1]: match[2] for match in re.finditer(r'^\s*(\S+)(?: => (\S+))? \(0x',
              output('ldd', program), re.MULTILINE)}
    lost = sorted(name for name in names if name not in places)
    if lost:
        raise LibraryError(f'{program} needs libraries that are not installed: {", ".join(lost)}')
    return [(name, pathlib.Path(places[name] or name)) for name in sorted(names)]


def owner(path: pathlib.Path) -> str:
    """Returns the package of a file. Where /lib is a link to /usr/lib, dpkg may know either name."""
    resolved = str(path.resolve())
    for each in [str(path), resolved, resolved.removeprefix('/usr'), f'/usr{path}']:
        found = subprocess.run(['dpkg-query', '-S', each], check=False, capture_output=True, text=True)
        if found.returncode == 0:
            return found.stdout.split(': ')[0].split(',')[0]
    raise LibraryError(f'{path} belongs to no Debian package')


def packages_of(libraries: list[tuple[str, pathlib.Path]]) -> list[DebianPackage]:
    """Returns the packages of these libraries, by name."""
    by_owner: dict[str, set[str]] = {}
    for name, path in libraries:
        # The loader is part of the C library, and has another name on each architecture.
        library = 'libc' if name.startswith('ld-linux') else stem(name)
        by_owner.setdefault(owner(path), set()).add(library)
    return sorted(installed(name, tuple(sorted(libraries))) for name, libraries in by_owner.items())
