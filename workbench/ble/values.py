"""Encoders from readable values (dicts) to the bytes of the GATT Specification Supplement.

Written from the specification: no code is shared with the gateway's decoders, which these encoders test. {"hex": "..."}
stands for raw bytes anywhere, malformed ones too.
"""
import struct


def sfloat(value, exponent=-1):
    """IEEE 11073-20601 SFLOAT: 4 bits of exponent, 12 of mantissa. None is NaN."""
    if value is None:
        return 0x07FF
    mantissa = round(value / 10 ** exponent)
    if not -2047 < mantissa < 2046:
        raise ValueError(f'{value} does not fit an SFLOAT with exponent {exponent}')
    return (exponent & 0xF) << 12 | mantissa & 0xFFF


def float32(value, exponent=-1):
    """IEEE 11073-20601 FLOAT: 8 bits of exponent, 24 of mantissa. None is NaN."""
    if value is None:
        return 0x007FFFFF
    return (exponent & 0xFF) << 24 | round(value / 10 ** exponent) & 0xFFFFFF


def date_time(t):
    """[year, month, day, hours, minutes, seconds] as Date Time (2A08)."""
    return struct.pack('<H5B', *t)


def flag_bits(*bits):
    return sum(bool(bit) << place for place, bit in enumerate(bits))


def beats_of(bpm):
    return [60_000 / bpm] * 3 if 25 <= bpm <= 50 or 110 <= bpm <= 240 else []


def heart_rate(v):
    """2A37. bpm, wide (16 bits), contact (None where the strap cannot tell), energy_kj, rr_ms [...]

    Without rr_ms, a rate far from rest comes with its beats, as of a heart that really beats so.
    """
    wide, contact, rr = v.get('wide', v['bpm'] > 255), v.get('contact'), v.get('rr_ms', beats_of(v['bpm']))
    flags = flag_bits(wide, contact, contact is not None, 'energy_kj' in v, rr)
    out = struct.pack('<BH' if wide else '<BB', flags, v['bpm'])
    if 'energy_kj' in v:
        out += struct.pack('<H', v['energy_kj'])
    return out + b''.join(struct.pack('<H', round(ms * 1.024)) for ms in rr)


def blood_pressure(v):
    """2A35. systolic, diastolic, map, kpa (bool), exp, time [6], pulse, user, status"""
    flags = flag_bits(v.get('kpa'), 'time' in v, 'pulse' in v, 'user' in v, 'status' in v)
    out = struct.pack('<B3H', flags, *(
        sfloat(v.get(key), v.get('exp', 0)) for key in ('systolic', 'diastolic', 'map')))
    if 'time' in v:
        out += date_time(v['time'])
    if 'pulse' in v:
        out += struct.pack('<H', sfloat(v['pulse'], 0))
    if 'user' in v:
        out += bytes([v['user']])
    return out + (struct.pack('<H', v['status']) if 'status' in v else b'')


def temperature(v):
    """2A1C. celsius or fahrenheit, time [6], type"""
    fahrenheit = 'fahrenheit' in v
    flags = flag_bits(fahrenheit, 'time' in v, 'type' in v)
    out = struct.pack('<BI', flags, float32(v['fahrenheit' if fahrenheit else 'celsius']))
    return out + (date_time(v['time']) if 'time' in v else b'') \
        + (bytes([v['type']]) if 'type' in v else b'')


def oximetry_continuous(v):
    """2A5F, its normal values only. spo2, pulse, status (16 bits), sensor (24 bits)"""
    flags = flag_bits(False, False, 'status' in v, 'sensor' in v)
    out = struct.pack('<B2H', flags, sfloat(v.get('spo2'), 0), sfloat(v.get('pulse'), 0))
    if 'status' in v:
        out += struct.pack('<H', v['status'])
    return out + (v['sensor'].to_bytes(3, 'little') if 'sensor' in v else b'')


def oximetry_spot_check(v):
    """2A5E. spo2, pulse, time [6], status (16 bits), sensor (24 bits), pulse_amplitude (%),
    clock_not_set (bool)"""
    flags = flag_bits(
        'time' in v, 'status' in v, 'sensor' in v, 'pulse_amplitude' in v, v.get('clock_not_set'))
    out = struct.pack('<B2H', flags, sfloat(v.get('spo2'), 0), sfloat(v.get('pulse'), 0))
    if 'time' in v:
        out += date_time(v['time'])
    if 'status' in v:
        out += struct.pack('<H', v['status'])
    if 'sensor' in v:
        out += v['sensor'].to_bytes(3, 'little')
    return out + (struct.pack('<H', sfloat(v['pulse_amplitude'])) if 'pulse_amplitude' in v else b'')


def weight(v):
    """2A9D. kg or lb, time [6], user, bmi with height_m"""
    imperial = 'lb' in v
    flags = flag_bits(imperial, 'time' in v, 'user' in v, 'bmi' in v)
    mass = round(v['lb'] / 0.01) if imperial else round(v['kg'] / 0.005)
    out = struct.pack('<BH', flags, mass)
    if 'time' in v:
        out += date_time(v['time'])
    if 'user' in v:
        out += bytes([v['user']])
    if 'bmi' in v:
        height = v['height_m'] / 0.0254 / 0.1 if imperial else v['height_m'] / 0.001
        out += struct.pack('<2H', round(v['bmi'] / 0.1), round(height))
    return out


def glucose(v):
    """2A18. sequence, time [6], offset_min, mg_dl or mmol_l (with type, location), status,
    context (bool: a 2A34 of the same sequence follows)"""
    molar, known = 'mmol_l' in v, 'mmol_l' in v or 'mg_dl' in v
    flags = flag_bits('offset_min' in v, known, molar, 'status' in v, v.get('context'))
    out = struct.pack('<BH', flags, v['sequence']) + date_time(v['time'])
    if 'offset_min' in v:
        out += struct.pack('<h', v['offset_min'])
    if known:
        # The wire counts mol/l or kg/l: 1 mmol/l is 1e-3 mol/l, 1 mg/dl is 1e-5 kg/l.
        amount = sfloat(v['mmol_l'] * 1e-3, -4) if molar else sfloat(v['mg_dl'] * 1e-5, -5)
        out += struct.pack('<HB', amount, v.get('type', 1) | v.get('location', 1) << 4)
    return out + (struct.pack('<H', v['status']) if 'status' in v else b'')


def glucose_context(v):
    """2A34. sequence, carbohydrate {id, grams}, meal, tester, health"""
    carbohydrate, tested = v.get('carbohydrate'), 'tester' in v or 'health' in v
    out = struct.pack('<BH', flag_bits(carbohydrate, 'meal' in v, tested), v['sequence'])
    if carbohydrate:
        out += struct.pack('<BH', carbohydrate['id'], sfloat(carbohydrate['grams'] * 1e-3, -3))
    if 'meal' in v:
        out += bytes([v['meal']])
    return out + (bytes([v.get('tester', 1) | v.get('health', 5) << 4]) if tested else b'')


def location_and_speed(v):
    """2A67. latitude, longitude (degrees), time [6], status (1: ok, 3: last known)"""
    flags = 1 << 2 | flag_bits('time' in v) << 6 | v.get('status', 1) << 7
    out = struct.pack('<Hii', flags, round(v['latitude'] * 1e7), round(v['longitude'] * 1e7))
    return out + (date_time(v['time']) if 'time' in v else b'')


def position_quality(v):
    """2A69. ehpe_cm"""
    return struct.pack('<HI', 1 << 3 | 1 << 7, v['ehpe_cm'])


def button(v):
    """FFE1 of a tag: 01 when its button is pressed. No specification exists: the makers' own apps read it so."""
    return bytes([v.get('press', 1)])
