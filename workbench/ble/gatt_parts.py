"""Further behaviour of some wearables, beside measurements.

Each part has `characteristics` for the main service, or a `service` of its own. It reports through `event` the values
that a client writes.
"""
import asyncio
import struct

from bumble import att, gatt

from workbench.ble import values

P, A = gatt.Characteristic.Properties, att.Attribute


OPEN = A.Permissions(0)   # no encryption required


def writable(uuid, properties, write, read=None, secure=OPEN):
    permissions = A.WRITEABLE | secure | (A.READABLE if read else OPEN)
    return gatt.Characteristic(
        uuid, properties, permissions, gatt.CharacteristicValue(read=read, write=write))


class AlertTarget:
    """Immediate Alert Service 1.0: 2A06 (0 none, 1 mild, 2 high), written without a response."""

    def __init__(self, peripheral, secure):
        self.peripheral = peripheral
        self.characteristics = [writable('2A06', P.WRITE_WITHOUT_RESPONSE, self.write, secure=secure)]

    def write(self, _connection, value):
        level = {b'\0': 'none', b'\1': 'mild', b'\2': 'high'}.get(bytes(value), 'invalid')
        self.peripheral.event('alert', level=level, hex=bytes(value).hex())


class CurrentTime:
    """Current Time Service 1.1 of a device with a clock that the client sets."""

    # "Data field ignored", from the Common Profile and Service error codes of the service.
    DATA_FIELD_IGNORED = 0x80

    def __init__(self, peripheral, secure):
        self.peripheral = peripheral
        # The battery was out: 2000-01-01 00:00:00, a Saturday, reason "manual update".
        self.value = values.date_time([2000, 1, 1, 0, 0, 0]) + bytes([6, 0, 1])
        self.service = gatt.Service('1805', [writable(
            '2A2B', P.READ | P.WRITE, self.write, read=lambda _connection: self.value, secure=secure)])

    def write(self, _connection, value):
        if len(value) != 10:
            raise att.ATT_Error(att.ErrorCode.INVALID_ATTRIBUTE_LENGTH)
        year, month, day, hours, minutes, seconds, weekday, fractions, reason = struct.unpack('<H8B', value)
        if not (1 <= month <= 12 and 1 <= day <= 31 and hours < 24 and minutes < 60 and seconds < 60):
            raise att.ATT_Error(self.DATA_FIELD_IGNORED)
        self.value = bytes(value)
        self.peripheral.event(
            'clock_set', time=[year, month, day, hours, minutes, seconds], weekday=weekday,
            fractions=fractions, reason=reason)


class OwnClock:
    """Date Time (2A08) in the measuring service, as A&D has it: 7 bytes, read and written."""

    def __init__(self, peripheral, secure):
        self.peripheral = peripheral
        # Never set; a year in which nobody was measured by it.
        self.value = values.date_time([2020, 1, 1, 0, 0, 0])
        self.characteristics = [writable(
            '2A08', P.READ | P.WRITE, self.write, read=lambda _connection: self.value, secure=secure)]

    def write(self, _connection, value):
        if len(value) != 7:
            raise att.ATT_Error(att.ErrorCode.INVALID_ATTRIBUTE_LENGTH)
        self.value = bytes(value)
        self.peripheral.event('clock_set', time=list(struct.unpack('<H5B', value)))


class GlucoseRecords:
    """Glucose Service 1.0.1: stored records and their Record Access Control Point (2A52, section 3.4).

    Requests: report stored records (all, >= sequence, first, last), their number, abort. Each
    record goes out as 2A18, its context after it as 2A34; the answer of the control point comes last.
    """

    REPORT, DELETE, ABORT, NUMBER, NUMBER_ANSWER, ANSWER = range(1, 7)
    NULL, ALL, AT_MOST, AT_LEAST, RANGE, FIRST, LAST = range(7)
    SUCCESS, NOT_SUPPORTED, BAD_OPERATOR, NO_OPERATOR, BAD_OPERAND, NONE_FOUND, NOT_ABORTED, \
        UNFINISHED, NO_OPERAND = range(1, 10)
    BY_SEQUENCE = 1
    # Application errors of the service, section 1.6.
    IN_PROGRESS, CCCD_IMPROPER = 0x80, 0x81

    def __init__(self, peripheral, secure):
        self.peripheral, self.reporting = peripheral, None
        self.records = peripheral.spec.get('records', [])
        # Slow enough for a client to abort the transfer.
        self.every = peripheral.spec.get('record_every_ms', 20) / 1000
        self.context = gatt.Characteristic('2A34', P.NOTIFY, A.Permissions(0), b'')
        self.control = writable('2A52', P.INDICATE | P.WRITE, self.write, secure=secure)
        self.characteristics = [self.context, self.control]

    def write(self, connection, value):
        value = bytes(value)
        self.peripheral.event('racp', hex=value.hex())
        if not self.peripheral.is_subscribed(self.control):
            raise att.ATT_Error(self.CCCD_IMPROPER)
        opcode = value[0] if value else 0
        if self.reporting and not self.reporting.done():
            if opcode != self.ABORT:
                raise att.ATT_Error(self.IN_PROGRESS)
            self.reporting.cancel()
            self.later(self.answer(opcode, self.SUCCESS))
        elif opcode == self.ABORT:
            self.later(self.answer(opcode, self.NOT_ABORTED))
        else:
            self.perform(opcode, value)

    def later(self, coroutine):
        """Runs `coroutine` after the response to the write itself."""
        self.latest = asyncio.ensure_future(coroutine)

    def perform(self, opcode, value):
        if opcode not in (self.REPORT, self.NUMBER):
            return self.later(self.answer(opcode, self.NOT_SUPPORTED))
        found = self.select(value)
        if isinstance(found, int):
            self.later(self.answer(opcode, found))
        elif opcode == self.NUMBER:
            self.later(self.indicate(struct.pack('<BBH', self.NUMBER_ANSWER, self.NULL, len(found))))
        elif not found:
            self.later(self.answer(opcode, self.NONE_FOUND))
        else:
            self.reporting = asyncio.ensure_future(self.report(found))
        return None

    def select(self, value):
        """Returns the records for operator and operand, or an answer code."""
        operator, operand = value[1] if len(value) > 1 else self.NULL, value[2:]
        if operator in (self.ALL, self.FIRST, self.LAST):
            if operand:
                return self.BAD_OPERAND
            return {self.ALL: self.records, self.FIRST: self.records[:1],
                    self.LAST: self.records[-1:]}[operator]
        if operator == self.NULL:
            return self.BAD_OPERATOR
        if operator != self.AT_LEAST:
            return self.NO_OPERATOR
        if not operand or operand[0] != self.BY_SEQUENCE:
            return self.NO_OPERAND
        if len(operand) != 3:
            return self.BAD_OPERAND
        least, = struct.unpack('<H', operand[1:])
        return [record for record in self.records if record['sequence'] >= least]

    async def report(self, records):
        for record in records:
            context = record.get('context')
            await self.peripheral.send({**record, 'context': bool(context)})
            if context:
                await self.peripheral.push(
                    self.context, values.glucose_context({**context, 'sequence': record['sequence']}))
            await asyncio.sleep(self.every)
        self.later(self.answer(self.REPORT, self.SUCCESS))

    async def answer(self, opcode, code):
        await self.indicate(bytes([self.ANSWER, self.NULL, opcode, code]))

    async def indicate(self, data):
        await self.peripheral.push(self.control, data)
