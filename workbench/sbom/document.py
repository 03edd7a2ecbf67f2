"""CycloneDX 1.5 document of a program. The same parts give the same bytes."""
import json
import re
import uuid
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from workbench.sbom.inventory import Found
from workbench.sbom.notice import Kind, Part

NAMESPACE = uuid.UUID('6f0ad4f4-3fd5-5c38-9c3a-7b8c0a3a86f5')
SWIFT_SITE = 'https://github.com/swiftlang/swift'


def package_url(kind: str, path: str, version: str, **qualifiers: str) -> str:
    """Returns a purl. Of the characters in versions of Debian, only `+` must be encoded."""
    base = f'pkg:{kind}/{quote(path, safe="/.-_~")}@{quote(version, safe=".-_~:")}'
    words = '&'.join(f'{key}={quote(value, safe=".-_~")}' for key, value in sorted(qualifiers.items()))
    return f'{base}?{words}' if words else base


def repository(location: str) -> str:
    """Returns the path of a repository in a purl: host, owner and name."""
    return re.sub(r'^https?://|\.git$', '', location)


def swift_component(each: Found, licence: str) -> dict[str, Any]:
    url = package_url('swift', repository(each.location), each.version)
    return {
        'type': 'library', 'bom-ref': url, 'name': each.name, 'version': each.version,
        'licenses': [{'expression': licence}], 'purl': url, 'pedigree': {'commits': [{'uid': each.revision}]},
        'externalReferences': [{'type': 'vcs', 'url': each.location}]}


def plain_component(each: Found, licence: str) -> dict[str, Any]:
    component: dict[str, Any] = {
        'type': 'file' if each.kind == Kind.FILE else 'library',
        'bom-ref': f'{each.name}@{each.version}' if each.version else each.name, 'name': each.name}
    if each.version:
        component['version'] = each.version
    if each.sha256:
        component['hashes'] = [{'alg': 'SHA-256', 'content': each.sha256}]
    return {**component, 'licenses': [{'expression': licence}]}


def debian_component(together: list[Found], licences: list[str], distribution: str) -> dict[str, Any]:
    """Returns the component of a package that has all these libraries."""
    package = together[0].debian_package
    assert package
    url = package_url('deb', f'debian/{package.name}', package.version, arch=package.architecture, distro=distribution)
    # All libraries of a package are under one licence here; `of` refuses others.
    return {
        'type': 'library', 'bom-ref': url, 'name': package.name, 'version': package.version,
        'licenses': [{'expression': licences[0]}], 'purl': url,
        'properties': [{'name': 'homegateway:library', 'value': each.name} for each in together]
        + [{'name': 'homegateway:source-package', 'value': package.source}]}


def of(program: str, version: str, licence: str, found: list[Found], parts: Iterable[Part], distribution: str,
       built_at: int | None) -> dict[str, Any]:
    """Returns the document. `licence` is that of the program as a whole; `built_at` is in seconds of Unix time."""
    licence_of = {(part.kind, part.name): part.licence for part in parts}
    components: list[dict[str, Any]] = []
    within: dict[str, list[str]] = {}
    by_package: dict[str, list[Found]] = {}
    for each in found:
        if each.debian_package:
            by_package.setdefault(each.debian_package.name, []).append(each)
            continue
        make = swift_component if each.kind == Kind.SWIFT_PACKAGE else plain_component
        component = make(each, licence_of[each.kind, each.name])
        components.append(component)
        if each.within:
            within.setdefault(each.within, []).append(component['bom-ref'])
    libraries = []
    for name, together in sorted(by_package.items()):
        licences = sorted({licence_of[each.kind, each.name] for each in together})
        if len(licences) > 1:
            raise ValueError(f'{name}: its libraries have several licences in NOTICE: {", ".join(licences)}')
        libraries.append(debian_component(together, licences, distribution))
    components = sorted(components + libraries, key=lambda component: component['bom-ref'])

    root = f'{program}@{version}'
    nested = {reference for references in within.values() for reference in references}
    dependencies = [{
        'ref': root, 'dependsOn': [each['bom-ref'] for each in components if each['bom-ref'] not in nested]}]
    for component in components:
        dependency: dict[str, Any] = {'ref': component['bom-ref']}
        if component['name'] in within:
            dependency['dependsOn'] = sorted(within[component['name']])
        dependencies.append(dependency)
    metadata: dict[str, Any] = {
        'component': {'type': 'application', 'bom-ref': root, 'name': program, 'version': version,
                      'licenses': [{'expression': licence}]}}
    if built_at is not None:
        metadata = {'timestamp': datetime.fromtimestamp(built_at, UTC).strftime('%Y-%m-%dT%H:%M:%SZ'), **metadata}
    body: dict[str, Any] = {
        'version': 1, 'metadata': metadata, 'components': components, 'dependencies': dependencies,
        # Debian packages and Swift packages need others in turn, which are not listed as theirs.
        'compositions': [{'aggregate': 'complete', 'assemblies': [root]}, {
            'aggregate': 'unknown', 'dependencies': [each['bom-ref'] for each in components]}]}
    serial = uuid.uuid5(NAMESPACE, json.dumps(body, sort_keys=True))
    return {'bomFormat': 'CycloneDX', 'specVersion': '1.5', 'serialNumber': f'urn:uuid:{serial}', **body}
