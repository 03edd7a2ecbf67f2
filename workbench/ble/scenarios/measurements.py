"""A house full of devices: each kind of measurement arrives in the units of the model, through a real bluetoothd."""
from typing import Any

from workbench.ble.scenarios.guest_house import play

TIME = [2026, 1, 2, 7, 0, 0]
RECORDS = [{'sequence': 10 + n, 'time': [2026, 1, 2, 7, n, 0], 'mg_dl': 90 + n} for n in range(12)]


def device(number, id, kind, **more):
    return {'id': id, 'kind': kind, 'address': f'C0:00:00:00:04:{number:02X}', 'script': [],
            'person': f'person-{number}', **more}


DEVICES = [
    device(1, 'cuff', 'blood_pressure'), device(2, 'ear', 'thermometer'),
    device(3, 'finger', 'pulse_oximeter'), device(4, 'spot', 'spot_check_oximeter'),
    device(5, 'scale', 'weight_scale'),
    device(6, 'meter', 'glucose_meter', records=RECORDS, current_time=True),
    device(7, 'clocked', 'clocked_cuff'), device(8, 'band', 'mute_band')]
# Value that a device sends, and the readings in it.
MEASUREMENTS: dict[str, tuple[str, dict[str, Any], dict[str, float]]] = {
    'cuff': ('2a35', {'systolic': 121, 'diastolic': 79, 'map': 93, 'pulse': 66}, {
        'systolic-pressure': 121, 'diastolic-pressure': 79, 'mean-arterial-pressure': 93, 'heart-rate': 66}),
    'ear': ('2a1c', {'celsius': 36.7}, {'body-temperature': 36.7}),
    'finger': ('2a5f', {'spo2': 96, 'pulse': 70}, {'oxygen-saturation': 96, 'heart-rate': 70}),
    'spot': ('2a5e', {'spo2': 97, 'pulse': 68}, {'oxygen-saturation': 97, 'heart-rate': 68}),
    'scale': ('2a9d', {'kg': 71.25}, {'body-weight': 71.25})}


async def scenario(house, report):
    for id, (short, value, wanted) in MEASUREMENTS.items():
        async with report.rule(f'the measurement of the {id} ({short}) is one reading of each kind'):
            await house.until(
                lambda: any(e['char'] == short for e in house.of('subscribed', id)), f'{short} is subscribed to')
            await house.until(lambda: any(
                'message="wearable subscribed"' in line and f'device={id}' in line.split() for line in house.log),
                'the gateway knows')
            await house.stack.air('send', id=id, value=value)
            for kind, number in wanted.items():
                await house.until(lambda: house.readings(id, kind=kind), kind)
                got = [e['value'] for e in house.readings(id, kind=kind)]
                assert got == [number], f'{kind}: {got}'
    async with report.rule('a meter is set right, asked for its records, and gives each once, in their order'):
        await house.until(lambda: house.of('clock_set', 'meter'), 'its clock is set')
        await house.until(
            lambda: len(house.readings('meter', kind='glucose')) >= len(RECORDS), 'its records')
        got = [e['value'] for e in house.readings('meter', kind='glucose')]
        assert got == [record['mg_dl'] for record in RECORDS], got
    async with report.rule('a clock in the measuring service (2a08) is set, and a result of this minute is of now'):
        await house.until(lambda: house.of('clock_set', 'clocked'), 'its clock is set')
        time = house.last('clock_set', 'clocked')['time']
        await house.stack.air('send', id='clocked', value={
            'systolic': 122, 'diastolic': 80, 'map': 94, 'pulse': 66, 'time': time})
        await house.until(lambda: house.readings('clocked', kind='systolic-pressure'), 'its result')
        reading = house.readings('clocked', kind='systolic-pressure')[0]
        report.remark(f'the clock was set to {time}')
        assert 'history' not in str(reading), reading
    async with report.rule('a band that gives nothing known is named as such, and is not out of reach'):
        def conditions(code):
            return [e['raised'] for e in house.feed
                    if e['event'] == 'health' and e['code'] == code and e.get('subject') == 'band']
        await house.until(lambda: conditions('wearable-unsupported') == [True], 'it is named')
        await house.until(lambda: conditions('wearable-away')[-1:] == [False], 'it is not out of reach')


play(DEVICES, scenario)
