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

/// A quantity that a BTHome sensor measures.
public enum BTHomeQuantity: String, Hashable, Sendable {
    case acceleration, battery, channel, conductivity, count, current, dewPoint, direction, distance
    case duration, energy, gas, gyroscope, humidity, illuminance, lightLevel, mass, moisture, carbonDioxide
    case fineParticles, coarseParticles, power, precipitation, pressure, rotation, rotationalSpeed, speed
    case temperature, ultravioletIndex, volatileOrganicCompounds, voltage, volume, volumeFlowRate
    case volumeStorage, water
}

/// A binary state of a BTHome sensor.
public enum BTHomeState: String, Hashable, Sendable {
    case generic, power, opening, batteryLow, charging, carbonMonoxide, cold, connectivity, door, garageDoor
    case gas, heat, light, lockOpen, moisture, motion, moving, occupancy, plug, presence, problem, running
    case unsafe, smoke, sound, tamper, vibration, window
}

public struct BTHomeMeasurement: Hashable, Sendable {
    /// A factor as two whole numbers: 0.35 and 0.01 are no binary fractions.
    public struct Scale: Hashable, Sendable {
        public let numerator: Int64
        public let denominator: Int64

        init(_ numerator: Int64, per denominator: Int64) {
            self.numerator = numerator
            self.denominator = denominator
        }

        static let one = Scale(1, per: 1)
        static let tenth = Scale(1, per: 10)
        static let hundredth = Scale(1, per: 100)
        static let thousandth = Scale(1, per: 1_000)
        static let millionth = Scale(1, per: 1_000_000)
    }

    public let quantity: BTHomeQuantity
    /// UCUM.
    public let unit: String
    public let raw: Int64
    public let scale: Scale

    public var value: Double { Double(raw * scale.numerator) / Double(scale.denominator) }
}

/// The object ids of BTHome v2 (bthome.io/format), one row each.
/// The whole table is here, also objects that this gateway does not use: an object carries no length, so an id
/// that is not known hides everything after it, a button among them.
enum BTHomeTable {
    enum Form: Sendable {
        case packetID, button, dimmer, command, timestamp, text, raw, deviceType
        case firmware(Int)
        case state(BTHomeState)
        /// Width in bytes.
        case number(
            BTHomeQuantity, unit: String, width: Int, isSigned: Bool, scale: BTHomeMeasurement.Scale)

        /// Bytes of the value; of one with a length byte, those that it does not count.
        var width: Int {
            switch self {
            case .packetID, .button, .state, .command: 1
            case .dimmer, .deviceType: 2
            case .timestamp: 4
            case .text, .raw: 0
            case .firmware(let parts): parts
            case .number(_, _, let width, _, _): width
            }
        }

        /// The bits of the length byte that count, where there is one.
        var lengthMask: UInt8? {
            switch self {
            case .text, .raw: 0xFF
            case .command: 0x1F
            default: nil
            }
        }
    }

    /// By object id; nil where the table has none.
    static let forms: [Form?] = {
        var forms = [Form?](repeating: nil, count: 256)
        for (id, form) in special + states + numbers { forms[id] = form }
        return forms
    }()

    private typealias Row = (Int, Form)

    private static func unsigned(
        _ quantity: BTHomeQuantity, _ unit: String, _ width: Int, _ scale: BTHomeMeasurement.Scale = .one
    ) -> Form {
        .number(quantity, unit: unit, width: width, isSigned: false, scale: scale)
    }

    private static func signed(
        _ quantity: BTHomeQuantity, _ unit: String, _ width: Int, _ scale: BTHomeMeasurement.Scale = .one
    ) -> Form {
        .number(quantity, unit: unit, width: width, isSigned: true, scale: scale)
    }

    private static let special: [Row] = [
        (0x00, .packetID), (0x3A, .button), (0x3B, .command), (0x3C, .dimmer), (0x50, .timestamp),
        (0x53, .text), (0x54, .raw), (0xF0, .deviceType), (0xF1, .firmware(4)), (0xF2, .firmware(3)),
    ]

    private static let states: [Row] = [
        (0x0F, .state(.generic)), (0x10, .state(.power)), (0x11, .state(.opening)),
        (0x15, .state(.batteryLow)), (0x16, .state(.charging)), (0x17, .state(.carbonMonoxide)),
        (0x18, .state(.cold)), (0x19, .state(.connectivity)), (0x1A, .state(.door)),
        (0x1B, .state(.garageDoor)), (0x1C, .state(.gas)), (0x1D, .state(.heat)), (0x1E, .state(.light)),
        (0x1F, .state(.lockOpen)), (0x20, .state(.moisture)), (0x21, .state(.motion)),
        (0x22, .state(.moving)), (0x23, .state(.occupancy)), (0x24, .state(.plug)),
        (0x25, .state(.presence)), (0x26, .state(.problem)), (0x27, .state(.running)),
        (0x28, .state(.unsafe)), (0x29, .state(.smoke)), (0x2A, .state(.sound)), (0x2B, .state(.tamper)),
        (0x2C, .state(.vibration)), (0x2D, .state(.window)),
    ]

    private static let numbers: [Row] = [
        (0x01, unsigned(.battery, "%", 1)),
        (0x02, signed(.temperature, "Cel", 2, .hundredth)),
        (0x03, unsigned(.humidity, "%", 2, .hundredth)),
        (0x04, unsigned(.pressure, "hPa", 3, .hundredth)),
        (0x05, unsigned(.illuminance, "lx", 3, .hundredth)),
        (0x06, unsigned(.mass, "kg", 2, .hundredth)),
        (0x07, unsigned(.mass, "[lb_av]", 2, .hundredth)),
        (0x08, signed(.dewPoint, "Cel", 2, .hundredth)),
        (0x09, unsigned(.count, "1", 1)),
        (0x0A, unsigned(.energy, "kW.h", 3, .thousandth)),
        (0x0B, unsigned(.power, "W", 3, .hundredth)),
        (0x0C, unsigned(.voltage, "V", 2, .thousandth)),
        (0x0D, unsigned(.fineParticles, "ug/m3", 2)),
        (0x0E, unsigned(.coarseParticles, "ug/m3", 2)),
        (0x12, unsigned(.carbonDioxide, "[ppm]", 2)),
        (0x13, unsigned(.volatileOrganicCompounds, "ug/m3", 2)),
        (0x14, unsigned(.moisture, "%", 2, .hundredth)),
        (0x2E, unsigned(.humidity, "%", 1)),
        (0x2F, unsigned(.moisture, "%", 1)),
        (0x3D, unsigned(.count, "1", 2)),
        (0x3E, unsigned(.count, "1", 4)),
        (0x3F, signed(.rotation, "deg", 2, .tenth)),
        (0x40, unsigned(.distance, "mm", 2)),
        (0x41, unsigned(.distance, "m", 2, .tenth)),
        (0x42, unsigned(.duration, "s", 3, .thousandth)),
        (0x43, unsigned(.current, "A", 2, .thousandth)),
        (0x44, unsigned(.speed, "m/s", 2, .hundredth)),
        (0x45, signed(.temperature, "Cel", 2, .tenth)),
        (0x46, unsigned(.ultravioletIndex, "1", 1, .tenth)),
        (0x47, unsigned(.volume, "L", 2, .tenth)),
        (0x48, unsigned(.volume, "mL", 2)),
        (0x49, unsigned(.volumeFlowRate, "m3/h", 2, .thousandth)),
        (0x4A, unsigned(.voltage, "V", 2, .tenth)),
        (0x4B, unsigned(.gas, "m3", 3, .thousandth)),
        (0x4C, unsigned(.gas, "m3", 4, .thousandth)),
        (0x4D, unsigned(.energy, "kW.h", 4, .thousandth)),
        (0x4E, unsigned(.volume, "L", 4, .thousandth)),
        (0x4F, unsigned(.water, "L", 4, .thousandth)),
        (0x51, unsigned(.acceleration, "m/s2", 2, .thousandth)),
        (0x52, unsigned(.gyroscope, "deg/s", 2, .thousandth)),
        (0x55, unsigned(.volumeStorage, "L", 4, .thousandth)),
        (0x56, unsigned(.conductivity, "uS/cm", 2)),
        (0x57, signed(.temperature, "Cel", 1)),
        (0x58, signed(.temperature, "Cel", 1, BTHomeMeasurement.Scale(35, per: 100))),
        (0x59, signed(.count, "1", 1)),
        (0x5A, signed(.count, "1", 2)),
        (0x5B, signed(.count, "1", 4)),
        (0x5C, signed(.power, "W", 4, .hundredth)),
        (0x5D, signed(.current, "A", 2, .thousandth)),
        (0x5E, unsigned(.direction, "deg", 2, .hundredth)),
        (0x5F, unsigned(.precipitation, "mm", 2, .tenth)),
        (0x60, unsigned(.channel, "1", 1)),
        (0x61, unsigned(.rotationalSpeed, "{rev}/min", 2)),
        (0x62, signed(.speed, "m/s", 4, .millionth)),
        (0x63, signed(.acceleration, "m/s2", 4, .millionth)),
        (0x64, unsigned(.lightLevel, "1", 1)),
    ]
}
