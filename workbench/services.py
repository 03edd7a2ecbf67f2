"""The real parts around a gateway, on free ports: bus, virtual bluetoothd, gpsd, broker.

    python3 -m workbench.services up [--config peripherals.json] [--no-bluez] [--no-gpsd] [--no-broker] [--refuse]

When all are ready it prints one JSON line, {"bus": ADDRESS, "gpsd_port": N, "broker_port": N}, with
the chosen ones only. From then on, standard input takes operations, one JSON object a line, and
standard output reports events: those of workbench/virtual_bluez/__main__.py, and for the parts

    {"op": "broker", "do": "stop" | "start" | "freeze" | "thaw" | "refuse" | "accept"}
    {"op": "gpsd", "do": "stop" | "start" | "freeze" | "thaw" | "mute" | "unmute"}
    {"op": "bus", "do": "stop" | "start" | "freeze" | "thaw"}
    {"op": "bluez", "do": "stop" | "start" | "freeze" | "thaw"}

each answered by {"event": PART, "state": ...}. The end of input, SIGTERM, SIGINT and SIGHUP stop
everything; if this process is killed, the kernel stops everything.
"""
import argparse
import contextlib
import json
import os
import pathlib
import select
import sys
import tempfile
from typing import Any, Self

from workbench.parts.bluetooth import VirtualBluez
from workbench.parts.gpsd import Gpsd
from workbench.parts.interruption import Interrupted, unwind_on_signals
from workbench.parts.mosquitto import Mosquitto
from workbench.parts.part import StartError
from workbench.parts.private_bus import PrivateBus

STATES = {
    'stop': 'stopped', 'start': 'started', 'freeze': 'frozen', 'thaw': 'thawed', 'refuse': 'refusing',
    'accept': 'accepting', 'mute': 'muted', 'unmute': 'unmuted'}


class Services:
    """The chosen parts, started by `with` and stopped at its end, the last one first."""

    directory: pathlib.Path

    def __init__(
            self, config: dict[str, Any] | None = None, bluez: bool = True, gpsd: bool = True, broker: bool = True,
            refuse: bool = False) -> None:
        """`config`: the peripherals. `refuse`: the broker rejects every client."""
        self.config, self.refuse = config, refuse
        self.wanted = {name for name, is_wanted in (('bluez', bluez), ('gpsd', gpsd), ('broker', broker)) if is_wanted}
        self.parts: dict[str, Any] = {}

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as stack:
            self.directory = pathlib.Path(
                stack.enter_context(tempfile.TemporaryDirectory(prefix='homegateway-')))
            if 'bluez' in self.wanted:
                self.parts['bus'] = stack.enter_context(PrivateBus(self.directory))
                self.parts['bluez'] = stack.enter_context(
                    VirtualBluez(self.directory, self.bus.address, self.config))
            if 'gpsd' in self.wanted:
                self.parts['gpsd'] = stack.enter_context(Gpsd(self.directory))
            if 'broker' in self.wanted:
                self.parts['broker'] = stack.enter_context(Mosquitto(self.directory, self.refuse))
            self.stack = stack.pop_all()
        return self

    def __exit__(self, *reason: Any) -> bool | None:
        return self.stack.__exit__(*reason)

    @property
    def bus(self) -> PrivateBus:
        return self.parts['bus']

    @property
    def bluez(self) -> VirtualBluez:
        return self.parts['bluez']

    @property
    def gpsd(self) -> Gpsd:
        return self.parts['gpsd']

    @property
    def broker(self) -> Mosquitto:
        return self.parts['broker']

    def addresses(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if 'bus' in self.parts:
            found['bus'] = self.bus.address
        if 'gpsd' in self.parts:
            found['gpsd_port'] = self.gpsd.port
        if 'broker' in self.parts:
            found['broker_port'] = self.broker.port
        return found

    def do(self, name: str, verb: str) -> str:
        """Performs one operation on a part. Returns the state of the part afterwards."""
        part = self.parts.get(name)
        if part is None:
            raise ValueError(f'{name} was not started')
        if verb not in STATES or not hasattr(part, verb):
            raise ValueError(f'{name} knows no {verb!r}')
        if verb == 'start' and part.running:
            raise ValueError(f'{name} is running')
        if name == 'bus' and verb in ('stop', 'start'):
            self.bluez.stop()   # it cannot run without its bus
        getattr(part, verb)()
        if name == 'bus' and verb == 'start':
            self.bluez.start()
        return STATES[verb]


def tell(event: str, **details: Any) -> None:
    print(json.dumps({'event': event, **details}), flush=True)


class Session:
    """Passes operations from standard input to the parts, and events of the virtual bluetoothd to standard output."""

    def __init__(self, services: Services) -> None:
        self.services, self.rest = services, b''
        self.bluez: VirtualBluez | None = services.parts.get('bluez')

    def run(self) -> None:
        while True:
            bluez = self.bluez if self.bluez and self.bluez.child else None
            ready, _, _ = select.select([sys.stdin.fileno(), *([bluez.descriptor] if bluez else [])], [], [])
            if bluez and bluez.descriptor in ready:
                self.forward_events(bluez)
            if sys.stdin.fileno() in ready and not self.read_operations():
                return

    def forward_events(self, bluez: VirtualBluez) -> None:
        lines = bluez.read_lines()
        if lines is None:
            bluez.stop()
            tell('bluez', state='ended')
            return
        for line in lines:
            print(line, flush=True)

    def read_operations(self) -> bool:
        """Returns false at the end of standard input."""
        data = os.read(sys.stdin.fileno(), 65536)
        if not data:
            return False
        *lines, self.rest = (self.rest + data).split(b'\n')
        for line in lines:
            if line.strip():
                self.perform(line.decode(errors='replace'))
        return True

    def perform(self, line: str) -> None:
        """Performs one operation. An operation that fails is reported as an event and ends nothing."""
        try:
            request = json.loads(line)
            name = request['op']
            if name in ('bus', 'bluez', 'gpsd', 'broker'):
                tell(name, state=self.services.do(name, request['do']))
            elif self.bluez is None:
                raise ValueError('the virtual bluetoothd was not started')
            else:
                self.bluez.perform(line)
        except (ValueError, KeyError, TypeError, AttributeError, OSError, StartError) as problem:
            tell('error', message=f'{type(problem).__name__}: {problem}', request=line)


def up(arguments: argparse.Namespace) -> None:
    config = None
    if arguments.config:
        config = json.loads(pathlib.Path(arguments.config).read_text(encoding='utf-8'))
    unwind_on_signals()
    services = Services(
        config, not arguments.no_bluez, not arguments.no_gpsd, not arguments.no_broker, arguments.refuse)
    with services:
        print(json.dumps(services.addresses()), flush=True)
        Session(services).run()


def main() -> None:
    parser = argparse.ArgumentParser(
        prog='python3 -m workbench.services', description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True, metavar='COMMAND')
    starting = commands.add_parser('up', help='start the parts and take operations')
    starting.add_argument('--config', metavar='FILE', help='peripherals, see workbench/virtual_bluez/__main__.py')
    starting.add_argument('--no-bluez', action='store_true', help='neither bus nor virtual bluetoothd')
    starting.add_argument('--no-gpsd', action='store_true')
    starting.add_argument('--no-broker', action='store_true')
    starting.add_argument('--refuse', action='store_true', help='the broker turns every client away')
    starting.set_defaults(run=up)
    arguments = parser.parse_args()
    try:
        arguments.run(arguments)
    except (StartError, OSError, ValueError) as problem:
        sys.exit(f'services: {problem}')
    except Interrupted:   # the ordinary way to end it
        sys.exit(0)


if __name__ == '__main__':
    main()
