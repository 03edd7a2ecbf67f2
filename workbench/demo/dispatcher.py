"""A dispatcher at the emergency desk: Maria's heart races, and the dispatcher takes the call."""
from collections.abc import Iterator

from workbench.clock import boot_ns
from workbench.demo.clinic import until
from workbench.demo.consent import say
from workbench.house import GATEWAY, RACING, STRAP, House
from workbench.trackme.server import DISPATCHER_NAME, TrackMe

SCREEN_SECONDS = 5


def tell(cloud: TrackMe, house: House) -> Iterator[tuple[str, bool]]:
    """Plays the dispatcher's part, and that of a heart which races until help is called."""
    desk = cloud.dispatcher()
    since = house.mark()
    house.services.bluez.perform({
        'op': 'stream', 'id': STRAP, 'values': [{'bpm': RACING, 'contact': True}], 'every_ms': 200})
    call = house.until(
        'the call for help', lambda e: e['source'] == 'broker' and e.get('state') == 'confirmed', since)
    path = f'/desk/calls/{GATEWAY}/{call["alarm"]}'
    is_shown = until(lambda: path in desk.get('/desk'), SCREEN_SECONDS)
    say('desk', f'shows the call {(boot_ns() - call["seen_ns"]) / 1e6:.0f} ms after the broker had it')
    yield 'her call for help is on the desk, with her name', bool(is_shown) and 'Maria Rossi' in desk.get(path)
    began = boot_ns()
    desk.post(path + '/take')
    taken = house.until(
        'the acceptance in the house',
        lambda e: e['source'] == 'feed' and e.get('alarm') == call['alarm'] and e['event'] == 'accepted')
    say('house', f'is told after {(taken["seen_ns"] - began) / 1e6:.0f} ms: {taken["by"]} has taken the call')
    yield 'the house hears by a signed command who has taken it', str(taken['by']).startswith(DISPATCHER_NAME)
    desk.get(path)
    desk.post(path + '/close', outcome='false-alarm', note='played by the demo')
    yield 'each act is in the audit log, and its chain holds', (
        'closed the call: false alarm' in desk.get(path) and 'audit log: sound' in cloud.command('check'))
