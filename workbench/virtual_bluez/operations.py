"""The operations that a driver may ask for. One method `op_NAME` each; its arguments are the keys."""

from gi.repository import GLib

from workbench.clock import boot_ns
from workbench.virtual_bluez.profiles import long_uuid


class Control:
    def __init__(self, rig, quit):
        self.rig, self.event, self.op_quit = rig, rig.event, quit
        self.streams = {}   # peripheral id: timer

    def perform(self, request):
        """Performs a request. An invalid request is reported as an event and ends nothing."""
        try:
            arguments = dict(request)
            name = arguments.pop('op')
            operation = getattr(self, f'op_{name}', None)
            if operation is None:
                raise ValueError(f'unknown op {name!r}')
            operation(**arguments)
        except Exception as problem:   # a driver's mistake of any kind
            self.event('error', message=f'{type(problem).__name__}: {problem}', request=request)

    def peripheral(self, id):
        if id not in self.rig.peripherals:
            raise ValueError(f'no peripheral {id!r}; known: {", ".join(self.rig.peripherals)}')
        return self.rig.peripherals[id]

    # Readings.

    def op_send(self, id, value, characteristic=None):
        peripheral = self.peripheral(id)
        uuid = characteristic or peripheral.profile.measurement
        data = peripheral.encode(uuid, value)
        source = peripheral.device.characteristic(uuid) if peripheral.connected else None
        sent_ns = boot_ns()
        if source is None or not source.subscribed or not source.notify(data):
            peripheral.dropped += 1
            why = 'not subscribed' if peripheral.connected else 'not connected'
            self.event('dropped', id=id, characteristic=uuid, reason=why)
            return
        self.rig.bus.flush()
        peripheral.sent += 1
        self.event('sent', id=id, characteristic=uuid, value=value, hex=data.hex(), boot_ns=sent_ns)

    def op_stream(self, id, values, every_ms=1000, loop=True, characteristic=None):
        """Sends `values` in turn, the first at once."""
        self.peripheral(id)
        if not values or every_ms < 1:
            raise ValueError('a stream needs values, and at least 1 ms between them')
        self.stop_stream(id)
        queue = list(values)

        def step():
            value = queue.pop(0)
            if loop:
                queue.append(value)
            self.perform({'op': 'send', 'id': id, 'value': value, 'characteristic': characteristic})
            if queue:
                return GLib.SOURCE_CONTINUE
            self.streams.pop(id, None)
            self.event('stream-ended', id=id)
            return GLib.SOURCE_REMOVE

        if step() == GLib.SOURCE_CONTINUE:
            self.streams[id] = GLib.timeout_add(every_ms, step)

    def op_stop(self, id):
        self.peripheral(id)
        self.stop_stream(id)
        self.event('stopped', id=id)

    def stop_stream(self, id):
        if timer := self.streams.pop(id, None):
            GLib.source_remove(timer)

    # The link and the air.

    def op_disconnect(self, id):
        """Ends the link; the peripheral stays in range."""
        if not self.peripheral(id).connected:
            raise ValueError(f'{id} is not connected')
        self.peripheral(id).device.link_down()

    def op_vanish(self, id):
        """Moves the peripheral out of range: the link ends, and bluetoothd forgets the device."""
        self.peripheral(id).on_air = False
        self.peripheral(id).forget()
        self.event('vanished', id=id)

    def op_return(self, id):
        """Moves the peripheral back in range: discovery reports it next, or at once when it is running."""
        peripheral = self.peripheral(id)
        peripheral.on_air = True
        if peripheral.device and peripheral.device.pending:
            peripheral.device.link_soon()
        adapter = self.rig.adapter
        if adapter is not None and adapter.values['Discovering'] and peripheral.advertises:
            self.rig.adapter.heard(peripheral)
        self.event('returned', id=id)

    def op_advertise(self, id, hex, uuid='fcd2', times=1):
        """Sends `times` adverts with this service data; they are lost while discovery is off."""
        peripheral, adapter = self.peripheral(id), self.rig.adapter
        if not peripheral.only_advertises:
            raise ValueError(f'{id} is no beacon')
        is_heard = adapter is not None and adapter.values['Discovering']
        for _ in range(times if is_heard else 0):
            adapter.heard(peripheral, {long_uuid(uuid): bytes.fromhex(hex)})
        self.rig.bus.flush()
        self.event('advertised' if is_heard else 'unheard', id=id)

    def op_power(self, on):
        """Switches the adapter's power, as rfkill or another program does."""
        self.rig.adapter.power(on)
        self.event('power', on=bool(on))

    def op_lose_services(self, id):
        """Removes the GATT objects under a live link, and adds them again."""
        device = self.peripheral(id).device
        if device is None or not device.connected:
            raise ValueError(f'{id} is not connected')
        device.remove_services()
        device.add_services()
        self.event('services-lost', id=id)

    def op_set(self, id, **keys):
        """Changes keys of a peripheral's row: repeats, objects_ms, resolve_ms, connect_ms, rssi, records."""
        peripheral = self.peripheral(id)
        for key, value in keys.items():
            if key not in ('repeats', 'objects_ms', 'resolve_ms', 'connect_ms', 'rssi', 'records'):
                raise ValueError(f'{key!r} cannot be changed')
            setattr(peripheral, key, value)
        self.event('set', id=id)

    def op_unplug(self):
        """Unplugs the adapter with all its objects."""
        self.rig.unplug()
        self.event('unplugged')

    def op_plug(self):
        """Plugs the adapter in again, powered, with the `known` peripherals only."""
        self.rig.plug()
        self.event('plugged')

    # Faults.

    def op_fail(self, method, error, message='', times=1, id=None):
        """Lets the next `times` calls of `method` fail; with times null, until `heal`."""
        self.arm(method, id, error, message, times)

    def op_hang(self, method, times=None, id=None):
        """Leaves calls of `method` unanswered, `times` of them or until `heal`."""
        self.arm(method, id, None, '', times)

    def arm(self, method, id, error, message, times):
        if id is not None:
            self.peripheral(id)
        self.rig.faults.arm(method, id, error, message, times)
        self.event('armed', method=method, times=times)

    def op_heal(self):
        """Disarms every fault. Calls that hang stay unanswered."""
        self.rig.faults.heal()
        self.event('healed')

    # Statistics.

    def op_stats(self):
        adapter = self.rig.adapter
        self.event(
            'stats', discovering=adapter is not None and adapter.values['Discovering'],
            powered=adapter is not None and adapter.powered,
            peripherals={p.id: self.stats(p) for p in self.rig.peripherals.values()})

    def stats(self, peripheral):
        listening = peripheral.device.characteristics if peripheral.device else []
        return {
            'on_air': peripheral.on_air, 'known': peripheral.device is not None,
            'connected': peripheral.connected, 'paired': peripheral.paired,
            'trusted': bool(peripheral.device and peripheral.device.values['Trusted']),
            'subscribed': [c.row.uuid for c in listening if c.subscribed],
            'sent': peripheral.sent, 'dropped': peripheral.dropped}
