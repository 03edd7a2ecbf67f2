"""A box with the packages, seen from inside: commands, units, the gateway's feed, and the stand-ins around it.

The broker of a house is somewhere else and has a power of its own. Here it runs on the same box. So broker, witness and
the simulated GPIO chip are services of systemd that start before the gateway at every boot.
"""
import asyncio
import contextlib
import json
import os
import pathlib
import pwd
import re
import time
from asyncio.subprocess import DEVNULL, PIPE, STDOUT
from typing import Any, NamedTuple

from workbench import control_socket, witness
from workbench import gateway_settings as settings
from workbench.ble.stack import Stack
from workbench.parts.interruption import unwind_on_signals

PATIENCE_SECONDS = 60   # for a slow machine; an idle one takes a few seconds
BROKER_PORT = 1883      # of Debian's mosquitto.service, which listens on the loopback interface alone
GATEWAY, PERSON, STRAP, ADDRESS = 'box', 'maria', 'strap', 'C0:00:00:00:01:01'
SETTINGS = pathlib.Path('/etc/homegateway/gateway.toml')
STATE = pathlib.Path('/var/lib/homegateway')
CONTROL_SOCKET = pathlib.Path('/run/homegateway/control.sock')
CONSOLE_ADDRESS = ('127.0.0.1', 8765)
DAEMON, CONSOLE = 'homegateway', 'homegateway-console'   # packages, accounts and units alike
# Of the simulated chip. User Mode Linux has no interrupts for its lines, so it has a lamp and no button.
LAMP_LINE = 2
CHIP_LINES = pathlib.Path('/sys/devices/platform/gpio-sim.0/gpiochip0')
HEARD = pathlib.Path('/run/witness')
UNITS = pathlib.Path('/etc/systemd/system')
CHIP_SCRIPT = pathlib.Path('/usr/local/sbin/simulated-chip')


class Answer(NamedTuple):
    status: int
    text: str


async def run(*command: object, user: str | None = None, limit: float = 120) -> Answer:
    """Runs a command, as `user` where one is named. Returns its exit status and its text on both outputs."""
    words = [str(word) for word in command]
    if user:
        words = [*become(user), *words]
    process = await asyncio.create_subprocess_exec(
        *words, stdin=DEVNULL, stdout=PIPE, stderr=STDOUT,
        env={'PATH': os.environ['PATH'], 'LANG': 'C.UTF-8', 'DEBIAN_FRONTEND': 'noninteractive', 'TERM': 'dumb'})
    try:
        output, _ = await asyncio.wait_for(process.communicate(), limit)
    except TimeoutError:
        process.kill()
        raise TimeoutError(f'not within {limit} s: {" ".join(words)}') from None
    return Answer(process.returncode or 0, output.decode(errors='replace').strip())


def become(user: str) -> list[str]:
    """Returns the words before a command that is to run as `user`."""
    return ['setpriv', '--reuid', user, '--regid', str(pwd.getpwnam(user).pw_gid), '--init-groups', '--']


async def succeed(*command: object, user: str | None = None) -> str:
    """Runs a command that must succeed. Returns its text."""
    answer = await run(*command, user=user)
    assert answer.status == 0, f'{" ".join(map(str, command))}: status {answer.status}: {answer.text[-2_000:]}'
    return answer.text


async def unit(name: str, *properties: str) -> dict[str, str]:
    """Returns properties of a unit of systemd."""
    rows = await succeed('systemctl', 'show', name, *(f'--property={each}' for each in properties))
    return dict(row.split('=', 1) for row in rows.splitlines())


async def poll(look: Any, what: str, seconds: float = PATIENCE_SECONDS) -> Any:
    """Returns the result of `look` as soon as it is true: for a condition that sends no event. `look` may be async."""
    end = time.monotonic() + seconds
    while True:
        found = look()
        if asyncio.iscoroutine(found):
            found = await found
        if found:
            return found
        if time.monotonic() > end:
            raise TimeoutError(f'not within {seconds} s: {what}')
        await asyncio.sleep(0.1)


def access(path: str | pathlib.Path) -> str:
    """Returns owner, group and mode of a file, such as `root homegateway 640`."""
    facts = os.stat(path)
    return f'{pathlib.Path(path).owner()} {pathlib.Path(path).group()} {facts.st_mode & 0o7777:o}'


def uid_of(pid: int) -> str:
    """Returns the name of the account of a process."""
    return pwd.getpwuid(os.stat(f'/proc/{pid}').st_uid).pw_name


def has(path: str | pathlib.Path) -> bool:
    return os.path.lexists(path)


# ---- neighbours of the gateway ------------------------------------------------------

async def set_up_neighbours() -> None:
    """Makes broker, witness and chip services that run before the gateway, now and at every boot."""
    CHIP_SCRIPT.write_text(
        '#!/bin/sh\nset -e\nbank=/sys/kernel/config/gpio-sim/box/bank\nmkdir -p $bank\necho 8 > $bank/num_lines\n'
        'echo 1 > /sys/kernel/config/gpio-sim/box/live\nudevadm settle\n')
    CHIP_SCRIPT.chmod(0o755)
    listen = ' '.join(witness.command(BROKER_PORT, form="'%%U %%t %%p'"))
    write_unit('simulated-chip', f'Type=oneshot\nRemainAfterExit=yes\nExecStart={CHIP_SCRIPT}')
    write_unit(
        'witness', 'Type=exec\n'
        f"ExecStartPre={' '.join(witness.ready_command(BROKER_PORT))}\nExecStart={listen}\n"
        # Not `truncate:`, by which each command of the service empties the file.
        f'StandardOutput=append:{HEARD}\n'
        f"ExecStartPost=/bin/sh -c 'until grep -q {witness.READY_TOPIC} {HEARD}; do sleep 0.05; done'",
        'After=mosquitto.service\nRequires=mosquitto.service')
    await succeed('systemctl', 'daemon-reload')
    await succeed('systemctl', 'enable', '--now', 'mosquitto', 'witness', 'simulated-chip')


def write_unit(name: str, service: str, order: str = '') -> None:
    (UNITS / f'{name}.service').write_text(
        f'[Unit]\nBefore=homegateway.service\n{order}\n\n[Service]\n{service}\n\n'
        '[Install]\nWantedBy=multi-user.target\n')


def heard() -> list[dict[str, Any]]:
    """Returns the messages that the witness has heard since the boot, with the time of each as `wall`."""
    messages = []
    for line in HEARD.read_text(encoding='utf-8', errors='replace').splitlines():
        wall, _, rest = line.partition(' ')
        if rest.count(' ') and re.fullmatch(r'[0-9.]+', wall):
            with contextlib.suppress(json.JSONDecodeError):   # the last line may be half written
                messages += [{'wall': float(wall), **message} for message in witness.messages(rest)]
    return messages


def calls(alarm: str) -> list[dict[str, Any]]:
    """Returns the calls for help that the broker got for an alarm."""
    topic = f'trackme/v1/{GATEWAY}/sos/{PERSON}'
    return [each for each in heard() if each['topic'] == topic and each.get('alarm') == alarm]


def line_of_chip(number: int) -> bool:
    """Returns the level of a line of the simulated chip."""
    return (CHIP_LINES / f'sim_gpio{number}' / 'value').read_text().strip() == '1'


def settings_text() -> str:
    """Returns the settings of the house, with the files of the unit where they belong."""
    return (
        settings.section('[gateway]', id=GATEWAY)
        + settings.section('[installed]', address='Via Dante 7, 20123 Milano', latitude=45.4661, longitude=9.1860)
        + settings.section(
            '[broker]', host='127.0.0.1', port=BROKER_PORT, tls=False, unsigned_acceptances=True)
        + settings.section('[house]', sound=False)
        + settings.section('[house.lamp]', line=LAMP_LINE)
        + settings.section('[gpsd]', enabled=False)
        + settings.person(PERSON, 'Maria'))


class InstalledBluetooth(Stack):
    """Virtual wearables for the bluetoothd that systemd has started."""

    async def start_bluetoothd(self) -> None:
        await self.wait_for_adapter()


class Feed:
    """Events of the running gateway, the oldest first."""

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []
        self.told = asyncio.Event()

    async def __aenter__(self) -> 'Feed':
        """Returns when events arrive: a request that the gateway refuses has been reported."""
        reader, self.writer = await asyncio.open_unix_connection(CONTROL_SOCKET, limit=1 << 20)
        self.writer.write(control_socket.encoded({'verb': 'watch'}))
        self.task = asyncio.create_task(self.read(reader))
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not self.of('refused'):
                await control_socket.ask_async(CONTROL_SOCKET, **control_socket.PROBE)
                with contextlib.suppress(TimeoutError):
                    await self.until(lambda: self.of('refused'), 'the feed reports a refusal', 0.2)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.task.cancel()
        self.writer.close()

    async def read(self, reader: asyncio.StreamReader) -> None:
        while line := await reader.readline():
            event = json.loads(line)
            if 'event' in event:
                self.events.append(event)
                self.told.set()

    def of(self, name: str) -> list[dict[str, Any]]:
        return [each for each in self.events if each['event'] == name]

    async def until(self, look: Any, what: str, seconds: float = PATIENCE_SECONDS) -> Any:
        """Returns the result of `look` as soon as an event makes it true."""
        try:
            async with asyncio.timeout(seconds):
                while not (found := look()):
                    await self.told.wait()
                    self.told.clear()
                return found
        except TimeoutError:
            raise TimeoutError(f'not within {seconds} s: {what}') from None


async def main_pid(name: str) -> int:
    return int((await unit(name, 'MainPID'))['MainPID'])


async def is_active(name: str) -> bool:
    return (await unit(name, 'ActiveState'))['ActiveState'] == 'active'


async def wait_for_gateway(other_than: int = 0) -> int:
    """Returns the process ID of a gateway that has said it is ready; another one than `other_than`."""
    async def look() -> int:
        seen = await unit(DAEMON, 'ActiveState', 'MainPID')
        pid = int(seen['MainPID'])
        return pid if seen['ActiveState'] == 'active' and pid not in (0, other_than) else 0
    return int(await poll(look, 'the gateway is active'))


def play(boot: Any) -> None:
    """Runs the steps of one boot."""
    unwind_on_signals()
    asyncio.run(boot)
