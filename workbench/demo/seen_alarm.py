"""One alarm, as seen by the wearables, the gateway and the witness at the broker."""
from dataclasses import dataclass

DISPATCH_LIMIT_MS = 5_000
ALARM_LIMIT_MS = 250


@dataclass
class Episode:
    """`began_ns`: when the wearable sent its cause, on CLOCK_BOOTTIME. All other times count from there."""
    title: str
    began_ns: int
    alarm: str | None = None   # its id
    alarm_ms: float | None = None
    told_ms: float | None = None   # in the house
    told_after_alarm_ms: float | None = None   # by the gateway
    called_ms: float | None = None   # by the gateway
    witnessed_ms: float | None = None   # when the witness had the call
    ambulance_ms: float | None = None   # when the ambulance service had the call
    ambulance_problem: str | None = None   # by the schema of CAP 1.2
    told_over_ms: float | None = None   # when the ambulance service knew that another person took it
    accepted_ms: float | None = None
    aborted_by: str | None = None

    def since(self, seen):
        """Returns milliseconds since the cause, or None for an event that was not seen."""
        return (seen.boot_ns - self.began_ns) / 1e6 if seen else None

    @property
    def told_in_time(self):
        return self.told_after_alarm_ms is not None and self.told_after_alarm_ms <= ALARM_LIMIT_MS

    @property
    def called_in_time(self):
        return self.witnessed_ms is not None and self.witnessed_ms <= DISPATCH_LIMIT_MS

    @property
    def second_in_time(self):
        return self.ambulance_ms is not None and self.ambulance_ms <= DISPATCH_LIMIT_MS and not self.ambulance_problem

    def timeline(self):
        """Returns (milliseconds, event) for each seen event, by the clock of its observer: within a millisecond."""
        moments = [
            (0, 'a wearable sends the cause'), (self.alarm_ms, 'alarm: the gateway believes it'),
            (self.told_ms, 'the house is told, and somebody may cancel'),
            (self.called_ms, 'the gateway calls for help'), (self.witnessed_ms, 'the witness has the call'),
            (self.ambulance_ms, 'the ambulance service has the call'),
            (self.accepted_ms, 'the operator has taken it'),
            (self.told_over_ms, 'the ambulance service knows that somebody took it')]
        return sorted((ms, event) for ms, event in moments if ms is not None)
