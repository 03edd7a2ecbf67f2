"""A small org.bluez client on one D-Bus connection (so that signals and replies keep their order)."""
import asyncio
import os

from dbus_fast import BusType, Message, MessageType, Variant
from dbus_fast.aio import MessageBus

ROOT, ADAPTER = '/org/bluez', '/org/bluez/hci0'
def uuid(short):
    return f'0000{short}-0000-1000-8000-00805f9b34fb'
def plain(props):
    return {k: v.value for k, v in props.items()}


class BluezError(Exception):
    pass


class Bluez:
    async def open(self, patiently=False):
        """`patiently`: waits for a bluetoothd that is just starting."""
        self.bus = await MessageBus(bus_type=BusType.SYSTEM, negotiate_unix_fd=True).connect()
        self.objects, self.waiters, self.on_value, self.asked = {}, [], {}, []
        self.passkey, self.tree_serial = 123456, None
        self.bus.add_message_handler(self.message)
        for rule in ("type='signal',sender='org.bluez',interface='org.freedesktop.DBus.Properties'",
                     "type='signal',sender='org.bluez',interface='org.freedesktop.DBus.ObjectManager'"):
            await self.bus.call(Message('org.freedesktop.DBus', '/org/freedesktop/DBus',
                                        'org.freedesktop.DBus', 'AddMatch', signature='s', body=[rule]))
        while not await self.load(patiently):
            await asyncio.sleep(0.05)   # the bus name has no owner yet, and the bus queues no calls
        return self

    def close(self):
        self.bus.disconnect()

    async def load(self, patiently):
        question = Message('org.bluez', '/', 'org.freedesktop.DBus.ObjectManager', 'GetManagedObjects',
                           serial=self.bus.next_serial())
        self.tree_serial = question.serial
        answer = await self.bus.call(question)
        if answer.message_type == MessageType.ERROR and not patiently:
            raise BluezError(f'GetManagedObjects: {answer.error_name} {answer.body}')
        return answer.message_type != MessageType.ERROR

    def message(self, m):
        if m.message_type == MessageType.METHOD_CALL and m.interface == 'org.bluez.Agent1':
            self.asked.append(m.member)
            return Message.new_method_return(
                m, 'u', [self.passkey]) if m.member == 'RequestPasskey' else Message.new_method_return(m)
        if m.message_type == MessageType.METHOD_RETURN and m.reply_serial == self.tree_serial:
            # Here, in order with the signals: a task that awaits the answer runs after some newer signals.
            self.objects = {path: {i: plain(p) for i, p in ifaces.items()}
                            for path, ifaces in m.body[0].items()}
        if m.message_type != MessageType.SIGNAL:
            return None
        if os.environ.get('BLUEZ_TRACE'):
            print(f'{asyncio.get_running_loop().time():.3f} {m.member} {m.path} {m.body}'[:240])
        if m.member == 'PropertiesChanged':
            changed = plain(m.body[1])
            self.objects.setdefault(m.path, {}).setdefault(m.body[0], {}).update(changed)
            if 'Value' in changed and m.path in self.on_value:
                self.on_value[m.path](bytes(changed['Value']))
        elif m.member == 'InterfacesAdded':
            self.objects.setdefault(m.body[0], {}).update(
                {i: plain(p) for i, p in m.body[1].items()})
        elif m.member == 'InterfacesRemoved':
            for i in m.body[1]:
                self.objects.get(m.body[0], {}).pop(i, None)
        for wake in self.waiters:
            wake.set()
        return None

    async def call(self, path, interface, member, signature='', *body):
        r = await self.bus.call(Message('org.bluez', path, interface, member,
                                        signature=signature, body=list(body)))
        if r.message_type == MessageType.ERROR:
            raise BluezError(f'{member}: {r.error_name} {r.body}')
        if r.unix_fds:
            return r.body, r.unix_fds
        return r.body[0] if r.body else None

    async def until(self, condition, timeout=15):
        wake = asyncio.Event()
        self.waiters.append(wake)
        try:
            async with asyncio.timeout(timeout):
                while not (result := condition()):
                    await wake.wait()
                    wake.clear()
                return result
        finally:
            self.waiters.remove(wake)

    def device(self, address):
        return f"{ADAPTER}/dev_{address.replace(':', '_')}"

    def prop(self, path, name, interface='org.bluez.Device1'):
        return self.objects.get(path, {}).get(interface, {}).get(name)

    def char(self, device, short):
        for path, ifaces in self.objects.items():
            c = ifaces.get('org.bluez.GattCharacteristic1')
            if c and path.startswith(device + '/') and c['UUID'] == uuid(short):
                return path
        raise BluezError(f'no {short} at {device}')

    async def agent(self, capability='KeyboardDisplay'):
        await self.call(ROOT, 'org.bluez.AgentManager1', 'RegisterAgent', 'os', '/rig/agent', capability)
        await self.call(ROOT, 'org.bluez.AgentManager1', 'RequestDefaultAgent', 'o', '/rig/agent')

    async def discover(self, *addresses, timeout=15):
        await self.scan(True)
        try:
            await self.until(lambda: all(self.prop(self.device(a), 'RSSI') is not None
                                         for a in addresses), timeout)
        finally:
            await self.scan(False)

    async def scan(self, on):
        if on:
            await self.call(ADAPTER, 'org.bluez.Adapter1', 'SetDiscoveryFilter', 'a{sv}',
                            {'Transport': Variant('s', 'le')})
        await self.call(ADAPTER, 'org.bluez.Adapter1', 'StartDiscovery' if on else 'StopDiscovery')

    async def connect(self, address):
        return await self.connect_path(self.device(address))

    async def connect_path(self, path):
        await self.call(path, 'org.bluez.Device1', 'Connect')
        await self.until(lambda: self.prop(path, 'ServicesResolved'))
        return path

    async def disconnect(self, address):
        """Returns after bluetoothd has cleaned up the old connection.

        In 5.66, a Connect before the clean-up of the old ATT channel has its socket closed, and hangs.
        """
        await self.disconnect_path(self.device(address))

    async def disconnect_path(self, path):
        await self.call(path, 'org.bluez.Device1', 'Disconnect')
        # No event marks the end of the clean-up.
        await asyncio.sleep(0.3)

    async def pair_path(self, path):
        await self.call(path, 'org.bluez.Device1', 'Pair')

    async def write(self, char, value, command=False):
        await self.call(char, 'org.bluez.GattCharacteristic1', 'WriteValue', 'aya{sv}', value,
                        {'type': Variant('s', 'command' if command else 'request')})

    async def read(self, char):
        return bytes(await self.call(char, 'org.bluez.GattCharacteristic1', 'ReadValue', 'a{sv}', {}))

    async def notify(self, char, callback):
        self.on_value[char] = callback
        await self.call(char, 'org.bluez.GattCharacteristic1', 'StartNotify')

    async def stop_notify(self, char):
        """Ends a subscription. Otherwise bluetoothd renews it on the next connection."""
        await self.call(char, 'org.bluez.GattCharacteristic1', 'StopNotify')

    async def acquire_notify(self, char, callback):
        """Subscribes through a socket: one packet for each notification, no D-Bus signals."""
        _, fds = await self.call(char, 'org.bluez.GattCharacteristic1', 'AcquireNotify', 'a{sv}', {})
        loop, fd = asyncio.get_running_loop(), fds[0]

        def readable():
            data = os.read(fd, 512)
            if data:
                callback(data)
            else:
                loop.remove_reader(fd)
                os.close(fd)
        os.set_blocking(fd, False)
        loop.add_reader(fd, readable)
