"""The parts that SwiftPM links into a program, out of the plan that it writes before it builds.

The plan is the file DEBUG_OR_RELEASE.yaml of the build folder. Each command has its inputs and outputs as JSON lists:
the linking of the program names its objects, and the compilation of each object names its sources. A source below
`checkouts/` belongs to a package, whose version and revision are in `workspace-state.json`.
"""
import json
import pathlib
import re
from dataclasses import dataclass

OBJECT = re.compile(r'/([^/]+)\.build/.*\.o$')
CHECKOUT = re.compile(r'/checkouts/([^/]+)/(.*)')


class PlanError(Exception):
    """Build folder that does not say what is linked."""


@dataclass(frozen=True)
class Package:
    """Swift package at a version. `modules` are those that the program links."""

    folder: pathlib.Path
    location: str
    version: str
    revision: str
    modules: frozenset[str]

    @property
    def name(self) -> str:
        return self.folder.name


@dataclass(frozen=True)
class Plan:
    """Packages of others that a program links, by name, and all modules of it."""

    packages: list[Package]
    modules: frozenset[str]


def read(build: pathlib.Path, configuration: str, program: str) -> Plan:
    """Returns the parts that the program links. `build` is a scratch path of SwiftPM."""
    path = build / f'{configuration}.yaml'
    if not path.exists():
        raise PlanError(f'{path} is not there: build the program first')
    commands = list(read_commands(path.read_text(encoding='utf-8')))
    linked = next((inputs for name, inputs, _ in commands if re.fullmatch(rf'C\.{program}-.*\.exe', name)), None)
    if linked is None:
        raise PlanError(f'{path} has no command that links {program}: build it with this scratch path')
    objects = {each for each in linked if each.endswith('.o')}
    modules: dict[str, set[str]] = {}
    for _, inputs, outputs in commands:
        made = {match[1] for each in outputs if each in objects and (match := OBJECT.search(each))}
        for source in inputs if made else []:
            # Modules of other packages are inputs too, but lie elsewhere.
            if (match := CHECKOUT.search(source)):
                modules.setdefault(match[1], set()).update(made)
    packages = [package(build, each, frozenset(names)) for each, names in sorted(modules.items())]
    return Plan(packages, frozenset(match[1] for each in objects if (match := OBJECT.search(each))))


def read_commands(text: str) -> list[tuple[str, list[str], list[str]]]:
    """Returns name, inputs and outputs of each command of a plan."""
    commands: list[tuple[str, list[str], list[str]]] = []
    for line in text.splitlines():
        if (match := re.fullmatch(r'  "(.*)":', line)):
            commands.append((match[1], [], []))
        elif commands and (match := re.fullmatch(r'    (inputs|outputs): (\[.*\])', line)):
            _, inputs, outputs = commands[-1]
            (inputs if match[1] == 'inputs' else outputs).extend(json.loads(match[2]))
    return commands


def package(build: pathlib.Path, folder: str, modules: frozenset[str]) -> Package:
    state = json.loads((build / 'workspace-state.json').read_text(encoding='utf-8'))
    for each in state['object']['dependencies']:
        if each['subpath'] == folder:
            checkout = each['state'].get('checkoutState', {})
            if 'version' not in checkout:
                raise PlanError(f'{folder} is not at a version, but at: {each["state"]}')
            return Package(build / 'checkouts' / folder, each['packageRef']['location'], checkout['version'],
                           checkout['revision'], modules)
    raise PlanError(f'{build}/workspace-state.json does not know {folder}, which is linked')
