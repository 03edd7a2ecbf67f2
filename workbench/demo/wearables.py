"""Maria's wearables and her body. The virtual bluetoothd of the rig simulates the devices."""
import asyncio
from itertools import cycle

from workbench.virtual_bluez.profiles import PROFILES

STRAP, OXIMETER, CUFF, THERMOMETER, BUTTON = 'strap', 'oximeter', 'cuff', 'thermometer', 'button'
# Rows in the form of the virtual bluetoothd.
WEARABLES = [
    {'id': STRAP, 'kind': 'heart_rate', 'address': 'C0:FF:EE:00:00:01', 'name': 'Virtual Strap'},
    {'id': OXIMETER, 'kind': 'pulse_oximeter', 'address': 'C0:FF:EE:00:00:02', 'name': 'Virtual Oximeter'},
    {'id': CUFF, 'kind': 'blood_pressure', 'address': 'C0:FF:EE:00:00:03', 'name': 'Virtual Cuff'},
    {'id': THERMOMETER, 'kind': 'thermometer', 'address': 'C0:FF:EE:00:00:04', 'name': 'Virtual Thermometer'},
    {'id': BUTTON, 'kind': 'tag', 'address': 'C0:FF:EE:00:00:05', 'name': 'Virtual Button'}]
# The measurement characteristic of each: the gateway subscribes to it.
MEASUREMENTS = {row['id']: PROFILES[row['kind']].measurement for row in WEARABLES}

# Beats per minute, in turn. The limits are 40 and 131.
CALM = (72, 70, 68, 71, 74, 76, 73)
RACING = (152, 155, 150, 158, 154)
FAINT = (35, 34, 36)
SATURATION = (97, 97, 96, 98)
BEAT_SECONDS = 1.0


def rr_on_the_wire(milliseconds):
    """Returns the interval in milliseconds, rounded to the strap's whole 1/1024 s and to the contract's tenth."""
    return round(round(milliseconds * 1.024) * 1000 / 1024, 1)


# The readings of a measurement, as in the contract: (kind, value) of each.
READINGS = {
    STRAP: lambda value: [
        ('heart-rate', value['bpm']), *(('rr-interval', rr_on_the_wire(ms)) for ms in value['rr_ms'])],
    OXIMETER: lambda value: [('oxygen-saturation', value['spo2']), ('heart-rate', value['pulse'])],
    CUFF: lambda value: [
        ('systolic-pressure', value['systolic']), ('diastolic-pressure', value['diastolic']),
        ('mean-arterial-pressure', value['map']), ('heart-rate', value['pulse'])],
    THERMOMETER: lambda value: [('body-temperature', value['celsius'])],
    BUTTON: lambda value: []}   # a press is no reading


class Body:
    """Her heart beats at all times; strap and oximeter measure it."""

    def __init__(self, bluez):
        self.bluez = bluez
        self.calm_down()

    def send(self, id, value):
        self.bluez.perform({'op': 'send', 'id': id, 'value': value})

    # Events.

    def calm_down(self):
        self.heart, self.felt_by_strap = cycle(CALM), None

    def race(self):
        self.heart = cycle(RACING)

    def slip_strap(self):
        """Makes the strap miss some beats of a healthy heart."""
        self.felt_by_strap = cycle(FAINT)

    # Her acts.

    def measure_pressure(self):
        self.send(CUFF, {'systolic': 128, 'diastolic': 79, 'map': 95, 'pulse': 71})

    def take_temperature(self):
        self.send(THERMOMETER, {'celsius': 36.6})

    def press_button(self):
        self.send(BUTTON, {'code': 1})

    async def live(self):
        """Lets strap and oximeter send once a second each, half a second apart: they are independent."""
        saturation, due = cycle(SATURATION), asyncio.get_running_loop().time()
        while True:
            pulse = next(self.heart)
            bpm = next(self.felt_by_strap) if self.felt_by_strap else pulse
            # The beats of this second, as a strap sends them.
            interval_ms = round(60_000 / bpm)
            beats = [interval_ms] * max(1, 1_000 // interval_ms)
            self.send(STRAP, {'bpm': bpm, 'contact': True, 'rr_ms': beats})
            due = await half_a_beat_after(due)
            self.send(OXIMETER, {'spo2': next(saturation), 'pulse': pulse})
            due = await half_a_beat_after(due)


async def half_a_beat_after(due):
    due += BEAT_SECONDS / 2
    await asyncio.sleep(due - asyncio.get_running_loop().time())
    return due
