"""The parts of a built program: packages, their vendored sources, the Swift toolchain and the libraries of Debian."""
import hashlib
import pathlib
import re
import subprocess
from dataclasses import dataclass

from workbench.sbom import debian, link_plan
from workbench.sbom.notice import Kind, Part

# Sources of others inside of Swift packages: name, module that has them, file that tells their version, and where.
# BoringSSL has fiat-crypto in a folder of its own, of no version.
VENDORED = (
    ('BoringSSL', 'CCryptoBoringSSL', 'Sources/CCryptoBoringSSL/hash.txt', r'at revision ([0-9a-f]{40})'),
    ('fiat-crypto', 'CCryptoBoringSSL', 'Sources/CCryptoBoringSSL/third_party/fiat/p256_64.h', None),
    ('XKCP', 'CXKCP', 'Sources/CXKCP/vendored-sources.txt', r'-g([0-9a-f]+)\)'),
    ('llhttp', 'CNIOLLHTTP', 'Sources/CNIOLLHTTP/include/c_nio_llhttp.h',
     r'LLHTTP_VERSION_MAJOR (\d+)\n.*_MINOR (\d+)\n.*_PATCH (\d+)'),
)
# Headers of Debian that are compiled in: name, package, module of this project that includes them.
HEADERS = (('toml++', 'libtomlplusplus-dev', 'CToml'),)


class InventoryError(Exception):
    """Part without a version that can be found."""


@dataclass(frozen=True)
class Found:
    """Part of a program, as it was built. `within` is the name of the package that has vendored sources."""

    kind: Kind
    name: str
    version: str
    revision: str = ''
    location: str = ''
    within: str = ''
    debian_package: debian.DebianPackage | None = None
    folder: pathlib.Path | None = None
    sha256: str = ''


def of(program: pathlib.Path, build: pathlib.Path, configuration: str) -> list[Found]:
    """Returns all parts of a program that was built with this scratch path and configuration."""
    plan = link_plan.read(build, configuration, program.name)
    found = [
        Found(Kind.SWIFT_PACKAGE, each.name, each.version, each.revision, each.location, folder=each.folder)
        for each in plan.packages]
    for package in plan.packages:
        found += vendored(package)
    for name, package_name, module in HEADERS:
        if module in plan.modules:
            owner = debian.installed(package_name)
            found.append(Found(Kind.HEADERS, name, owner.version, debian_package=owner))
    libraries = debian.needed(program)
    # A debug build has the toolchain's libraries beside it; they belong to no Debian package.
    own = toolchain_folder()
    of_debian = [(name, path) for name, path in libraries if not path.is_relative_to(own)]
    found += [
        Found(Kind.LIBRARY, library, owner.version, debian_package=owner)
        for owner in debian.packages_of(of_debian) for library in owner.libraries]
    return found + toolchain(program, libraries)


def files(root: pathlib.Path, parts: list[Part], program: str) -> list[Found]:
    """Returns the files of this tree that NOTICE says are by others and are in the program."""
    rows = [part for part in parts if part.kind == Kind.FILE and program in part.programs]
    lost = [row.name for row in rows if not (root / row.name).is_file()]
    if lost:
        raise InventoryError(f'NOTICE names files that are not there: {", ".join(lost)}')
    return [Found(Kind.FILE, row.name, '', sha256=hashlib.sha256((root / row.name).read_bytes()).hexdigest())
            for row in rows]


def vendored(package: link_plan.Package) -> list[Found]:
    found: list[Found] = []
    for name, module, file, pattern in VENDORED:
        if module in package.modules:
            version = ''
            if pattern:
                match = re.search(pattern, (package.folder / file).read_text(encoding='utf-8'))
                if not match:
                    raise InventoryError(f'{package.folder / file} does not tell the version of {name}')
                version = '.'.join(match.groups())
            elif not (package.folder / file).exists():
                raise InventoryError(f'{package.folder / file} is not there: is {name} still part of {package.name}?')
            found.append(Found(Kind.VENDORED, name, version, location=package.location, within=package.name))
    return found


def toolchain_folder() -> pathlib.Path:
    """Returns the folder of the libraries of the Swift toolchain, as the compiler says."""
    said = subprocess.run(['swift', '-print-target-info'], check=True, capture_output=True, text=True).stdout
    match = re.search(r'"runtimeResourcePath"\s*:\s*"(.*)"', said)
    if not match:
        raise InventoryError(f'swift -print-target-info tells no runtimeResourcePath: {said}')
    return pathlib.Path(match[1]).resolve()


def toolchain(program: pathlib.Path, libraries: list[tuple[str, pathlib.Path]]) -> list[Found]:
    """Returns the parts of the toolchain, linked statically (a release) or beside the program (a debug build)."""
    said = subprocess.run(['swift', '--version'], check=True, capture_output=True, text=True).stdout
    match = re.search(r'Swift version (\S+)', said)
    if not match:
        raise InventoryError(f'swift --version tells no version: {said}')
    names = {name for name, _ in libraries}
    symbols = '' if 'libswiftCore.so' in names else symbols_of(program)
    found = []
    if 'libswiftCore.so' in names or 'swift_retain' in symbols:
        found.append(Found(Kind.TOOLCHAIN, 'Swift', match[1]))
    if 'libFoundationInternationalization.so' in names or 'icu_' in symbols:
        found.append(Found(Kind.TOOLCHAIN, 'ICU', icu_version()))
    if not found:
        raise InventoryError(f'{program} has no symbols. Expected: the program before it was stripped')
    return found


def icu_version() -> str:
    """Returns the version of ICU in the toolchain's Foundation, out of its headers."""
    for path in sorted(toolchain_folder().parent.glob('*/_foundation_unicode/uvernum.h')):
        if (match := re.search(r'define U_ICU_VERSION "(.*)"', path.read_text(encoding='utf-8'))):
            return match[1]
    raise InventoryError(f'{toolchain_folder().parent} has no uvernum.h that tells the version of ICU')


def symbols_of(program: pathlib.Path) -> str:
    return subprocess.run(['nm', program], check=True, capture_output=True, text=True).stdout
