"""One wearable: a bumble host on an emulated controller of its own."""
import asyncio
import hashlib
from typing import Any

from bumble import att, gatt, hci, smp
from bumble.core import AdvertisingData
from bumble.device import Device, DeviceConfiguration
from bumble.host import Host
from bumble.keys import MemoryKeyStore
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.transport.common import AsyncPipeSink

from workbench.ble import air
from workbench.ble.gatt_parts import CurrentTime
from workbench.ble.kinds import KINDS
from workbench.clock import boot_ns

P, A = gatt.Characteristic.Properties, att.Attribute


class Delegate(PairingDelegate):
    def __init__(self, peripheral):
        key = peripheral.passkey
        super().__init__(self.DISPLAY_OUTPUT_ONLY if key is not None else self.NO_OUTPUT_NO_INPUT)
        self.key, self.peripheral = key, peripheral

    async def generate_passkey(self):
        return self.key

    async def display_number(self, number, digits=6):
        self.peripheral.event('passkey_shown', number=number)


class Security(smp.Session):
    """bumble's delegate, with the rule of Core 5.4, Vol 3, Part H, 2.3.5.1 for a device that requires a passkey.

    A partner without a keyboard is refused: the services of the device would not trust a bond with it.
    """

    async def on_smp_pairing_request_command_async(self, command):
        can_type = command.io_capability in (
            smp.IoCapability.KEYBOARD_ONLY, smp.IoCapability.KEYBOARD_DISPLAY)
        if self.mitm and not can_type:
            self.send_pairing_failed(smp.ErrorCode.AUTHENTICATION_REQUIREMENTS)
        else:
            await super().on_smp_pairing_request_command_async(command)


class Peripheral:
    def __init__(self, rig, number, spec):
        self.rig, self.spec, self.id = rig, spec, spec.get('id', f'p{number}')
        self.kind_name = spec.get('kind', 'heart_rate')
        self.kind = KINDS[self.kind_name]
        self.script, self.name = list(spec.get('script', self.kind.script)), spec.get('name', f'RIG {self.id}')
        security = spec.get('security', 'none')
        self.passkey = int(security[8:]) if security.startswith('passkey:') else None
        self.secure = {'none': A.Permissions(0), 'just_works': A.WRITE_REQUIRES_ENCRYPTION}.get(
            security, A.WRITE_REQUIRES_AUTHENTICATION)
        self.sent, self.player, self.connection, self.on_air = 0, None, None, False
        self.result: dict[str, Any] | None = None
        self.is_eager, self.delivery = False, None
        self.battery = spec.get('battery', 90)
        self.make_device(hci.Address(spec.get('address', f'C0:00:00:00:01:{number:02X}')))
        self.make_services()
        self.make_adverts()

    # ---- identity and services ---------------------------------------------------------

    def make_device(self, address):
        """`address`: the identity address; with `private` the device shows resolvable private addresses."""
        self.private = self.spec.get('private', False)
        self.controller = air.LegacyOnlyController(
            self.id, link=self.rig.air, public_address=address if address.is_public else None)
        self.controller.rssi = self.spec.get('rssi', -55)
        shows_public = address.is_public and not self.private
        self.own_type = hci.OwnAddressType.PUBLIC if shows_public else hci.OwnAddressType.RANDOM
        config = DeviceConfiguration(
            name=self.name, address=address, le_privacy_enabled=self.private, le_rpa_timeout=0,
            # Bytes that differ between devices and are the same in each run.
            irk=hashlib.sha256(str(address).encode()).digest()[:16])
        self.device = Device(config=config, host=Host(self.controller, AsyncPipeSink(self.controller)))
        self.device.keystore = MemoryKeyStore()
        self.device.smp_session_proxy = Security
        kind_of_identity = PairingConfig.AddressType
        self.device.pairing_config_factory = lambda _connection: PairingConfig(
            sc=self.spec.get('sc', True), mitm=self.passkey is not None, bonding=True,
            delegate=Delegate(self),
            identity_address_type=kind_of_identity.PUBLIC if address.is_public else kind_of_identity.RANDOM)
        self.device.on('connection', self.connected)

    def make_services(self):
        def readable(uuid, value):
            return gatt.Characteristic(uuid, P.READ, A.READABLE, value)
        part = self.kind.part(self, self.secure) if self.kind.part else None
        main = list(part.characteristics) if part else []
        self.measurement = None
        if self.kind.measurement:
            push = P.INDICATE if self.kind.indicates else P.NOTIFY
            self.measurement = gatt.Characteristic(self.kind.measurement, push, A.Permissions(0), b'')
            main.insert(0, self.measurement)
        main += [readable(uuid, value) for uuid, value in self.kind.features.items()]
        self.battery_level = gatt.Characteristic(
            '2A19', P.READ | P.NOTIFY, A.READABLE,
            gatt.CharacteristicValue(read=lambda _connection: bytes([self.battery])))
        services = [
            gatt.Service(self.kind.service, main),
            gatt.Service('180F', [self.battery_level]),
            gatt.Service('180A', [
                readable('2A29', b'Rig Instruments'), readable('2A24', b'RIG-' + self.kind_name.encode()),
                readable('2A25', self.id.encode()), readable('2A26', b'1.0.0')])]
        if self.spec.get('current_time'):
            services.append(CurrentTime(self, self.secure).service)
        self.device.add_services(services)
        self.watch_subscriptions(main + [self.battery_level])

    def watch_subscriptions(self, characteristics):
        for one in characteristics:
            if not one.properties & (P.NOTIFY | P.INDICATE):
                continue
            one.on(one.EVENT_SUBSCRIPTION, lambda *event, one=one: self.subscribed(one, *event))
            if one is not self.battery_level:
                # Its client characteristic configuration is the attribute behind it.
                attributes = self.device.gatt_server.attributes
                attributes[attributes.index(one) + 1].permissions |= self.secure

    def make_adverts(self):
        self.device.advertising_data = bytes(AdvertisingData([
            (AdvertisingData.FLAGS, b'\x06'),
            (AdvertisingData.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS,
             bytes.fromhex(self.kind.service)[::-1]),
            (AdvertisingData.APPEARANCE, self.kind.appearance.to_bytes(2, 'little'))]))
        self.device.scan_response_data = bytes(AdvertisingData([
            (AdvertisingData.COMPLETE_LOCAL_NAME, self.name.encode()[:29])]))

    # ---- events of the link ------------------------------------------------------------

    def event(self, what, **more):
        self.rig.event(what, id=self.id, **more)

    async def start(self):
        await self.device.power_on()
        await self.advertise(self.spec.get('advertise', True))

    async def advertise(self, on):
        """`on`: advertises while it is not connected."""
        self.on_air, interval = on, self.spec.get('adv_ms', 100)
        if not on:
            await self.device.stop_advertising()
        elif not self.connection:
            await self.device.start_advertising(
                own_address_type=self.own_type,
                advertising_interval_min=interval, advertising_interval_max=interval)

    def connected(self, connection):
        self.connection = connection
        self.event('connected', peer=str(connection.peer_address))
        connection.on('disconnection', self.disconnected)
        connection.on('pairing', lambda keys: self.event('paired', secure_connections=keys.ltk is not None))
        connection.on('pairing_failure', lambda reason: self.event('pairing_failed', reason=int(reason)))
        connection.on('connection_encryption_change', lambda: self.encrypted(connection))
        if self.is_eager and not self.secure:
            self.deliver(connection)

    def encrypted(self, connection):
        self.event(
            'encryption', on=bool(connection.encryption), authenticated=bool(connection.authenticated))
        if self.is_eager and connection.encryption:
            self.deliver(connection)

    def disconnected(self, reason):
        self.connection = None
        for task in (self.player, self.delivery):
            if task:
                task.cancel()
        self.player = self.delivery = None
        self.event('disconnected', reason=int(reason))
        if self.on_air:
            asyncio.ensure_future(self.advertise(True))

    def subscribed(self, characteristic, connection, notify, indicate, *_):
        on = notify or indicate
        self.event(
            'subscribed' if on else 'unsubscribed', char=characteristic.uuid.to_hex_str()[-4:].lower())
        if characteristic is self.measurement and on:
            self.deliver(connection)
            if not self.player and self.script:
                self.player = asyncio.create_task(self.play())

    def is_subscribed(self, characteristic):
        """Returns true when a value that is sent now reaches a subscriber: the link is up."""
        if any(link.lost for link in self.controller.le_connections.values()):
            return False
        return any(any(configured.get(characteristic.handle, b''))
                   for configured in self.device.gatt_server.subscribers.values())

    # ---- values ------------------------------------------------------------------------

    async def play(self):
        every, first = self.spec.get('every_ms', 1000) / 1000, True
        due = asyncio.get_running_loop().time()
        while first or self.spec.get('loop', True):
            first = False
            for value in self.script:
                await self.send(value)
                due += every
                await asyncio.sleep(due - asyncio.get_running_loop().time())

    async def send(self, value):
        """Sends a value. Reports the value, the instant and the presence of a subscriber, and returns the same."""
        data = bytes.fromhex(value['hex']) if 'hex' in value else self.kind.encode(value)
        sent = {'value': value, 'hex': data.hex(), 'heard': self.is_subscribed(self.measurement),
                'boot_ns': boot_ns()}
        self.sent += 1
        self.event('sent', **sent)
        await self.push(self.measurement, data)
        return sent

    async def push(self, characteristic, data):
        indicates = characteristic.properties & P.INDICATE
        push = self.device.indicate_subscribers if indicates else self.device.notify_subscribers
        await push(characteristic, data)

    async def measure(self, value, is_eager):
        """Measures as a cuff does. Advertises, indicates the result on the link, and deletes it once it is confirmed.

        `is_eager`: indicates as soon as the link may carry it, as a bonded device does that has kept its subscription.
        Otherwise at the subscription.
        """
        self.result, self.is_eager = value, is_eager
        await self.advertise(True)

    def deliver(self, connection):
        if self.result is not None and not self.delivery:
            self.delivery = asyncio.create_task(self.give(connection))

    async def give(self, connection):
        assert self.result is not None
        value = self.result
        data = self.kind.encode(value)
        self.sent += 1
        self.event('sent', value=value, hex=data.hex(), heard=True)
        await self.device.indicate_subscriber(connection, self.measurement, data, force=True)
        self.result, self.on_air = None, False
        self.event('confirmed', value=value)
        # As long as cuffs stay for another result. bluetoothd 5.66 may crash where a link ends as it comes up.
        await asyncio.sleep(1)
        self.delivery = None   # the end of the link does not cancel its own cause
        await connection.disconnect()

    async def rotate(self):
        """Sets a new resolvable private address, as phones and watches do every 15 minutes."""
        on_air = self.on_air
        await self.device.stop_advertising()
        address = hci.Address.generate_private_address(self.device.irk)
        await self.device.send_sync_command(hci.HCI_LE_Set_Random_Address_Command(random_address=address))
        self.device.random_address = address
        await self.advertise(on_air)
        return str(address)
