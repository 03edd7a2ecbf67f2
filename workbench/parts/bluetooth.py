"""The virtual bluetoothd as a part: operations in, events out."""
import json
import os
import pathlib
import subprocess
from typing import Any

from workbench.parts.child import Child
from workbench.parts.part import Part
from workbench.paths import program


class VirtualBluez(Part):
    name = 'bluez'

    def __init__(self, directory: pathlib.Path, bus_address: str, config: dict[str, Any] | None = None) -> None:
        """`config`: as in workbench/virtual_bluez/__main__.py; None for one heart rate strap."""
        super().__init__(directory)
        self.bus_address, self.config = bus_address, config
        self.rest = b''

    def start(self) -> None:
        command = [*program('virtual_bluez'), '--bus', self.bus_address]
        if self.config is not None:
            path = self.directory / 'peripherals.json'
            path.write_text(json.dumps(self.config), encoding='utf-8')
            command += ['--config', str(path)]
        with self.log_file() as log:
            self.child = Child(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log)
        self.rest = b''
        # The unbuffered file below the pipe: `read_lines` reads the rest.
        self.first_line(self.child.stdout.raw)   # type: ignore[attr-defined]

    @property
    def descriptor(self) -> int:
        """A file descriptor that is readable when events have come."""
        return self.started.stdout.fileno()

    def perform(self, line: str | dict[str, Any]) -> None:
        """Sends one operation, a dictionary or a line of JSON. BrokenPipeError when the process has ended."""
        text = line if isinstance(line, str) else json.dumps(line)
        stdin = self.started.stdin
        stdin.write(text.encode() + b'\n')
        stdin.flush()

    def read_lines(self) -> list[str] | None:
        """Waits for events and returns their lines; None at the end."""
        data = os.read(self.descriptor, 65536)
        if not data:
            return None
        *lines, self.rest = (self.rest + data).split(b'\n')
        return [line.decode() for line in lines]
