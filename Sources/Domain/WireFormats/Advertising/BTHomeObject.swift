/// How a button was pressed: object 0x3A.
public enum ButtonPress: Hashable, Sendable {
    case none, press, double, triple, long, longDouble, longTriple, hold, holdRelease
    case other(UInt8)

    init(code: UInt8) {
        self =
            switch code {
            case 0x00: .none
            case 0x01: .press
            case 0x02: .double
            case 0x03: .triple
            case 0x04: .long
            case 0x05: .longDouble
            case 0x06: .longTriple
            case 0x80: .hold
            case 0x81: .holdRelease
            default: .other(code)
            }
    }
}

/// One object of a BTHome frame: an id, and a value whose form the id tells.
public enum BTHomeObject: Hashable, Sendable {
    public enum Turn: Hashable, Sendable {
        case none, left, right
        case other(UInt8)
    }

    /// Counts frames, modulo 256: the same number is the same frame again.
    case packetID(UInt8)
    case measurement(BTHomeMeasurement)
    case state(BTHomeState, Bool)
    case button(ButtonPress)
    case dimmer(Turn, steps: UInt8)
    case command(UInt8, arguments: [UInt8])
    /// Seconds since 1970, by the device's clock.
    case timestamp(UInt32)
    case text(String)
    case raw([UInt8])
    case deviceType(UInt16)
    /// Most significant part first.
    case firmware([UInt8])

    /// Reads the object at `position` and moves on to the next.
    init(in bytes: Span<UInt8>, at position: inout Int) throws(BTHomeFrame.Stop) {
        let id = bytes[position]
        guard let form = BTHomeTable.forms[Int(id)] else { throw .unknownObject(id: id) }
        var start = position + 1
        var width = form.width
        if let mask = form.lengthMask {
            guard start < bytes.count else { throw .truncatedObject(id: id) }
            // Of a command the arguments are counted, and the opcode comes before them.
            width += Int(bytes[start] & mask)
            start += 1
        }
        guard bytes.count - start >= width else { throw .truncatedObject(id: id) }
        position = start + width
        self = Self.decode(form, bytes.extracting(start..<position))
    }

    private static func decode(_ form: BTHomeTable.Form, _ value: Span<UInt8>) -> BTHomeObject {
        switch form {
        case .number(let quantity, let unit, let width, let isSigned, let scale):
            let raw = value.little(width, isSigned: isSigned)
            return .measurement(BTHomeMeasurement(quantity: quantity, unit: unit, raw: raw, scale: scale))
        case .state(let state): return .state(state, value[0] != 0)
        case .packetID: return .packetID(value[0])
        case .button: return .button(ButtonPress(code: value[0]))
        case .dimmer: return .dimmer(turn(value[0]), steps: value[1])
        case .command: return .command(value[0], arguments: value.bytes(1..<value.count))
        case .timestamp: return .timestamp(value.littleUInt32(at: 0))
        case .text: return .text(String(decoding: value.bytes(0..<value.count), as: UTF8.self))
        case .raw: return .raw(value.bytes(0..<value.count))
        case .deviceType: return .deviceType(value.littleUInt16(at: 0))
        case .firmware: return .firmware(value.bytes(0..<value.count).reversed())
        }
    }

    private static func turn(_ code: UInt8) -> Turn {
        switch code {
        case 0: .none
        case 1: .left
        case 2: .right
        default: .other(code)
        }
    }
}

extension Span where Element == UInt8 {
    /// The whole span as one number of `width` bytes.
    fileprivate func little(_ width: Int, isSigned: Bool) -> Int64 {
        var number: UInt64 = 0
        for index in 0..<width { number |= UInt64(self[index]) << UInt64(index * 8) }
        let unused = UInt64(64 - width * 8)
        return isSigned ? Int64(bitPattern: number << unused) >> Int64(unused) : Int64(number)
    }
}
