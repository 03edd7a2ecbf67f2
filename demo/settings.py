"""The gateway's settings for the demo: one house, one person, one strap."""
import json

GATEWAY = 'demo-house'
PERSON = 'maria'
STRAP = {'id': 'strap', 'kind': 'heart_rate', 'address': 'C0:FF:EE:00:00:01', 'name': 'Virtual Strap'}
LOW_BPM, HIGH_BPM = 40, 131
# Three readings at 1 Hz confirm within 2 s; 2 s + 2.5 s leave half a second of the promised 5 s.
CONFIRM_READINGS, CONFIRM_SECONDS, ABORT_WINDOW_SECONDS = 3, 2.0, 2.5

TEMPLATE = '''\
[gateway]
id = {gateway}
state_directory = {state}
control_socket = {socket}

[installed]
address = "Via Dante 7, 20123 Milano"
latitude = 45.4661
longitude = 9.1860

[bluetooth]
bus = {bus}

[gpsd]
port = {gpsd_port}

[broker]
host = "127.0.0.1"
port = {broker_port}
tls = false

[[person]]
id = {person}
name = "Maria Rossi"
data_policy = "accepted"
automated_sos = "accepted"

[person.sos]
abort_window_seconds = {abort_window}

[person.sos.heart_rate]
low = {low}
high = {high}
confirm_readings = {confirm_readings}
confirm_within_seconds = {confirm_seconds}

[[wearable]]
id = {strap}
address = {strap_address}
person = {person}
'''


def write_settings(directory, addresses):
    """Writes gateway.toml for the parts at `addresses` and returns its path."""
    state = directory / 'state'
    state.mkdir(mode=0o700)
    path = directory / 'gateway.toml'
    quoted = json.dumps   # a JSON string is a TOML basic string
    path.write_text(TEMPLATE.format(
        gateway=quoted(GATEWAY), state=quoted(str(state)), socket=quoted(str(directory / 'control.sock')),
        bus=quoted(addresses['bus']), gpsd_port=addresses['gpsd_port'],
        broker_port=addresses['broker_port'], person=quoted(PERSON), abort_window=ABORT_WINDOW_SECONDS,
        low=LOW_BPM, high=HIGH_BPM, confirm_readings=CONFIRM_READINGS, confirm_seconds=CONFIRM_SECONDS,
        strap=quoted(STRAP['id']), strap_address=quoted(STRAP['address'])), encoding='utf-8')
    return path
