"""A virtual BLE radio: a controller for the kernel (/dev/vhci), virtual peripherals and plain beacons.

The peripherals are bumble hosts on emulated controllers. bumble's Controller and LocalLink are meant for tests between
bumble hosts. These changes make the Linux host stack see a plausible controller:
  * ACL source address is the connection's own address (the kernel connects with a public one)
  * /dev/vhci wants one write() per HCI packet (a stream transport would merge packets)
  * legacy advertising in units of 0.625 ms, with PDU type, scan responses, RSSI
  * passive/active scan, duplicate filter, filter accept list, connect cancel, RSSI reads
  * disconnect reasons as a controller gives them, link loss after the supervision timeout
  * nothing crosses the air at once: data, LL control and acknowledgements take `latency`.
    (With a latency of zero, bluetoothd sees "L2CAP connected" and "device connected" in one poll(), handles
    them in the wrong order, and never sets Connected. No real radio is that fast.)
"""
import asyncio
import collections
import dataclasses
import errno
import logging
import os
import random
from typing import Any

from bumble import hci, ll
from bumble.controller import Connection, Controller, LegacyAdvertiser
from bumble.link import LocalLink

log = logging.getLogger('air')
OK = hci.HCI_ErrorCode.SUCCESS
AdvType = hci.HCI_LE_Set_Advertising_Parameters_Command.AdvertisingType
ADV_IND, ADV_DIRECT_IND, ADV_SCAN_IND, ADV_NONCONN_IND, SCAN_RSP = range(5)


@dataclasses.dataclass
class Advert(ll.AdvInd):
    """One legacy advertising event on the air."""
    kind: int = ADV_IND
    scan_rsp: bytes = b''
    rssi: int = -50


class Air(LocalLink):
    """The shared medium."""

    def __init__(self, latency=0.0075):                # the shortest connection interval
        super().__init__()
        self.adverts = self.acl_packets = 0
        self.latency, self.timer = latency, None
        self.flying: collections.deque[Any] = collections.deque()

    def later(self, function, *args):
        """first in, first out (call_later alone may swap calls that are due together)"""
        loop = asyncio.get_running_loop()
        self.flying.append((loop.time() + self.latency, function, args))
        if not self.timer:
            self.timer = loop.call_later(self.latency, self.land)

    def land(self):
        loop = asyncio.get_running_loop()
        self.timer = None
        while self.flying and self.flying[0][0] <= loop.time():
            _, function, args = self.flying.popleft()
            try:
                function(*args)
            except Exception:
                log.exception('in the air')
        if self.flying:
            self.timer = loop.call_at(self.flying[0][0], self.land)

    def send_acl_data(self, sender_controller, destination_address, transport, data):
        conn = sender_controller.le_connections.get(destination_address)
        peer = self.find_le_controller(destination_address)
        if conn is None or peer is None or conn.lost:
            return
        self.acl_packets += 1
        self.later(peer.on_link_acl_data, conn.self_address, transport, data)

    def send_advertising_pdu(self, sender_controller, packet):
        if not isinstance(packet, Advert):
            return super().send_advertising_pdu(sender_controller, packet)
        self.adverts += 1
        for c in self.controllers:                     # wake only those that listen
            if c is not sender_controller and (c.le_scan_enable or c.pending_le_connection):
                asyncio.get_running_loop().call_soon(c.on_ll_advertising_pdu, packet)
        return None

    def send_ll_control_pdu(self, sender_address, receiver_address, packet):
        if receiver := self.find_le_controller(receiver_address):
            self.later(receiver.on_ll_control_pdu, sender_address, packet)


class LegacyOnlyController(Controller):
    """A Bluetooth 5 controller without extended advertising (like most USB dongles in the
    field): bluetoothd's scans and raw libbluetooth scans use the same legacy commands."""
    rssi = -50
    le_acl_data_packet_length = acl_data_packet_length = 251
    total_num_le_acl_data_packets = total_num_acl_data_packets = 16
    supported_max_tx_octets = supported_max_rx_octets = 251
    manufacturer_company_identifier = 0x05F1          # Linux Foundation, as btvirt uses
    le_features = Controller.le_features & ~(          # LL_PRIVACY: Linux would then wait for
        hci.LeFeatureMask.LE_EXTENDED_ADVERTISING      # the enhanced connection complete event
        | hci.LeFeatureMask.LE_PERIODIC_ADVERTISING | hci.LeFeatureMask.LL_PRIVACY)

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.le_legacy_advertiser = Advertiser(self)
        self.accept_list, self.seen, self.scan_reports, self.refusals = set(), set(), 0, 0

    # -- connections ---------------------------------------------------------------
    def on_le_disconnected(self, connection, reason):
        if self.le_connections.get(connection.peer_address) is connection:
            super().on_le_disconnected(connection, reason)

    def on_hci_disconnect_command(self, command):
        self._send_hci_command_status(0, command.op_code)
        if conn := self.find_le_connection_by_handle(command.connection_handle):
            conn.send_ll_control_pdu(ll.TerminateInd(command.reason))
            self.link.later(self.on_le_disconnected, conn,
                            hci.HCI_ErrorCode.CONNECTION_TERMINATED_BY_LOCAL_HOST_ERROR)

    def lose_links(self, delay=0.5):
        """Moves the device out of range: no packet passes any more, then both ends time out."""
        def expire(controller, conn):
            controller.on_le_disconnected(conn, hci.HCI_ErrorCode.CONNECTION_TIMEOUT_ERROR)
        for conn in list(self.le_connections.values()):
            for ctl in (self, self.link.find_le_controller(conn.peer_address)):
                for c in list(ctl.le_connections.values()) if ctl else []:
                    if {c.self_address, c.peer_address} == {conn.self_address, conn.peer_address}:
                        c.lost = True
                        asyncio.get_running_loop().call_later(delay, expire, ctl, c)

    def lose_power(self):
        """Drops all links at once; the peers notice after their supervision timeouts."""
        self.lose_links()
        self.le_connections.clear()
        self.le_scan_enable, self.pending_le_connection = False, None
        self.accept_list.clear()

    # -- scanning ------------------------------------------------------------------
    def on_hci_reset_command(self, command):
        self.le_scan_enable, self.pending_le_connection = False, None
        self.accept_list.clear()
        self.le_legacy_advertiser.stop()
        for conn in list(self.le_connections.values()):
            conn.send_ll_control_pdu(ll.TerminateInd(0x15))
        self.le_connections.clear()
        return super().on_hci_reset_command(command)

    def on_hci_le_set_scan_parameters_command(self, command):
        if self.refusals:
            self.refusals -= 1
            return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.COMMAND_DISALLOWED_ERROR)
        return super().on_hci_le_set_scan_parameters_command(command)

    def on_hci_le_set_scan_enable_command(self, command):
        self.seen.clear()
        return super().on_hci_le_set_scan_enable_command(command)

    def on_hci_le_clear_filter_accept_list_command(self, command):
        self.accept_list.clear()
        return hci.HCI_StatusReturnParameters(OK)

    def on_hci_le_add_device_to_filter_accept_list_command(self, command):
        if len(self.accept_list) >= self.filter_accept_list_size:
            return hci.HCI_StatusReturnParameters(
                hci.HCI_ErrorCode.MEMORY_CAPACITY_EXCEEDED_ERROR)
        self.accept_list.add((int(command.address_type), bytes(command.address)))
        return hci.HCI_StatusReturnParameters(OK)

    def on_hci_le_remove_device_from_filter_accept_list_command(self, command):
        self.accept_list.discard((int(command.address_type), bytes(command.address)))
        return hci.HCI_StatusReturnParameters(OK)

    def on_advertising_pdu(self, pdu):
        if not isinstance(pdu, Advert):
            return
        address = pdu.advertiser_address
        key = (int(address.address_type), bytes(address))
        if self.le_scan_enable and not (
                self.le_scanning_filter_policy & 1 and key not in self.accept_list):
            self.report(pdu, pdu.kind, pdu.data)
            if self.le_scan_type == 1 and pdu.kind in (ADV_IND, ADV_SCAN_IND):
                self.report(pdu, SCAN_RSP, pdu.scan_rsp)
        pending = self.pending_le_connection
        if pending and pdu.kind == ADV_IND and address not in self.le_connections and (
                key in self.accept_list if pending.initiator_filter_policy
                else pending.peer_address == address):
            pending.peer_address = address
            self.create_le_connection(address)

    def report(self, pdu, kind, data):
        key = (kind, pdu.advertiser_address, pdu.data)
        if self.filter_duplicates:
            if key in self.seen:
                return
            self.seen.add(key)
        self.scan_reports += 1
        self.send_hci_packet(hci.HCI_LE_Advertising_Report_Event([
            hci.HCI_LE_Advertising_Report_Event.Report(
                event_type=kind, address_type=int(pdu.advertiser_address.address_type),
                address=pdu.advertiser_address, data=data, rssi=pdu.rssi)]))

    def on_hci_le_create_connection_cancel_command(self, _command):
        pending, self.pending_le_connection = self.pending_le_connection, None
        if not pending:
            return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.COMMAND_DISALLOWED_ERROR)
        asyncio.get_running_loop().call_soon(lambda: self.send_hci_packet(
            hci.HCI_LE_Connection_Complete_Event(
                status=hci.HCI_ErrorCode.UNKNOWN_CONNECTION_IDENTIFIER_ERROR,
                connection_handle=0, role=0, peer_address_type=0,
                peer_address=hci.Address.ANY, connection_interval=0, peripheral_latency=0,
                supervision_timeout=0, central_clock_accuracy=0)))
        return hci.HCI_StatusReturnParameters(OK)

    # -- small commands that bumble's emulation lacks --------------------------------
    def on_hci_read_rssi_command(self, command):
        return hci.HCI_Read_RSSI_ReturnParameters(OK, command.handle, self.rssi)

    def on_hci_le_set_data_length_command(self, command):
        return hci.HCI_StatusAndConnectionHandleReturnParameters(
            OK, command.connection_handle)


class Advertiser(LegacyAdvertiser):
    def _on_timer_fired(self):
        self.send_advertising_data()
        self.timer_handle = asyncio.get_running_loop().call_later(   # + advDelay 0..10 ms
            self.advertising_interval_min * 0.000625 + random.random() * 0.01,
            self._on_timer_fired)

    def send_advertising_data(self):
        kind = {AdvType.ADV_IND: ADV_IND, AdvType.ADV_SCAN_IND: ADV_SCAN_IND,
                AdvType.ADV_NONCONN_IND: ADV_NONCONN_IND}.get(self.advertising_type)
        if self.enabled and kind is not None:
            self.controller.send_advertising_pdu(Advert(
                self.address, self.advertising_data, kind, self.scan_response_data,
                self.controller.rssi + random.randint(-3, 3)))


class Beacons:
    """`count` advertisers, each only an address and data: no controller, no host."""

    def __init__(self, air, count, interval_ms=100.0, make_data=None, kind=ADV_NONCONN_IND):
        self.air, self.kind, self.interval = air, kind, interval_ms / 1000
        self.make_data = make_data or (lambda i: bytes([2, 1, 4, 11, 0xFF, 0xF1, 5])
                                       + i.to_bytes(4, 'little') + b'bcn\0')
        self.addresses = [hci.Address((0xC0BEAC000000 + i).to_bytes(6, 'little'),
                                      hci.Address.RANDOM_DEVICE_ADDRESS) for i in range(count)]
        self.sent, self.task = 0, asyncio.get_running_loop().create_task(self.run())

    async def run(self):
        loop, n = asyncio.get_running_loop(), len(self.addresses)
        start, due = loop.time(), 0
        while n:
            due = int((loop.time() - start) / self.interval * n)
            while self.sent < due:
                i = self.sent % n
                self.air.send_advertising_pdu(None, Advert(
                    self.addresses[i], self.make_data(i), self.kind, b'', -60 - i % 30))
                self.sent += 1
                if self.sent % 64 == 0:
                    await asyncio.sleep(0)
            await asyncio.sleep(min(0.005, self.interval / n))


UNPLUGGED = -1   # in place of a file descriptor


class VhciHost:
    """The kernel, seen as the host of a controller: packets of /dev/vhci."""

    def __init__(self, controller, path='/dev/vhci'):
        self.controller, self.path = controller, path
        self.fd: int = UNPLUGGED
        self.index: int | None = None
        self.rx = self.tx = 0
        controller.host = self

    def plug(self):
        self.fd = os.open(self.path, os.O_RDWR | os.O_NONBLOCK)
        os.write(self.fd, b'\xff\x00')                 # create a primary controller now
        asyncio.get_running_loop().add_reader(self.fd, self.readable)

    def unplug(self):
        """Unplugs the adapter: the kernel gets no event of its links, and the air drops it."""
        self.controller.lose_power()
        asyncio.get_running_loop().remove_reader(self.fd)
        os.close(self.fd)
        self.fd = UNPLUGGED

    def readable(self):
        for _ in range(64):
            try:
                packet = os.read(self.fd, 4096)
            except BlockingIOError:
                return
            if packet[:1] == b'\xff':
                self.index = int.from_bytes(packet[2:4], 'little')
                log.info('kernel made hci%d', self.index)
            elif packet:
                self.rx += 1
                self.controller.on_packet(packet)

    def on_packet(self, packet):
        if self.fd == UNPLUGGED:
            return
        self.tx += 1
        try:
            os.write(self.fd, packet)                  # exactly one packet a write
        except OSError as error:
            log.error('vhci write: %s', errno.errorcode.get(error.errno or 0, error))


def acknowledge_later(self, packet):
    self.assembler.feed_packet(packet)
    self.link.later(self.controller.send_hci_packet, hci.HCI_Number_Of_Completed_Packets_Event(
        connection_handles=[self.handle], num_completed_packets=[1]))


Connection.lost = False
Connection.on_hci_acl_data_packet = acknowledge_later
