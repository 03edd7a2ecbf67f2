"""Comparison of the script with the gateway's own records of its alarms and with the messages at the broker."""
import collections

from workbench.ble.scenarios.guest_house import PROMISED_MS
from workbench.ble.scenarios.life import CUFF, EAR, FINGER, SCALE, STRAP

WARNING_WINDOW_MS = 30_000
ENDED = {'accepted', 'aborted', 'resolved', 'lapsed'}
# The expected readings of each value: field of the rig's value to kind of the contract.
KINDS = {
    STRAP: {'bpm': 'heart-rate'},
    FINGER: {'spo2': 'oxygen-saturation', 'pulse': 'heart-rate'},
    CUFF: {'systolic': 'systolic-pressure', 'diastolic': 'diastolic-pressure', 'map': 'mean-arterial-pressure',
           'pulse': 'heart-rate'},
    EAR: {'celsius': 'body-temperature'},
    SCALE: {'kg': 'body-weight'}}


def step(record, what):
    return next((s['after_ms'] for s in record['steps'] if s['what'] == what), None)


def faults_of(house, expected, record):
    """Returns the members of a record that differ from the script."""
    alarm, ends = expected.alarm, [s['what'] for s in record['steps'] if s['what'] in ENDED]
    calls = [m['round'] for m in house.service.calls if m['alarm'] == record['id'] and m['state'] == 'confirmed']
    called = step(record, 'called')
    limit = PROMISED_MS if alarm.priority == 'high' else step(record, 'confirmed') + WARNING_WINDOW_MS + 500
    checks = {
        f'cause {record["cause"]}': record['cause'] == alarm.cause,
        f'priority {record["priority"]}': record['priority'] == alarm.priority,
        f'ends {ends}': ends == [alarm.ending.split()[0]],
        f'told after {record["alarm"]}': record['alarm']['is_held'],
        f'called {called}': called is not None and called <= limit if alarm.is_called else called is None,
        f'calls {calls}': bool(calls) == alarm.is_called and len(calls) == len(set(calls)) or alarm.breaks}
    return [words for words, holds in checks.items() if not holds]


def wanted(house, device, field):
    """Returns the values that the wearable sent and did not withdraw, oldest first.

    Each has a bool: whether it was in flight when the gateway ended, and may be lost.
    """
    return [(e['value'][field], any(first <= e['boot_ns'] <= last for (first, last), _ in house.ends))
            for e in house.sent(device)
            if e['value'].get('contact') is not False and e['value'].get(field) is not None]


def table(expected, records):
    """Returns a line for each kind of alarm: its number in the script and in the gateway's own records."""
    due = collections.Counter((act.alarm.cause, act.alarm.priority, act.alarm.ending.split()[0]) for act, _ in expected)
    seen = collections.defaultdict(list)
    for record in records:
        ends = [s['what'] for s in record['steps'] if s['what'] in ENDED]
        seen[record['cause'], record['priority'], ' '.join(ends)].append(record)
    lines = [f'{"alarm":32} {"priority":8} {"end":9} expected seen  told after ms  called after s']
    for kind in sorted(due.keys() | seen.keys()):
        told = [r['alarm']['measured_ms'] for r in seen[kind] if r['alarm'].get('measured_ms') is not None]
        called = [step(r, 'called') / 1000 for r in seen[kind] if step(r, 'called') is not None]
        lines.append('{:32} {:8} {:9} {:8} {:4}  {:>13}  {:>14}'.format(
            *kind, due[kind], len(seen[kind]), max(told, default='-'), max(called, default='-')))
    return '\n'.join(lines)
