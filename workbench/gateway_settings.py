"""The settings of a gateway in a house that is played: the demo's, and the scenarios' of the BLE rig.

Each function gives a section of gateway.toml as text; who writes the file puts together what it wants.
"""
import json

LOW_BPM, HIGH_BPM = 40, 131
# Three readings at 1 Hz confirm within 2 s; 2 s + 2.5 s leave half a second of the promised 5 s.
CONFIRM_READINGS, CONFIRM_SECONDS, ABORT_WINDOW_SECONDS = 3, 2.0, 2.5


def section(header, **keys):
    """Texts, numbers, and true or false are written alike in JSON and in TOML."""
    return f'{header}\n' + ''.join(f'{key} = {json.dumps(value)}\n' for key, value in keys.items()) + '\n'


def house(id, directory, broker_port, unsigned_acceptances=True, **sound):
    """The box, where it stands, and a broker on this machine. Its state and its socket lie in `directory`.

    `unsigned_acceptances`: whether a call is accepted without a signature, as most tests do.
    `sound`: keys of [house]; silent without any, for whoever sits beside the tests.
    """
    return (
        section(
            '[gateway]', id=id, state_directory=str(directory / 'state'),
            control_socket=str(directory / 'control.sock'))
        + section('[installed]', address='Via Dante 7, 20123 Milano', latitude=45.4661, longitude=9.1860)
        + section(
            '[broker]', host='127.0.0.1', port=broker_port, tls=False, unsigned_acceptances=unsigned_acceptances)
        + section('[house]', **(sound or {'sound': False})))


def person(id, name, **sos):
    """One who has accepted everything. `sos`: more keys of [person.sos]."""
    return (
        section('[[person]]', id=id, name=name, data_policy='accepted', automated_sos='accepted')
        + section('[person.sos]', abort_window_seconds=ABORT_WINDOW_SECONDS, **sos)
        + section(
            '[person.sos.heart_rate]', low=LOW_BPM, high=HIGH_BPM, confirm_readings=CONFIRM_READINGS,
            confirm_within_seconds=CONFIRM_SECONDS))


def wearable(id, address, person, **signals):
    """`signals`: what its events call for, as button='sos-button'."""
    text = section('[[wearable]]', id=id, address=address, person=person)
    return text + (section('[wearable.signals]', **signals) if signals else '')
