"""A full house: five straps of five persons, each once a second, for a minute."""
from workbench.ble.scenarios.guest_house import play, strap
from workbench.ble.scenarios.report import milliseconds, spread

# The straps send from the start: the gateway would subscribe anew to one that is silent during the other connections.
STRAPS = [strap(n, script=[{'bpm': 60 + n}]) for n in range(1, 6)]
SECONDS = 60
LOWEST, SPAN = 45, 80   # inside the limits: this figure has no alarm


async def scenario(house, report):
    async with report.rule('five straps are connected side by side'):
        for one in STRAPS:
            await house.subscription(one['id'])
        first = min(e['boot_ns'] for e in house.air if e['event'] == 'connected')
        last = max(e['boot_ns'] for e in house.air if e['event'] == 'subscribed')
        report.figure('from the first link to the last subscription', milliseconds(last - first))
    for one in STRAPS:
        await house.stack.air('script', id=one['id'], script=[])
        await house.settled(one['id'])
    since = house.mark()
    used = house.gateway.processor_seconds()
    for n, one in enumerate(STRAPS):
        # Each counts from its own first value: a reading of another strap would be noticed.
        script = [{'bpm': LOWEST + (16 * n + second) % SPAN} for second in range(SECONDS)]
        await house.stack.air('script', id=one['id'], script=script, every_ms=1000, loop=False)
    async with report.rule(f'each reading of five straps at 1 Hz for {SECONDS} s arrives once, in its order, '
                           'as its own person\'s'):
        for one in STRAPS:
            await house.until(
                lambda: len(house.sent(one['id'], since[0])) >= SECONDS, 'all is sent', seconds=SECONDS * 3)
        count = 0
        for one in STRAPS:
            count += await house.delivered(one['id'], since)
            persons = {e['person'] for e in house.readings(one['id'], since[1])}
            assert persons == {one['person']}, persons
        used = house.gateway.processor_seconds() - used
        assert count == len(STRAPS) * (SECONDS + 1), count
        assert not any(e['event'] == 'disconnected' for e in house.air[since[0]:]), 'a link ended'
    report.figure('notification to feed', spread(
        [ns for one in STRAPS for ns in house.latencies(one['id'], since)]))
    report.figure('gateway\'s processor time', f'{used / count * 1e3:.2f} ms a reading, all its idle work '
                  f'included ({used:.2f} s for {count})')


play(STRAPS, scenario)
