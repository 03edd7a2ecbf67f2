"""Counts of the readings: as sent by the wearables, and as received by the subscriber at the broker."""
from collections import Counter
from dataclasses import dataclass

from workbench.demo.wearables import READINGS


@dataclass(frozen=True)
class Row:
    """One kind of reading of one wearable."""
    device: str
    kind: str
    sent: int
    arrived: int   # messages, repeated ones included
    missing: int   # sent values without a message
    doubled: int   # surplus messages: repeated ones, and values that were not sent


class Count:
    """Counts by device, kind and value: a repeated reading does not hide a lost one."""

    def __init__(self, ledger):
        self.dropped = len(ledger.all('wearables', 'dropped'))   # measured without a subscriber
        self.sent = Counter(
            (s.details['id'], kind, round(value, 3))
            for s in ledger.all('wearables', 'sent')
            for kind, value in READINGS[s.details['id']](s.details['value']))
        samples = [s.details for s in ledger.all('broker', 'sample')]
        self.arrived = Counter((e.get('device'), e.get('kind'), value_of(e)) for e in samples)
        # The id of the contract separates a repeated message from a second reading of the same value.
        self.ids = Counter(e.get('id') for e in samples)

    @property
    def rows(self):
        names = dict.fromkeys((device, kind) for device, kind, _ in [*self.sent, *self.arrived])
        return [self.row(*name) for name in names]

    def row(self, device, kind):
        def of_this(counter):
            return sum(n for key, n in counter.items() if key[:2] == (device, kind))
        return Row(
            device, kind, of_this(self.sent), of_this(self.arrived),
            of_this(self.sent - self.arrived), of_this(self.arrived - self.sent))

    @property
    def missing(self):
        return (self.sent - self.arrived).total()

    @property
    def doubled(self):
        """Returns the larger of the two counts, by value and by id."""
        return max((self.arrived - self.sent).total(), self.ids.total() - len(self.ids))


def value_of(event):
    value = event.get('value')
    return round(value, 3) if isinstance(value, (int, float)) else value
