"""All observations of the run with source and instant. The story waits for them here."""
import asyncio
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Seen:
    source: str   # wearables, gateway, broker, or ambulance
    kind: str   # the event's name; for the broker: sample, sos, accepted, status
    boot_ns: int   # instant of the event, on CLOCK_BOOTTIME
    details: dict


@dataclass
class Ledger:
    seen: list[Seen] = field(default_factory=list)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    has_begun: bool = False   # the story has begun; before, the gateway starts

    def add(self, seen):
        self.seen.append(seen)
        self.changed.set()

    def all(self, source, kind):
        return [s for s in self.seen if s.source == source and s.kind == kind]

    def first(self, source, kind, after_ns=0, matches=lambda details: True):
        return next((
            s for s in self.seen
            if s.source == source and s.kind == kind and s.boot_ns >= after_ns and matches(s.details)), None)

    @property
    def troubles(self):
        """The gateway's present conditions: events by code and subject."""
        found = {}
        for details in (s.details for s in self.all('gateway', 'health')):
            condition = details.get('code'), details.get('subject')
            if details.get('raised'):
                found[condition] = details
            else:
                found.pop(condition, None)
        return found

    async def wait(self, look, seconds):
        """Returns the result of `look` as soon as there is one; None after the time-out."""
        try:
            async with asyncio.timeout(seconds):
                while not (found := look()):
                    self.changed.clear()
                    await self.changed.wait()
                return found
        except TimeoutError:
            return None
