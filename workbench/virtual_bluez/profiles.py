"""The kinds of peripheral as a table: services, characteristics, and how a value becomes bytes.

A new kind is a new row, plus an encoder where its measurement has a format of its own.
"""
import struct
from collections.abc import Callable
from dataclasses import dataclass


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
    measurement: str   # the default characteristic of `send`
    services: tuple[ServiceRow, ...]


def long_uuid(number):
    """An assigned number on the Bluetooth base UUID, as BlueZ writes it."""
    return f'0000{number}-0000-1000-8000-00805f9b34fb'


SPECIAL_SFLOATS = {'nan': 0x07FF, 'nres': 0x0800, '+inf': 0x07FE, '-inf': 0x0802}


def sfloat(value, exponent=0):
    """IEEE 11073 SFLOAT: value = mantissa * 10^exponent; a name of SPECIAL_SFLOATS, or None for NaN."""
    if value is None or isinstance(value, str):
        return struct.pack('<H', SPECIAL_SFLOATS[value or 'nan'])
    mantissa = round(value / 10 ** exponent)
    if not -2045 <= mantissa <= 2045:
        raise ValueError(f'{value} does not fit an SFLOAT with exponent {exponent}')
    return struct.pack('<H', (exponent & 0xF) << 12 | mantissa & 0xFFF)


def float32(value, exponent=-2):
    """IEEE 11073 FLOAT; None is NaN."""
    if value is None:
        return struct.pack('<I', 0x007FFFFF)
    return struct.pack('<I', (exponent & 0xFF) << 24 | round(value / 10 ** exponent) & 0xFFFFFF)


def date_time(fields):
    """Date Time: [year, month, day, hours, minutes, seconds]."""
    return struct.pack('<HBBBBB', *fields)


def optional(value, key, encode):
    return encode(value[key]) if key in value else b''


def beats_of(bpm):
    return [round(60_000 / bpm)] * 3 if 25 <= bpm <= 50 or 110 <= bpm <= 240 else []


def heart_rate(value):
    """Heart Rate Measurement, 2A37 (Heart Rate Service 1.0, 3.1).

    bpm; contact: true, false, or absent where the sensor cannot tell; energy_kj; rr_ms: a list. Without it, a rate
    far from rest comes with its beats, as of a heart that really beats so: the gateway doubts a jump without them.
    """
    wide = value['bpm'] > 255
    contact, intervals = value.get('contact'), value.get('rr_ms', beats_of(value['bpm']))
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


def blood_pressure(value):
    """Blood Pressure Measurement, 2A35 (Blood Pressure Service 1.1, 3.1).

    systolic, diastolic, map: mmHg, or kPa with "kpa": true; null is NaN. time; pulse; user; status.
    """
    exponent = -1 if value.get('kpa') else 0
    flags = (
        bool(value.get('kpa')) | ('time' in value) << 1 | ('pulse' in value) << 2 | ('user' in value) << 3
        | ('status' in value) << 4)
    pressures = (sfloat(value.get(key), exponent) for key in ('systolic', 'diastolic', 'map'))
    return (
        bytes([flags]) + b''.join(pressures) + optional(value, 'time', date_time)
        + optional(value, 'pulse', sfloat) + optional(value, 'user', lambda user: bytes([user]))
        + optional(value, 'status', lambda status: struct.pack('<H', status)))


def temperature(value):
    """Temperature Measurement, 2A1C. celsius or fahrenheit (null is NaN); time; site (1 to 9)."""
    flags = ('fahrenheit' in value) | ('time' in value) << 1 | ('site' in value) << 2
    return (
        bytes([flags]) + float32(value.get('fahrenheit', value.get('celsius')))
        + optional(value, 'time', date_time) + optional(value, 'site', lambda site: bytes([site])))


def oximeter_status(value):
    return (
        optional(value, 'status', lambda bits: struct.pack('<H', bits))
        + optional(value, 'sensor', lambda bits: struct.pack('<I', bits)[:3])
        + optional(value, 'amplitude', lambda percent: sfloat(percent, -1)))


def oximeter_continuous(value):
    """PLX Continuous Measurement, 2A5F. spo2, pulse (null is NaN); status, sensor (bits); amplitude."""
    flags = ('status' in value) << 2 | ('sensor' in value) << 3 | ('amplitude' in value) << 4
    return bytes([flags]) + sfloat(value['spo2']) + sfloat(value['pulse']) + oximeter_status(value)


def oximeter_spot(value):
    """PLX Spot-Check Measurement, 2A5E: as the continuous one, with time; clock_unset."""
    flags = (
        ('time' in value) | ('status' in value) << 1 | ('sensor' in value) << 2 | ('amplitude' in value) << 3
        | bool(value.get('clock_unset')) << 4)
    return (
        bytes([flags]) + sfloat(value['spo2']) + sfloat(value['pulse']) + optional(value, 'time', date_time)
        + oximeter_status(value))


def glucose(value):
    """Glucose Measurement, 2A18. sequence; time; offset_minutes; mg_dl or mmol_l; type, location; status."""
    measured = 'mg_dl' in value or 'mmol_l' in value
    flags = (
        ('offset_minutes' in value) | measured << 1 | ('mmol_l' in value) << 2 | ('status' in value) << 3)
    data = struct.pack('<BH', flags, value['sequence']) + date_time(value['time'])
    data += optional(value, 'offset_minutes', lambda minutes: struct.pack('<h', minutes))
    if 'mmol_l' in value:   # on the wire in mol/L
        data += sfloat(value['mmol_l'] / 1000, -4)
    elif 'mg_dl' in value:   # on the wire in kg/L
        data += sfloat(value['mg_dl'] / 100_000, -5)
    if measured:
        data += bytes([value.get('type', 1) | value.get('location', 1) << 4])
    return data + optional(value, 'status', lambda status: struct.pack('<H', status))


def weight(value):
    """Weight Measurement, 2A9D. kg or lb; time; user."""
    flags = ('lb' in value) | ('time' in value) << 1 | ('user' in value) << 2
    raw = round(value['lb'] * 100) if 'lb' in value else round(value['kg'] * 200)
    return (
        struct.pack('<BH', flags, raw) + optional(value, 'time', date_time)
        + optional(value, 'user', lambda user: bytes([user])))


def glucose_continuous(value):
    """CGM Measurement, 2AA7: one record. mg_dl; minutes since the session began."""
    return bytes([6, 0]) + sfloat(value['mg_dl']) + struct.pack('<H', value['minutes'])


def location(value):
    """Location and Speed, 2A67: latitude, longitude (degrees); status (0 none, 1 ok, 2 estimated, 3 last known)."""
    flags = 1 << 2 | value.get('status', 1) << 7
    return struct.pack('<Hii', flags, round(value['latitude'] * 1e7), round(value['longitude'] * 1e7))


def button(value):
    """The byte of characteristic 0xFFE1 of cheap tags."""
    return bytes([value.get('code', 1)])


def text(words):
    return words.encode()


def battery_level(value):
    """Battery Level, 2A19: percent."""
    return bytes([value['percent']])


BATTERY = ServiceRow('180f', (
    CharacteristicRow('2a19', ('read', 'notify'), battery_level, initial=bytes([90])),))

DEVICE_INFORMATION = ServiceRow('180a', (
    CharacteristicRow('2a29', ('read',), initial=text('Virtual Works')),
    CharacteristicRow('2a24', ('read',), initial=text('V-1')),
    CharacteristicRow('2a26', ('read',), initial=text('1.0.0'))))

# Its clock is years behind until a client sets it.
CURRENT_TIME = ServiceRow('1805', (
    CharacteristicRow(
        '2a2b', ('read', 'write', 'notify'), initial=date_time([2020, 1, 1, 0, 0, 0]) + b'\x03\0\0'),))

LINK_LOSS = ServiceRow('1803', (CharacteristicRow('2a06', ('read', 'write'), initial=b'\0'),))


def sleeper(appearance, measurement, *services):
    return Profile(appearance, measurement, (*services, CURRENT_TIME, BATTERY, DEVICE_INFORMATION))


PROFILES = {
    # Buttons, sensors and tags without connections.
    # Devices with nothing that a gateway reads.
    'keyboard': Profile(
        appearance=961,
        measurement='',
        services=(
            ServiceRow('1812', (CharacteristicRow('2a4d', ('read', 'notify')),)), BATTERY,
            DEVICE_INFORMATION)),
    'battery': Profile(appearance=0, measurement='', services=(BATTERY,)),
    'beacon': Profile(appearance=0, measurement='', services=()),
    'heart_rate': Profile(
        appearance=832,   # generic heart rate sensor
        measurement='2a37',
        services=(
            ServiceRow('180d', (
                CharacteristicRow('2a37', ('notify',), heart_rate),
                CharacteristicRow('2a38', ('read',), initial=b'\x01'))),   # body location: chest
            BATTERY)),
    'bracelet': Profile(
        appearance=832,
        measurement='2a37',
        services=(
            ServiceRow('180d', (CharacteristicRow('2a37', ('notify',), heart_rate),)),
            ServiceRow('1802', (CharacteristicRow('2a06', ('write-without-response',)),)),   # it buzzes
            BATTERY)),
    'blood_pressure': sleeper(
        896, '2a35',
        ServiceRow('1810', (
            CharacteristicRow('2a35', ('indicate',), blood_pressure),
            CharacteristicRow('2a49', ('read',), initial=b'\0\0')))),
    'thermometer': sleeper(
        768, '2a1c', ServiceRow('1809', (CharacteristicRow('2a1c', ('indicate',), temperature),))),
    'pulse_oximeter': Profile(
        appearance=3136,
        measurement='2a5f',
        services=(
            ServiceRow('1822', (
                CharacteristicRow('2a5e', ('indicate',), oximeter_spot),
                CharacteristicRow('2a5f', ('notify',), oximeter_continuous),
                CharacteristicRow('2a60', ('read',), initial=b'\0\0'))),
            BATTERY, DEVICE_INFORMATION)),
    'glucose': sleeper(
        1024, '2a18',
        ServiceRow('1808', (
            CharacteristicRow('2a18', ('notify',), glucose),
            CharacteristicRow('2a34', ('notify',)),
            CharacteristicRow('2a51', ('read',), initial=b'\0\0'),
            CharacteristicRow('2a52', ('write', 'indicate'))))),
    'glucose_sensor': Profile(
        appearance=1024,
        measurement='2aa7',
        services=(
            ServiceRow('181f', (
                CharacteristicRow('2aa7', ('notify',), glucose_continuous),
                CharacteristicRow('2aa8', ('read',), initial=b'\0\0\0\x59\xff\xff'),
                CharacteristicRow('2aaa', ('read',), initial=date_time([2026, 1, 1, 0, 0, 0]) + b'\0\0'))),
            BATTERY)),
    'weight_scale': sleeper(
        3200, '2a9d', ServiceRow('181d', (CharacteristicRow('2a9d', ('indicate',), weight),))),
    # A watch for runners: the pulse, and where it is, to within 4 m.
    'sports_watch': Profile(
        appearance=192,
        measurement='2a67',
        services=(
            ServiceRow('180d', (CharacteristicRow('2a37', ('notify',), heart_rate),)),
            ServiceRow('1819', (
                CharacteristicRow('2a67', ('notify',), location),
                CharacteristicRow('2a69', ('read',), initial=struct.pack('<HI', 1 << 3, 400)),
                CharacteristicRow('2a6a', ('read',), initial=struct.pack('<I', 1 << 2)))),
            BATTERY)),
    'tag': Profile(
        appearance=512,
        measurement='ffe1',
        services=(
            ServiceRow('1802', (CharacteristicRow('2a06', ('write-without-response',)),)),
            LINK_LOSS,
            ServiceRow('ffe0', (CharacteristicRow('ffe1', ('notify',), button),)),
            BATTERY)),
}
