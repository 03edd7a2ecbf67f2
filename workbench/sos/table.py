"""The measurements beside the promises."""
from workbench.quantiles import quantile
from workbench.sos import said

ALARM_LIMIT_MS = 250
DISPATCH_LIMIT_S = 5.0
# Delay of the bare timer above which an episode over its limit counts as the machine's fault: half the alarm's limit.
MACHINE_LATE_MS = 125


def three(values, form):
    if not values:
        return '-'
    return ' / '.join(form.format(v) for v in (quantile(values, 0.5), quantile(values, 0.99), max(values)))


class Row:
    def __init__(self, name, result, worst_ms, repeats):
        self.name, self.result, self.repeats = name, result, repeats
        episodes = result.episodes
        self.alarms = [e.alarm_ms for e in episodes]
        self.dispatches = [e.dispatch_s for e in episodes]
        self.control_ms = max((worst_ms(e.crossing_ns, e.dispatch_ns) for e in episodes), default=0)
        late = [e for e in episodes if e.alarm_ms > ALARM_LIMIT_MS or e.dispatch_s > DISPATCH_LIMIT_S]
        self.is_late = bool(late)
        self.is_excused = all(worst_ms(e.crossing_ns, e.dispatch_ns) > MACHINE_LATE_MS for e in late)

    @property
    def wrong(self):
        """The broken rules in words; empty where all were kept."""
        return [
            *(['no episode'] if not self.result.episodes else []),
            *(['too late'] if self.is_late else []),
            *([f'{self.result.lost} lost'] if self.result.lost else []),
            *([f'{self.result.doubled} doubled'] if self.result.doubled else []), *self.result.broken]

    @property
    def is_machines_fault(self):
        return self.wrong == ['too late'] and self.is_excused

    @property
    def may_be_repeated(self):
        """True where the play broke a rule, and no call was lost, doubled or late."""
        return bool(self.result.broken) and not (self.result.lost or self.result.doubled or self.is_late)

    @property
    def is_kept(self):
        return not self.wrong

    @property
    def verdict(self):
        said = 'kept' if self.is_kept else f'BROKEN: {"; ".join(self.wrong)}'
        again = [f'measured {self.repeats + 1} times'] if self.repeats else []
        return '; '.join([said, *again, *self.result.remarks])

    @property
    def cells(self):
        return [
            self.name, str(len(self.result.episodes)), three(self.alarms, '{:.0f}'), three(self.dispatches, '{:.3f}'),
            three([e.late_ms for e in self.result.episodes], '{:.0f}'), str(self.result.lost),
            str(self.result.doubled), f'{self.control_ms:.0f}', said.cell(self.result.said), self.verdict]


HEAD = ['fault', 'episodes', f'alarm p50/p99/max, ms (limit {ALARM_LIMIT_MS})',
        f'handed over p50/p99/max, s (limit {DISPATCH_LIMIT_S})', "after the window's end, ms", 'lost', 'doubled',
        'bare timer late, ms', 'said', 'verdict']


def text(rows):
    lines = [HEAD, ['---'] * len(HEAD), *(row.cells for row in rows)]
    return '\n'.join(f'| {" | ".join(line)} |' for line in lines)
