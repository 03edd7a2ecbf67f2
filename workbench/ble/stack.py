"""The guest's Bluetooth: virtual peripherals, and a bluetoothd that can be killed and started."""
import asyncio
import json
import pathlib
from asyncio.subprocess import DEVNULL

from workbench.ble.async_child import Child, lines
from workbench.ble.bluez_client import ADAPTER, Bluez

BLUETOOTHD = '/usr/libexec/bluetooth/bluetoothd'
LOGS = pathlib.Path('/run/rig')   # the host's folder for this run
CONTROL = '/run/air.sock'
PATIENCE_SECONDS = 60   # some seconds on an idle machine


class Stack:
    """`events`: the events of the peripherals, oldest first. `on_event()` is called after each."""

    def __init__(self, config, on_event=lambda: None):
        self.config, self.on_event = config, on_event
        self.events, self.children, self.told = [], [], asyncio.Event()

    async def __aenter__(self):
        path = pathlib.Path('/run/peripherals.json')
        path.write_text(json.dumps(self.config), encoding='utf-8')
        air = await self.child(
            'python3', '-m', 'workbench.ble.peripherals', '--config', path, '--control', CONTROL, log='peripherals')
        ready = asyncio.Event()
        self.reader = asyncio.create_task(self.read(air, ready))
        async with asyncio.timeout(PATIENCE_SECONDS):
            await ready.wait()
        await self.start_bluetoothd()
        return self

    async def __aexit__(self, *_):
        for child in reversed(self.children):
            await child.stop()
        self.reader.cancel()

    async def child(self, *command, log, **pipes):
        child = await Child.start(*command, log=LOGS / f'{log}.log', **pipes)
        self.children.append(child)
        return child

    async def read(self, air, ready):
        with open(LOGS / 'air.log', 'w', encoding='utf-8') as log:
            async for line in lines(air.process.stdout):
                log.write(line + '\n')
                self.events.append(json.loads(line))
                if self.events[-1]['event'] == 'ready':
                    ready.set()
                self.told.set()
                self.on_event()

    async def until(self, look):
        """Returns the result of `look` as soon as an event of the wearables makes it true."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not (found := look()):
                await self.told.wait()
                self.told.clear()
            return found

    async def start_bluetoothd(self):
        """Returns when hci0 is on."""
        self.bluetoothd = await self.child(BLUETOOTHD, '-n', log='bluetoothd', stdout=DEVNULL)
        await self.wait_for_adapter()

    async def wait_for_adapter(self):
        """Returns when a bluetoothd runs and hci0 is on."""
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                bluez = await Bluez().open(patiently=True)
                await bluez.until(lambda: bluez.prop(ADAPTER, 'Powered', 'org.bluez.Adapter1'), PATIENCE_SECONDS)
        except TimeoutError:
            raise TimeoutError(f'not within {PATIENCE_SECONDS} s: bluetoothd switches hci0 on') from None
        bluez.close()

    async def kill_bluetoothd(self):
        await self.bluetoothd.kill()

    async def air(self, op, **arguments):
        """Performs one operation on the peripherals, see peripherals.py, and returns its result."""
        reader, writer = await asyncio.open_unix_connection(CONTROL)
        try:
            writer.write(json.dumps({'op': op, **arguments}).encode() + b'\n')
            answer = json.loads(await reader.readline())
        finally:
            writer.close()
        if not answer['ok']:
            raise RuntimeError(f'{op} {arguments}: {answer["error"]}')
        return answer['result']
