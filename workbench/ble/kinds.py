"""The kinds of wearable that a config may name, with their services and values."""
import dataclasses
from collections.abc import Callable
from typing import Any

from workbench.ble import values
from workbench.ble.gatt_parts import AlertTarget, GlucoseRecords, OwnClock


def no_value(_value: dict[str, Any]) -> bytes:
    """The encoder of a kind without a measurement."""
    raise ValueError('a wearable of this kind sends no values')


@dataclasses.dataclass(frozen=True)
class Kind:
    """One row of the table below. UUIDs are the Bluetooth SIG's 16-bit numbers, in hex."""
    service: str
    appearance: int
    measurement: str | None = None
    indicates: bool = False
    encode: Callable[[dict[str, Any]], bytes] = no_value
    """Encoder of the measurement."""
    features: dict = dataclasses.field(default_factory=dict)
    """Characteristics to read: UUID to bytes."""
    script: tuple = ()
    """Sent over and over from the first subscription on, unless the config has its own."""
    part: type | None = None
    """More behaviour: a class of parts.py."""


JANUARY_MORNING = [2026, 1, 2, 7, 30, 0]

KINDS = {
    'heart_rate': Kind(
        '180D', 832, '2A37', False, values.heart_rate, {'2A38': b'\x01'},
        tuple({'bpm': b, 'rr_ms': [60_000 / b], 'contact': True} for b in (62, 63, 65, 64))),
    'blood_pressure': Kind(
        '1810', 896, '2A35', True, values.blood_pressure, {'2A49': b'\0\0'},
        ({'systolic': 121, 'diastolic': 79, 'map': 93, 'pulse': 66, 'time': JANUARY_MORNING},)),
    # A cuff of A&D: its clock is in its measuring service.
    'clocked_cuff': Kind('1810', 896, '2A35', True, values.blood_pressure, {'2A49': b'\0\0'}, (), OwnClock),
    'thermometer': Kind(
        '1809', 768, '2A1C', True, values.temperature, {'2A1D': b'\x02'},
        ({'celsius': 36.7, 'time': JANUARY_MORNING, 'type': 2},)),
    'pulse_oximeter': Kind(
        '1822', 3136, '2A5F', False, values.oximetry_continuous, {'2A60': b'\0\0'},
        tuple({'spo2': s, 'pulse': 66} for s in (98, 97, 98, 96))),
    # A fingertip oximeter that stores and sends one result after each measurement.
    'spot_check_oximeter': Kind(
        '1822', 3137, '2A5E', True, values.oximetry_spot_check, {'2A60': b'\0\0'},
        ({'spo2': 97, 'pulse': 68, 'time': JANUARY_MORNING},)),
    'weight_scale': Kind(
        '181D', 3200, '2A9D', True, values.weight, {'2A9E': b'\x07\0\0\0'},
        ({'kg': 71.25, 'time': JANUARY_MORNING, 'user': 1},)),
    # Sends only the records that a client requests at its record access control point.
    'glucose_meter': Kind('1808', 1024, '2A18', False, values.glucose, {'2A51': b'\0\0'}, (), GlucoseRecords),
    # A runner's watch with its position; 2A69 answers with the accuracy in centimetres (EHPE).
    'location_watch': Kind(
        '1819', 5186, '2A67', False, values.location_and_speed,
        {'2A6A': b'\x04\x00\x10\x00', '2A69': values.position_quality({'ehpe_cm': 400})}),
    # A cheap tag with a button, in a service of its maker.
    'tag': Kind('FFE0', 576, 'FFE1', False, values.button),
    # A band that speaks to the app of its maker alone.
    'mute_band': Kind('FEE0', 576),
    # A key fob or bracelet that rings when 2A06 is written.
    'alert_target': Kind('1802', 576, part=AlertTarget),
}
