"""The Record Access Control Point of a meter, 2A52: it sends stored records on request."""
import struct

from gi.repository import GLib

REPORT, NUMBER, ABORT = 1, 4, 3
ALL, AT_LEAST, LAST = 1, 3, 6
SUCCESS, NOT_SUPPORTED, OPERATOR_NOT_SUPPORTED, NO_RECORDS = 1, 2, 4, 6
RECORD_MS = 5   # between two records: about the rate of a link


def chosen(records, request):
    """Returns the records for an operator and its operand; None for an unknown operator."""
    operator = request[1] if len(request) > 1 else 0
    if operator == ALL:
        return records
    if operator == LAST:
        return records[-1:]
    if operator == AT_LEAST and len(request) >= 5 and request[2] == 1:
        least, = struct.unpack_from('<H', request, 3)
        return [record for record in records if record['sequence'] >= least]
    return None


def answer(device, control, request):
    """Sends the records, then the response, as indications of the control point."""
    peripheral = device.peripheral
    code = request[0] if request else 0

    def respond(result):
        control.notify(bytes([6, 0, code, result]))

    if code not in (REPORT, NUMBER, ABORT):
        return respond(NOT_SUPPORTED)
    if code == ABORT:
        return respond(SUCCESS)
    records = chosen(peripheral.records, request)
    if records is None:
        return respond(OPERATOR_NOT_SUPPORTED)
    if code == NUMBER:
        return control.notify(struct.pack('<BBH', 5, 0, len(records)))
    if not records:
        return respond(NO_RECORDS)
    queue = list(records)
    source = device.characteristic(peripheral.profile.measurement)

    def step():
        if not device.connected:
            return GLib.SOURCE_REMOVE
        if not queue:
            respond(SUCCESS)
            return GLib.SOURCE_REMOVE
        data = peripheral.encode(peripheral.profile.measurement, queue.pop(0))
        source.notify(data)
        device.rig.event('record', id=peripheral.id, hex=data.hex())
        return GLib.SOURCE_CONTINUE

    GLib.timeout_add(RECORD_MS, step)
    return None
