"""The player of life.py: a house with a method for each act of the script."""
import asyncio
import datetime
import math
import os
import time

from workbench.ble.scenarios import life
from workbench.ble.scenarios.advert_house import AdvertHouse
from workbench.ble.scenarios.life import CALM, CALM_EVERY_MS, CUFF, EAR, FINGER, PENDANT, SCALE, STRAP, TAG
from workbench.ble.scenarios.service import HOUR_S, Service
from workbench.clock import boot_ns
from workbench.gateway_settings import section

QUIET_S = float(os.environ.get('QUIET_S') or 300) or math.inf
PERSON = 'maria'


def worn(number, id, kind, **more):
    return {'id': id, 'kind': kind, 'address': f'C0:00:00:00:06:{number:02X}', 'person': PERSON, 'script': [], **more}


WORN = [
    worn(1, STRAP, 'heart_rate', script=CALM, every_ms=CALM_EVERY_MS),
    worn(2, TAG, 'tag', button='sos-button'),
    *(worn(n, id, kind, advertise=False) for n, (id, kind) in enumerate((
        (FINGER, 'pulse_oximeter'), (CUFF, 'blood_pressure'), (EAR, 'thermometer'), (SCALE, 'weight_scale')), 3))]
FALL_SENSOR = {'id': PENDANT, 'address': 'C0:00:00:00:06:10', 'person': PERSON, 'signals': {'vibration': 'fall'}}


class Life(AdvertHouse):
    """`Act.do` names one of the methods."""

    def __init__(self, wearables, report):
        super().__init__(wearables, report, [FALL_SENSOR])
        self.service = Service(self, PERSON)
        self.hung = range(0)   # indices of the feed while the strap hung
        # Ends of the gateway: the period in which a value may be lost, and the number of messages at the broker.
        self.ends = []
        set_clock(life.FIRST)

    def settings_text(self):
        text = super().settings_text().replace('[person.sos]\n', '[person.sos]\ncarers = ["mqtt"]\n')
        # bluetoothd forgets these devices; after a restart only the settings say that they sleep.
        for id in FINGER, CUFF, EAR, SCALE:
            text = text.replace(f'id = "{id}"\n', f'id = "{id}"\nsleeps = true\n')
        return text + section('[sos.drill]', every_days=life.DRILL_DAYS, at=f'{life.DRILL_AT:%H:%M}')

    # ---- time ----------------------------------------------------------------------------

    async def pass_until(self, at):
        """Waits through the beginning of a quiet period, and sets the clock to its end."""
        await asyncio.sleep(max(0, min(at.timestamp() - time.time(), QUIET_S)))
        if at.timestamp() - time.time() > 1:
            set_clock(at)

    async def pass_hours(self, hours):
        await self.pass_until(now() + datetime.timedelta(hours=hours))

    # ---- her wearables -------------------------------------------------------------------

    async def is_back(self, *devices, since):
        """Waits until the gateway has subscribed to each device since then."""
        air, log = since
        def known(id):
            return any('message="wearable subscribed"' in line and f'device={id}' in line.split()
                                       for line in self.log[log:])
        for id in devices:
            await self.until(lambda: any(e['event'] == 'subscribed' and e['id'] == id for e in self.air[air:])
                             and known(id), f'{id} is subscribed to')

    def here(self):
        return len(self.air), len(self.log)

    async def use(self, device):
        """Switches on a device that sleeps. Returns when it can send."""
        since = self.here()
        await self.stack.air('return', id=device)
        await self.is_back(device, since=since)

    async def put_away(self, device):
        await self.stack.air('advertise', id=device, on=False)
        await self.stack.air('disconnect', id=device)

    async def calm(self):
        await self.stack.air('script', id=STRAP, script=CALM, every_ms=CALM_EVERY_MS)

    async def pause(self):
        """Withdraws the values that were in flight when a link ended: their loss is no fault of the gateway."""
        await self.stack.air('script', id=STRAP, script=[])
        await asyncio.sleep(0.1)

    # ---- acts ----------------------------------------------------------------------------

    async def beat(self, values, calm=True):
        await self.stack.air('script', id=STRAP, script=values, every_ms=1000, loop=False)
        await asyncio.sleep(len(values))
        if calm:
            await self.calm()

    async def run(self, values):
        await self.succeed('exercise', '--person', PERSON, '--minutes', '40')
        await self.beat(values)
        await asyncio.sleep(60)   # her heart is calm again before the limits of rest apply
        await self.succeed('exercise', '--person', PERSON, '--stop')

    async def measure(self, device, value):
        await self.use(device)
        if device == CUFF:
            value = {**value, 'time': list(now().timetuple()[:6])}
        await self.stack.air('send', id=device, value=value)
        await asyncio.sleep(1)
        await self.put_away(device)

    async def oximeter(self, values):
        await self.stack.air('script', id=FINGER, script=values, every_ms=1000, loop=False)
        await self.use(FINGER)
        await asyncio.sleep(len(values) + 1)
        await self.put_away(FINGER)

    async def press_tag(self):
        for _ in range(2):   # people press twice
            await self.stack.air('send', id=TAG, value={})

    async def fall(self):
        await self.stack.air('bthome', id=PENDANT, objects={'vibration': 1})
        await self.stack.air('bthome', id=PENDANT, objects={'vibration': 0})

    async def drill(self, at):
        await self.pass_until(at)

    # ---- faults --------------------------------------------------------------------------

    async def out_of_range(self, *devices):
        for device in devices:
            await self.stack.air('vanish', id=device)

    async def back_in_range(self, *devices):
        since = self.here()
        for device in devices:
            await self.stack.air('return', id=device)
        await self.is_back(*devices, since=since)

    async def go_out(self, hours):
        await self.out_of_range(STRAP, TAG)
        await self.pass_hours(hours)
        await self.back_in_range(STRAP, TAG)

    async def collapse(self, values):
        await self.beat(values, calm=False)
        await self.out_of_range(STRAP)
        await asyncio.sleep(120)
        await self.calm()
        await self.back_in_range(STRAP)

    async def charge(self, hours):
        await self.pause()
        await self.put_away(STRAP)
        await self.pass_hours(hours)
        await self.calm()
        await self.use(STRAP)

    async def lay_down(self, seconds):
        lying = [{'bpm': 0, 'contact': False}]
        await self.told_of('sensor-contact-lost', self.beat(lying * seconds))

    async def run_down(self):
        async def empty():
            await self.stack.air('battery', id=STRAP, level=4)
            await asyncio.sleep(60)
            await self.out_of_range(STRAP)
            await asyncio.sleep(600)
            await self.stack.air('battery', id=STRAP, level=100)
            await self.back_in_range(STRAP)
        await self.told_of('battery-low', empty())

    async def hang(self, seconds):
        async def silent():
            await self.stack.air('script', id=STRAP, script=[])
            await asyncio.sleep(seconds)
            since = len(self.air)
            await self.calm()
            # The gateway renews the link of a silent strap, which clears the condition: the hang lasts to a value.
            await self.until(lambda: any(e['event'] == 'sent' and e['id'] == STRAP and e['heard']
                                         for e in self.air[since:]), f'{STRAP} sends again')
            await asyncio.sleep(1)   # the last condition of the hang is in the feed
        since = len(self.feed)
        await self.told_of('wearable-silent', silent())
        self.hung = range(since, len(self.feed))

    async def told_of(self, code, happening):
        """Checks that the condition is raised during the fault, and cleared after it."""
        since = len(self.feed)
        await happening
        await self.until(lambda: self.conditions(code, since)[-1:] == [False], f'{code} is cleared')
        assert True in self.conditions(code, since), f'{code} was never raised'

    async def restart_bluetoothd(self):
        since = self.here()
        await self.pause()
        await self.stack.kill_bluetoothd()
        await asyncio.sleep(5)   # the kernel keeps the links for two more seconds, and their values reach no reader
        await self.calm()
        await self.stack.start_bluetoothd()
        await self.is_back(STRAP, TAG, since=since)

    async def restart_gateway(self, kill=False):
        since, began = self.here(), boot_ns()
        await (self.kill_gateway() if kill else self.stop_gateway())
        await self.caught_up()
        # A kill takes what arrived in the 40 ms before it; bluetoothd takes a moment to unsubscribe.
        self.ends.append(((began - 40_000_000, boot_ns() + 200_000_000), len(self.broker)))
        await self.start_gateway()
        await self.is_back(STRAP, TAG, since=since)

    async def replug(self):
        await self.stack.air('unplug')
        await asyncio.sleep(30)
        since = self.here()
        await self.stack.air('plug')
        await self.is_back(STRAP, TAG, since=since)

    # ---- ends of alarms ------------------------------------------------------------------

    async def see_end(self, alarm, since):
        """Waits for the end that the script expects. TimeoutError without it."""
        def told(name):
            return [e for e in self.feed[since:] if e['event'] == name]
        def sees(name, count=1):
            return self.until(lambda: len(told(name)) >= count, name, seconds=HOUR_S)
        if alarm.ending == 'aborted':
            await sees('alarm')
            await self.succeed('abort', '--person', PERSON)
        elif alarm.ending == 'resolved':
            await sees('dispatch')
            await self.succeed('resolve', '--person', PERSON)
        elif alarm.ending == 'accepted late':
            await sees('dispatch', 3)
            self.service.come()
        elif alarm.breaks:
            await sees('dispatch')
            await self.restart_gateway(kill=True)
            self.service.come()
        await sees(alarm.ending.split()[0])


def now():
    return datetime.datetime.now(datetime.UTC)


def set_clock(at):
    time.clock_settime(time.CLOCK_REALTIME, at.timestamp())
