"""The house of scenarios with wearables that only advertise."""

from workbench import gateway_settings as settings
from workbench.ble.scenarios.guest_house import DIRECTORY, GATEWAY_PROGRAM, GuestHouse

# The capability that the systemd unit grants; root in the guest has all.
NET_RAW, NO_RIGHT = '-all,+net_raw', '-all'
BINDKEY = '231d39c1d7cc1ab1aee224cd096db932'


def button(number, **more):
    """Returns a BTHome button that sends nothing until it is pressed."""
    return {'id': f'button-{number}', 'address': f'C0:00:00:00:02:{number:02X}', 'person': 'person-1', **more}


class AdvertHouse(GuestHouse):
    """`buttons`: BTHome advertisers as in bthome.py, each with its `person`; None for a stranger's.

    `signals`: its events with their meanings; without it a press calls for help.
    """

    def __init__(self, wearables, report, buttons, beacons=None):
        super().__init__(wearables, report)
        self.buttons, self.rights = buttons, NET_RAW
        self.stack.config['bthome'] = [{k: v for k, v in b.items() if k not in ('person', 'signals')} for b in buttons]
        if beacons:
            self.stack.config['beacons'] = beacons

    def persons(self):
        worn = [one['person'] for one in self.buttons if one['person'] is not None]
        return list(dict.fromkeys(super().persons() + worn))

    def settings_text(self):
        text = super().settings_text()
        for one in self.buttons:
            if one['person'] is None:
                continue
            keys = {'heard_by': 'advertising'}
            if 'bindkey' in one:
                file = DIRECTORY / f'{one["id"]}.key'
                file.write_text(one['bindkey'], encoding='utf-8')
                file.chmod(0o600)
                keys['key_file'] = str(file)
            signals = one.get('signals', {'button': 'sos-button'})
            text += settings.wearable(one['id'], one['address'], one['person'], signals, **keys)
        return text

    async def child(self, *command, **more):
        """Starts the gateway with the capabilities of `self.rights` only, as under its unit."""
        if command[:2] == (GATEWAY_PROGRAM, 'run'):
            command = ('setpriv', f'--bounding-set={self.rights}', *command)
        return await super().child(*command, **more)

    async def press(self, button, objects=None, repeats=6):
        return await self.stack.air('bthome', id=button, objects=objects or {'button': 'press'}, repeats=repeats)

    async def listens(self, words, since=0):
        """Waits for a log line that begins with `words`, by which the gateway names its source of adverts."""
        await self.until(
            lambda: any(f'message="{words}' in line for line in self.log[since:]), f'the gateway says: {words}')

    def alarms(self, since=0):
        return [e for e in self.feed[since:] if e['event'] == 'alarm' and e.get('repetition') == 0]

    def calls(self, since=0):
        return [m for m in self.broker[since:] if m['topic'] == 'trackme/v1/house/sos/person-1']

    async def call_and_accept(self, since, **expected):
        """Waits for an alarm and its call, and accepts the call: the next press is then a new alarm."""
        alarm = (await self.until(lambda: self.alarms(since[1]), 'an alarm'))[0]
        assert {k: alarm.get(k) for k in expected} == expected, alarm
        call = (await self.until(lambda: self.calls(since[2]), 'a call on the broker'))[0]
        assert (call['state'], call['alarm']) == ('confirmed', alarm['alarm']), call
        await self.publish(
            'trackme/v1/house/sos/person-1/accepted', {'alarm': alarm['alarm'], 'by': 'the rig'})
        await self.until(
            lambda: any(e['event'] == 'accepted' for e in self.feed[since[1]:]), 'the acceptance')
        return alarm, call
