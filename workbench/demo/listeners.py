"""Readers of the four sources: wearables, gateway, an independent witness at the broker, ambulance service."""
import asyncio
import json
import os

from workbench.clock import boot_ns, wall_to_boot_ns
from workbench.demo import words
from workbench.demo.observations import Seen
from workbench.gathered import readings


async def lines(pipe):
    """Yields the lines of a child's output as they come."""
    reader = asyncio.StreamReader()
    # A copy: the transport closes its descriptor, and the child closes its own pipe.
    copy = os.fdopen(os.dup(pipe.fileno()), 'rb')
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), copy)
    try:
        while line := await reader.readline():
            yield line.decode(errors='replace').rstrip('\n')
    finally:
        transport.close()


def intervals(reading):
    """Yields the RR intervals of a heart rate as readings."""
    for number, milliseconds in enumerate(reading.get('rr_ms', ())):
        yield {**reading, 'id': f'{reading["id"]}/{number}', 'kind': 'rr-interval', 'unit': 'ms', 'value': milliseconds}


def json_object(text):
    """Returns the JSON object of a line, or None for anything else."""
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


class Listeners:
    def __init__(self, ledger, timeline):
        self.ledger, self.timeline = ledger, timeline

    async def wearables(self, pipe):
        async for line in lines(pipe):
            event = json_object(line) or {}
            self.note('wearables', event.get('event', 'unknown'), event.get('boot_ns'), event)

    async def gateway(self, pipe):
        async for line in lines(pipe):
            event = json_object(line) or {'event': 'status', 'text': line}
            self.note('gateway', event.get('event', 'unknown'), event.get('boot_ns'), event)

    async def witness(self, pipe):
        """Reads lines of mosquitto_sub -F '%U %t %p': seconds with nine decimals, topic, payload."""
        async for line in lines(pipe):
            stamp, topic, payload = (line.split(' ', 2) + ['', ''])[:3]
            try:
                seconds, _, nanoseconds = stamp.partition('.')
                moment = int(seconds) * 1_000_000_000 + int(nanoseconds.ljust(9, '0')[:9])
            except ValueError:
                continue   # the second line of a payload
            details = json_object(payload) or {'text': payload}
            for name, reading in readings(topic, details):
                for value in (reading, *intervals(reading)):
                    self.note('broker', kind_of(name), wall_to_boot_ns(moment), {**value, 'topic': name})

    async def ambulance(self, pipe):
        async for line in lines(pipe):
            event = json_object(line) or {}
            if event.get('method') == 'POST':
                self.note('ambulance', 'call', None, event)

    def note(self, source, kind, moment, details):
        seen = Seen(source, kind, moment if isinstance(moment, int) else boot_ns(), details)
        self.ledger.add(seen)
        words.tell(self.timeline, self.ledger, seen)


def kind_of(topic):
    """Returns the kind of a topic in the contract: trackme/v1/<gateway>/<kind>/..."""
    levels = topic.split('/')
    if levels[-1] == 'accepted':
        return 'accepted'
    what = levels[3] if len(levels) > 3 else 'unknown'
    return {'samples': 'sample'}.get(what, what)
