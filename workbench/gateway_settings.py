"""The one writer of gateway.toml for demos, fixtures and the scenarios of the BLE rig.

Each function returns one section as text. A fixture joins the sections that it needs.
"""
import json
import pathlib
from typing import Any

LOW_BPM, HIGH_BPM = 40, 131
# Three readings at 1 Hz confirm within 2 s; 2 s + 2.5 s leave half a second of the promised 5 s.
CONFIRM_READINGS, CONFIRM_SECONDS, ABORT_WINDOW_SECONDS = 3, 2.0, 2.5


def section(header: str, **keys: Any) -> str:
    """Returns a section with its header. JSON and TOML write texts, numbers, booleans and lists alike."""
    return f'{header}\n' + ''.join(f'{key} = {json.dumps(value)}\n' for key, value in keys.items()) + '\n'


def house(
        id: str, directory: pathlib.Path, broker_port: int, unsigned_acceptances: bool = True, **sound: Any) -> str:
    """Returns the sections of the box, its address, and a broker on this machine.

    State directory and control socket are in `directory`. `unsigned_acceptances`: a call may be accepted without a
    signature. `sound`: keys of [house]; without any, the house is silent. A screen that cancels is declared.
    """
    return (
        section(
            '[gateway]', id=id, state_directory=str(directory / 'state'),
            control_socket=str(directory / 'control.sock'))
        + section('[installed]', address='Via Dante 7, 20123 Milano', latitude=45.4661, longitude=9.1860)
        + section(
            '[broker]', host='127.0.0.1', port=broker_port, tls=False, unsigned_acceptances=unsigned_acceptances)
        + section('[house]', screen=True, **(sound or {'sound': False})))


def consenting(id: str, name: str) -> str:
    """Returns the section of a person, with the data policy and automated calls for help accepted."""
    return section('[[person]]', id=id, name=name, data_policy='accepted', automated_sos='accepted')


def heart_rate(
        confirm_readings: int = CONFIRM_READINGS, confirm_within_seconds: float = CONFIRM_SECONDS) -> str:
    """Returns the heart rate rule of the person in the section before."""
    return section(
        '[person.sos.heart_rate]', low=LOW_BPM, high=HIGH_BPM, confirm_readings=confirm_readings,
        confirm_within_seconds=confirm_within_seconds)


def person(id: str, name: str, **sos: Any) -> str:
    """Returns the sections of a consenting person with the ordinary window. `sos`: more keys of [person.sos]."""
    return (
        consenting(id, name)
        + section('[person.sos]', abort_window_seconds=ABORT_WINDOW_SECONDS, **sos) + heart_rate())


def wearable(id: str, address: str, person: str, signals: dict[str, str] | None = None, **keys: Any) -> str:
    """Returns the sections of a wearable.

    `signals`: the meaning of each event, as {'button': 'sos-button'}. `keys`: more keys of [[wearable]].
    """
    text = section('[[wearable]]', id=id, address=address, person=person, **keys)
    return text + (section('[wearable.signals]', **signals) if signals else '')


def command_issuer(id: str, keys: pathlib.Path, **more: Any) -> str:
    """Returns the section of a service that signs commands or acceptances with a key of the JWK set `keys`."""
    return section('[[commands.issuers]]', id=id, keys=str(keys), **more)


def commands(keys: pathlib.Path, issuer: str = 'trackme', **more: Any) -> str:
    """Returns the sections for signed commands of one issuer, such as `may=['thresholds']` for other rights.

    The clock is assumed to be right: the kernel of a test machine is seldom synchronised, that of a house is.
    """
    return section('[commands]', clock='assumed-right') + command_issuer(issuer, keys, **more)
