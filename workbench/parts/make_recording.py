"""Writes recordings/milan-walk.nmea: a simulated receiver carried on a slow walk in Milan.

    python3 -m workbench.parts.make_recording > workbench/parts/recordings/milan-walk.nmea

The walk is simulated, so it has no personal data. Each epoch has the sentences that a plain receiver sends once a
second (RMC, GGA, GSA, GSV), in the layout of NMEA 0183 4.10. The same input gives the same bytes.
"""
import math
import sys
from datetime import UTC, datetime, timedelta

START = datetime(2026, 5, 9, 8, 30, 0, tzinfo=UTC)
EPOCHS = 60
LATITUDE, LONGITUDE = 45.4642, 9.1900   # Piazza del Duomo, degrees
ALTITUDE_M, GEOID_M = 122.0, 47.9   # above mean sea level; geoid above WGS 84 there
SPEED_M_S = 0.8   # an elderly person's pace
METRES_PER_DEGREE = 111_195   # of latitude: 6,371 km * pi / 180
KNOTS_PER_M_S = 1.943844
# Satellite number, elevation and azimuth in degrees, carrier to noise in dBHz.
SATELLITES = (
    (2, 61, 288, 42), (5, 24, 312, 35), (7, 15, 42, 31), (9, 38, 74, 38),
    (13, 47, 246, 40), (15, 19, 206, 33), (18, 9, 330, 28), (30, 72, 98, 44))
HDOP, VDOP, PDOP = 0.9, 1.4, 1.7


def sentence(body):
    """Returns a sentence with its checksum: the exclusive or of the characters between $ and *."""
    checksum = 0
    for character in body.encode('ascii'):
        checksum ^= character
    return f'${body}*{checksum:02X}\r\n'


def degrees(value, digits, positive, negative):
    """Returns degrees and minutes in NMEA's combined form, and the hemisphere."""
    # In ten-thousandths of a minute, so that rounding never gives 60.0000 minutes.
    total = round(abs(value) * 600_000)
    whole, minutes = divmod(total, 600_000)
    return f'{whole:0{digits}d}{minutes / 10_000:07.4f},{positive if value >= 0 else negative}'


def walk(epoch):
    """Returns latitude, longitude and course in degrees at a second of the walk, a slow bend to the north-east."""
    latitude, longitude = LATITUDE, LONGITUDE
    for second in range(epoch + 1):
        course = 30 + second * 0.7
        if second < epoch:
            north = SPEED_M_S * math.cos(math.radians(course))
            east = SPEED_M_S * math.sin(math.radians(course))
            latitude += north / METRES_PER_DEGREE
            longitude += east / (METRES_PER_DEGREE * math.cos(math.radians(latitude)))
    return latitude, longitude, course


def satellites_in_view():
    groups = [SATELLITES[first:first + 4] for first in range(0, len(SATELLITES), 4)]
    for number, group in enumerate(groups, 1):
        rows = ''.join(f',{prn:02d},{up:02d},{around:03d},{noise:02d}' for prn, up, around, noise in group)
        yield sentence(f'GPGSV,{len(groups)},{number},{len(SATELLITES):02d}{rows}')


def epoch(number):
    at = START + timedelta(seconds=number)
    latitude, longitude, course = walk(number)
    place = f'{degrees(latitude, 2, "N", "S")},{degrees(longitude, 3, "E", "W")}'
    used = [prn for prn, up, _, _ in SATELLITES if up >= 10]
    yield sentence(
        f'GPRMC,{at:%H%M%S}.00,A,{place},{SPEED_M_S * KNOTS_PER_M_S:.2f},{course:.1f},{at:%d%m%y},,,A')
    yield sentence(
        f'GPGGA,{at:%H%M%S}.00,{place},1,{len(used):02d},{HDOP},{ALTITUDE_M:.1f},M,{GEOID_M:.1f},M,,')
    slots = ','.join([f'{prn:02d}' for prn in used] + [''] * (12 - len(used)))
    yield sentence(f'GPGSA,A,3,{slots},{PDOP},{HDOP},{VDOP}')
    yield from satellites_in_view()


def main():
    for number in range(EPOCHS):
        sys.stdout.buffer.write(''.join(epoch(number)).encode('ascii'))


if __name__ == '__main__':
    main()
