"""Scripted faults: the method that fails or never answers, the peripheral, the number of times."""
from dataclasses import dataclass

from workbench.virtual_bluez.errors import BlueZError

# The steps with faults. ServicesResolved is no method but the step after Connect: a fault there
# leaves the services unresolved, as when GATT discovery dies on a bad link.
POINTS = frozenset({
    'StartDiscovery', 'StopDiscovery', 'SetDiscoveryFilter', 'Connect', 'Disconnect', 'Pair',
    'ServicesResolved', 'StartNotify', 'StopNotify', 'AcquireNotify', 'ReadValue', 'WriteValue', 'Set'})


@dataclass
class Fault:
    method: str
    peripheral: str | None   # None: any peripheral
    error: BlueZError | None   # None: the call is never answered
    times: int | None   # None: until healed

    def matches(self, method, peripheral):
        return self.method == method and self.peripheral in (None, peripheral)


class Faults:
    def __init__(self):
        self.armed = []

    def arm(self, method, peripheral=None, error=None, message='', times=None):
        if method not in POINTS:
            raise ValueError(f'no fault can strike {method!r}; known: {", ".join(sorted(POINTS))}')
        reply = BlueZError(error, message) if error else None
        self.armed.append(Fault(method, peripheral, reply, times))

    def heal(self):
        self.armed.clear()

    def strikes(self, method, peripheral=None, on_error=None):
        """Returns true when a fault handles the call: the caller must not answer it."""
        fault = next((f for f in self.armed if f.matches(method, peripheral)), None)
        if fault is None:
            return False
        if fault.times is not None:
            fault.times -= 1
            if fault.times <= 0:
                self.armed.remove(fault)
        if fault.error and on_error:
            on_error(fault.error)
        return True
