"""bluetoothd does not answer: it is stopped with SIGSTOP and continued later."""
import os
import signal

from workbench.ble.scenarios.guest_house import play, strap
from workbench.ble.scenarios.report import milliseconds
from workbench.clock import boot_ns

STRAP = 'strap-1'
CODE = 'bluetooth-hung'
# Five seconds without a message of it, three for its answer; the rest is for a slow machine.
LIMIT_SECONDS = 10


async def scenario(house, report):
    await house.until(lambda: house.readings(STRAP), 'a reading')
    since = house.mark()
    process = house.stack.bluetoothd.process.pid
    async with report.rule('a bluetoothd that does not answer is told within seconds'):
        os.kill(process, signal.SIGSTOP)
        began = boot_ns()
        await house.until(lambda: house.conditions(CODE, since[1]) == [True], f'{CODE} is raised')
        raised = next(e for e in house.feed[since[1]:] if e['event'] == 'health' and e['code'] == CODE)
        report.figure('from the hang to the condition', milliseconds(raised['read_ns'] - began))
        assert raised['read_ns'] - began < LIMIT_SECONDS * 1e9, raised
    async with report.rule('when it goes on, the condition is cleared and readings come again'):
        os.kill(process, signal.SIGCONT)
        began = boot_ns()
        await house.until(lambda: house.conditions(CODE, since[1]) == [True, False], f'{CODE} is cleared')
        since = house.mark()
        await house.until(lambda: house.readings(STRAP, since[1]), 'a reading')
        read_ns = house.readings(STRAP, since[1])[0]['read_ns']
        report.figure('from its return to a reading', milliseconds(read_ns - began))
        await house.until(lambda: house.conditions('wearable-silent') in ([], [True, False]), 'it is not silent')


play([strap(script=[{'bpm': 72}], every_ms=1000, loop=True)], scenario)
