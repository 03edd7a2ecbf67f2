"""Virtual BLE wearables behind a virtual controller of the kernel.

    python3 -m workbench.ble.peripherals --config FILE.json [--control SOCKET] [--ready FILE] [-v]

FILE.json: {"adapters": [{"address": "00:1B:DC:07:31:01", "accept_list": 16}], "latency_ms": 7.5,
            "peripherals": [{"id": "hr1", "kind": "heart_rate", ...}, ...],
            "bthome": [{"id": "button", "address": "C0:..", ...}],
            "beacons": {"count": 50, "interval_ms": 100}}
A peripheral: id, kind (a key of kinds.py), name, address ("C0:.." random static, "../P" public),
  private (bool: advertises resolvable private addresses), rssi, adv_ms, battery, advertise (true),
  security ("none" | "just_works" | "passkey:123456": required for a subscription), sc (true: LE Secure
  Connections), current_time (bool: a clock to be set, 2A2B), script: list of values, every_ms, loop
  (true); for a glucose_meter records: list of values, record_every_ms.
A value: the argument of the kind's function in values.py, or {"hex": "..."} for raw bytes.
A BTHome advertiser: id, address, name, rssi, bindkey, every_ms and objects (bthome.py).

Standard output reports the events of the peripherals, one JSON object a line, with CLOCK_BOOTTIME as boot_ns.
The control socket takes one JSON object a line, see Rig.op_*; the answer is one JSON line.
"""
import argparse
import asyncio
import json
import logging
import sys

from bumble import hci

from workbench.ble import air, bthome
from workbench.ble.peripheral import Peripheral
from workbench.ble.runners import Runners
from workbench.clock import boot_ns


class Rig:
    def __init__(self, config):
        self.air = air.Air(config.get('latency_ms', 7.5) / 1000)
        self.beacons, self.kernel = [], []
        for n, spec in enumerate(config.get('adapters', [{}])):       # hci0, hci1, ...
            adapter = air.LegacyOnlyController(
                f'hci{n}', link=self.air, public_address=hci.Address(
                    spec.get('address', f'00:1B:DC:07:31:{n + 1:02X}') + '/P'))
            adapter.filter_accept_list_size = spec.get('accept_list', 16)
            self.kernel.append(air.VhciHost(adapter))
            self.kernel[-1].plug()
        made = [Peripheral(self, n + 1, spec) for n, spec in enumerate(config.get('peripherals', []))]
        self.peripherals = {p.id: p for p in made}
        self.advertisers = {spec['id']: bthome.Advertiser(self, spec) for spec in config.get('bthome', [])}
        self.config, self.done = config, asyncio.Event()

    def event(self, what, **more):
        print(json.dumps({'event': what, 'boot_ns': boot_ns(), **more}), flush=True)

    async def start(self):
        for p in self.peripherals.values():
            await p.start()
        if beacons := self.config.get('beacons'):
            await self.op_beacons(**beacons)

    # ---- control operations: {"op": NAME, ...} ---------------------------------------

    async def op_send(self, id, value):
        return await self.peripherals[id].send(value)

    async def op_measure(self, id, value, is_eager=False):
        """Takes one measurement, for a device that indicates. The event `confirmed` marks its end."""
        await self.peripherals[id].measure(value, is_eager)

    async def op_script(self, id, script, every_ms=1000, loop=True):
        """Plays values from the next subscription on, or at once for a present subscriber."""
        p = self.peripherals[id]
        if p.player:
            p.player.cancel()
            p.player = None
        p.script = script
        p.spec.update(every_ms=every_ms, loop=loop)
        if script and p.is_subscribed(p.measurement):
            p.player = asyncio.create_task(p.play())

    async def op_advertise(self, id, on):
        await self.peripherals[id].advertise(on)

    async def op_disconnect(self, id):
        if connection := self.peripherals[id].connection:
            await connection.disconnect()

    async def op_vanish(self, id, timeout_ms=500):
        """Moves the wearable out of range: both ends notice after the supervision timeout."""
        p = self.peripherals[id]
        p.controller.lose_links(timeout_ms / 1000)
        await p.advertise(False)

    async def op_return(self, id):
        await self.peripherals[id].advertise(True)

    async def op_rotate(self, id):
        return await self.peripherals[id].rotate()

    async def op_battery(self, id, level):
        p = self.peripherals[id]
        p.battery = level
        await p.push(p.battery_level, bytes([level]))

    async def op_rssi(self, id, dbm):
        self.peripherals[id].controller.rssi = dbm

    async def op_forget(self, id):
        """Deletes the bonds of the wearable, as a factory reset does."""
        await self.peripherals[id].device.keystore.delete_all()

    async def op_bthome(self, id, objects, repeats=6):
        return await self.advertisers[id].send(objects, repeats)

    async def op_bthome_every(self, id, every_ms):
        self.advertisers[id].repeat(every_ms)

    async def op_unplug(self, adapter=0):
        self.kernel[adapter].unplug()

    async def op_plug(self, adapter=0):
        self.kernel[adapter].plug()

    async def op_refuse_scans(self, times, adapter=0):
        """Refuses the next scans, as during the start of another scan. Returns the number of refusals left over."""
        controller = self.kernel[adapter].controller
        left, controller.refusals = controller.refusals, times
        return left

    async def op_beacons(self, count, interval_ms=100, connectable=False):
        for b in self.beacons:
            b.task.cancel()
        self.beacons = [air.Beacons(
            self.air, count, interval_ms, kind=air.ADV_IND if connectable else air.ADV_NONCONN_IND)]

    async def op_race(self, path, tags, at_ns):
        """Plays a race once. The event `race_over` marks its end."""
        self.runners = Runners(self, path, tags, at_ns)
        return {'adverts': len(self.runners.heard)}

    async def op_stats(self):
        return {'adapters': [{'hci': k.index, 'to_kernel': k.tx, 'from_kernel': k.rx,
                              'scan_reports': k.controller.scan_reports} for k in self.kernel],
                'adverts': self.air.adverts, 'acl': self.air.acl_packets,
                'peripherals': {p.id: {'kind': p.kind_name, 'connected': bool(p.connection), 'sent': p.sent}
                                for p in self.peripherals.values()}}

    async def op_quit(self):
        self.done.set()

    async def serve(self, reader, writer):
        while line := await reader.readline():
            try:
                request = json.loads(line)
                result = await getattr(self, 'op_' + request.pop('op'))(**request)
                answer = {'ok': True, 'result': result}
            except Exception as error:
                answer = {'ok': False, 'error': f'{type(error).__name__}: {error}'}
            writer.write(json.dumps(answer).encode() + b'\n')
        writer.close()


async def main():
    parser = argparse.ArgumentParser(
        prog='python3 -m workbench.ble.peripherals', description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--config', required=True)
    parser.add_argument('--control', default='/run/air.sock')
    parser.add_argument('--ready', help='file made once every peripheral is up')
    parser.add_argument('-v', action='store_true')
    args = parser.parse_args()
    logging.basicConfig(level=logging.DEBUG if args.v else logging.WARNING, stream=sys.stderr)
    with open(args.config, encoding='utf-8') as file:
        rig = Rig(json.load(file))
    await rig.start()
    server = await asyncio.start_unix_server(rig.serve, args.control)
    rig.event('ready', peripherals=list(rig.peripherals))
    if args.ready:
        open(args.ready, 'w').close()
    await rig.done.wait()
    server.close()


if __name__ == '__main__':
    asyncio.run(main())
