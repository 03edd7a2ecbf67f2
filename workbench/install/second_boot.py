"""Steps 10 to 14, in the guest: from the start after the power cut to the end of the packages.

    python3 -m workbench.install.second_boot ALARM NEWER_PACKAGE...
"""
import json
import re
import sys
import time

from workbench.install import box
from workbench.install.box import CONSOLE, DAEMON, run, succeed, unit
from workbench.install.steps import Ended, Steps

# After a restart of the machine nothing is waited for. The figure is printed; the bound is for a guest on a machine
# that has other work, where the program itself is slow to start.
CALL_SECONDS = 30
QUIET_SECONDS = 6   # a second call of the same dispatch would come within the time-out of the broker's channel
WATCHDOG_SECONDS = 15 + 10 + 10   # WatchdogSec=, TimeoutStopSec=, and a slow machine
RESTARTER = 'homegateway-upgrade'


async def house() -> dict:
    return dict(json.loads(await succeed('homegateway', 'status', '--json')))


async def called(steps: Steps, alarm: str) -> None:
    async with steps.step(10, 'after the power cut help is called at the start, once') as seen:
        await box.wait_for_gateway()
        call = (await box.poll(lambda: box.calls(alarm), 'a call for help'))[0]
        began = int((await unit(DAEMON, 'ExecMainStartTimestampMonotonic'))['ExecMainStartTimestampMonotonic']) / 1e6
        at = call['wall'] - (time.time() - time.monotonic())
        seen(f'the call: {call["state"]}, {at - began:.2f} s after the start of the program, '
             f'{at:.1f} s after that of the kernel')
        assert call['state'] == 'confirmed', call
        assert at - began <= CALL_SECONDS, f'expected {CALL_SECONDS} s at most'
        end = time.monotonic() + QUIET_SECONDS
        await box.poll(lambda: time.monotonic() > end, 'the time in which a second one would come', QUIET_SECONDS + 1)
        assert len(box.calls(alarm)) == 1, box.calls(alarm)
        state = await house()
        assert [each['id'] for each in state['alarms']] == [alarm], state['alarms']
        codes = {each['code'] for each in state['conditions']}
        seen('conditions: ' + (', '.join(sorted(codes)) or 'none'))
        # A power cut takes the last changes, and that is no damage of the card.
        assert 'storage-damaged' not in codes
        record = await succeed('homegateway', 'alarms', 'show', alarm)
        seen(record)


async def upgraded(steps: Steps, packages: list[str]) -> None:
    async with steps.step(11, 'an upgrade waits for the end of the alarm, then the gateway is restarted') as seen:
        before = await box.main_pid(DAEMON)
        said = await run('apt-get', 'install', '-y', '-q', '--no-install-recommends',
                         '-o', 'Dpkg::Options::=--force-confold', *packages)
        assert said.status == 0, said.text[-2_000:]
        words = re.search(r'^homegateway: .*$', said.text, re.MULTILINE)
        assert words and 'no alarm is open' in words[0], said.text[-2_000:]
        seen(f'{await succeed("dpkg-query", "-W", "-f", "${Version}", DAEMON)}: {words[0]}')
        assert await box.is_active(RESTARTER), 'nothing waits for the end of the alarm'
        assert await box.main_pid(DAEMON) == before, 'the gateway was restarted during the alarm'
        assert (await house())['alarms'], 'the alarm is over'
        seen(await succeed('homegateway', 'abort', '--by', 'Maria'))
        after = await box.wait_for_gateway(other_than=before)
        assert not (await house())['alarms']
        seen(f'process {before} watched on until the call was taken back, then process {after}')


async def hung(steps: Steps) -> None:
    async with steps.step(12, 'a gateway that hangs is killed and restarted by the watchdog') as seen:
        before = await box.main_pid(DAEMON)
        restarts = int((await unit(DAEMON, 'NRestarts'))['NRestarts'])
        began = time.monotonic()
        await succeed('systemctl', 'kill', '--signal=STOP', '--kill-whom=main', DAEMON)
        async def is_another() -> bool:
            return await box.main_pid(DAEMON) not in (0, before) and await box.is_active(DAEMON)
        await box.poll(is_another, 'another gateway is active', WATCHDOG_SECONDS)
        now = int((await unit(DAEMON, 'NRestarts'))['NRestarts'])
        assert now == restarts + 1, (restarts, now)
        assert (await house())['gateway'] == box.GATEWAY
        journal = await succeed(
            'journalctl', '--unit', DAEMON, '--boot', '--grep', 'watchdog', '--output=cat', '--no-pager')
        seen(f'active again {time.monotonic() - began:.1f} s after it stopped; {journal.splitlines()[-1]}')


async def locks() -> list[str]:
    """Returns the locks against a shutdown that logind has given to the gateway."""
    rows = (await succeed('systemd-inhibit', '--list', '--no-pager', '--no-legend')).splitlines()
    return [' '.join(row.split()) for row in rows if row.startswith('HomeGateway ')]


async def delayed(steps: Steps) -> None:
    async with steps.step(13, 'logind delays a shutdown while an alarm is open, and no longer') as seen:
        assert not await locks(), await locks()
        await succeed('homegateway', 'call-help', '--person', box.PERSON)
        lock = (await box.poll(locks, 'a lock of logind'))[0]
        assert ' shutdown ' in lock and lock.endswith(' delay'), lock
        await succeed('homegateway', 'abort', '--by', 'Maria')
        async def is_released() -> bool:
            return not await locks()
        await box.poll(is_released, 'the lock is released')
        assert not (await house())['alarms']
        seen(lock)


async def removed(steps: Steps) -> None:
    async with steps.step(14, 'remove keeps settings and state, purge deletes them') as seen:
        state = box.STATE / 'state.sqlite'
        await succeed('apt-get', 'remove', '-y', '-q', DAEMON, CONSOLE)
        for name in (DAEMON, CONSOLE):
            found = await unit(name, 'ActiveState', 'LoadState')
            assert found['ActiveState'] == 'inactive', f'{name}: {found}'
        assert not box.has('/usr/bin/homegateway') and not box.has('/usr/bin/homegateway-console')
        assert (await run('pgrep', '-l', 'homegateway')).status == 1, 'a process goes on'
        for path in (box.SETTINGS, state):
            assert box.has(path), f'{path} is gone'
        seen(f'removed: units and programs are gone; {box.SETTINGS}, {state} stay')
        await succeed('dpkg', '--purge', CONSOLE, DAEMON)
        left = (await succeed('find', '/etc', '/usr', '/var/lib', '/run', '-not', '-path', '/var/lib/dpkg/*', '-name',
                              '*homegateway*')).split()
        assert not left, left
        account = await run('getent', 'passwd', DAEMON)
        seen('purged: no file is left; ' + ('the account stays' if account.status == 0 else 'no account'))


async def boot(alarm: str, packages: list[str]) -> None:
    steps = Steps()
    await called(steps, alarm)
    await upgraded(steps, packages)
    await hung(steps)
    await delayed(steps)
    await removed(steps)


try:
    box.play(boot(sys.argv[1], sys.argv[2:]))
except Ended:
    sys.exit(1)
