"""The kinds of peripheral as a table: services, characteristics, and how a value becomes bytes.

A new kind is a new row, plus an encoder where its measurement has a format of its own.
"""
import struct
from dataclasses import dataclass
from typing import Callable


@dataclass(frozen=True)
class CharacteristicRow:
    uuid: str   # assigned number, four hexadecimal digits in lower case
    flags: tuple[str, ...]   # GattCharacteristic1.Flags
    encode: Callable[[dict], bytes] | None = None
    initial: bytes = b''


@dataclass(frozen=True)
class ServiceRow:
    uuid: str
    characteristics: tuple[CharacteristicRow, ...]


@dataclass(frozen=True)
class Profile:
    appearance: int   # Assigned Numbers, 2.6.2
    measurement: str   # the characteristic that `send` means when it names none
    services: tuple[ServiceRow, ...]


def long_uuid(number):
    """An assigned number on the Bluetooth base UUID, as BlueZ writes it."""
    return f'0000{number}-0000-1000-8000-00805f9b34fb'


def heart_rate(value):
    """Heart Rate Measurement, 2A37 (Heart Rate Service 1.0, 3.1).

    bpm; contact: true, false, or absent where the sensor cannot tell; energy_kj; rr_ms: a list.
    """
    wide = value['bpm'] > 255
    contact, intervals = value.get('contact'), value.get('rr_ms', [])
    flags = (
        wide   # bit 0: the value has 16 bits
        | (0 if contact is None else 4 | 2 * bool(contact))   # bit 2: can tell; bit 1: touches
        | ('energy_kj' in value) << 3
        | bool(intervals) << 4)
    data = struct.pack('<BH' if wide else '<BB', flags, value['bpm'])
    if 'energy_kj' in value:
        data += struct.pack('<H', value['energy_kj'])
    # RR intervals count in 1/1024 s.
    return data + b''.join(struct.pack('<H', round(ms * 1.024)) for ms in intervals)


def battery_level(value):
    """Battery Level, 2A19: percent."""
    return bytes([value['percent']])


BATTERY = ServiceRow('180f', (
    CharacteristicRow('2a19', ('read', 'notify'), battery_level, initial=bytes([90])),))

PROFILES = {
    'heart_rate': Profile(
        appearance=832,   # generic heart rate sensor
        measurement='2a37',
        services=(
            ServiceRow('180d', (
                CharacteristicRow('2a37', ('notify',), heart_rate),
                CharacteristicRow('2a38', ('read',), initial=b'\x01'))),   # body location: chest
            BATTERY)),
}
