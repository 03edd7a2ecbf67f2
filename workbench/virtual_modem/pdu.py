"""SMS-SUBMIT and SMS-DELIVER, 3GPP TS 23.040 sections 9.2.2.2 and 9.2.2.1, with the default alphabet of TS 23.038
section 6.2.1."""

BASIC = ('@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\x1bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?'
         '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà')
EXTENSION = {0x0A: '\f', 0x14: '^', 0x28: '{', 0x29: '}', 0x2F: '\\', 0x3C: '[', 0x3D: '~', 0x3E: ']',
             0x40: '|', 0x65: '€'}


def decode(pdu):
    """Returns number, text, alphabet, index of the part and number of parts."""
    pdu = pdu[1 + pdu[0]:]
    flags, digits = pdu[0], pdu[2]
    number = ''.join(f'{byte & 15:x}{byte >> 4:x}' for byte in pdu[4:4 + (digits + 1) // 2])[:digits]
    international = pdu[3] & 0x70 == 0x10
    pdu = pdu[4 + (digits + 1) // 2:]
    coding = pdu[1]
    # The validity period: none, enhanced, relative or absolute.
    pdu = pdu[2 + (0, 7, 1, 7)[flags >> 3 & 3]:]
    length, data = pdu[0], pdu[1:]
    header = data[:1 + data[0]] if flags & 0x40 else b''
    is_wide = coding & 0x0C == 0x08
    text = wide(data[len(header):length]) if is_wide else narrow(data, length, len(header))
    part, parts = place(header)
    return {'number': ('+' if international else '') + number, 'text': text,
            'alphabet': 'UCS-2' if is_wide else 'GSM', 'part': part, 'parts': parts}


def wide(data):
    return data.decode('utf-16-be')


def narrow(data, septets, header):
    """Returns the text, which begins at a septet boundary after the header."""
    bits = int.from_bytes(data, 'little')
    begin = (header * 8 + 6) // 7
    codes = [bits >> 7 * index & 0x7F for index in range(begin, septets)]
    text, escaped = '', False
    for code in codes:
        if escaped:
            text += EXTENSION.get(code, ' ')
        elif code != 0x1B:
            text += BASIC[code]
        escaped = code == 0x1B and not escaped
    return text


def place(header):
    """Information elements 0 and 8 of a concatenated text, section 9.2.3.24.1 and .8."""
    at = 1
    while at + 1 < len(header):
        kind, length = header[at], header[at + 1]
        if kind in (0, 8):
            parts, part = header[at + length], header[at + 1 + length]
            return part, parts
        at += 2 + length
    return 1, 1


def deliver(sender, text):
    """An SMS-DELIVER of one part, with the service centre before it. Returns its bytes and their number without the
    centre, as AT+CMGL shows them."""
    digits = sender.lstrip('+')
    address = bytes([len(digits), 0x91 if sender.startswith('+') else 0x81]) + semi_octets(digits)
    # 2026-03-01 08:30:00 UTC, section 9.2.3.11.
    stamp = semi_octets('26030108300000')
    bits = 0
    for index, character in enumerate(text):
        bits |= BASIC.index(character) << 7 * index
    data = bits.to_bytes((7 * len(text) + 7) // 8, 'little')
    message = b'\x04' + address + b'\x00\x00' + stamp + bytes([len(text)]) + data
    centre = semi_octets('393200000000')
    return bytes([1 + len(centre), 0x91]) + centre + message, len(message)


def semi_octets(digits):
    padded = digits + 'F' * (len(digits) % 2)
    return bytes(int(padded[at + 1] + padded[at], 16) for at in range(0, len(padded), 2))
