public import GatewayModel

/// Google's Eddystone (protocol-specification.md): service data of UUID 0xFEAA, numbers big-endian.
public enum Eddystone: Hashable, Sendable {
    case uid(UID)
    case url(String, txPower: Int8)
    case telemetry(Telemetry)
    /// A telemetry frame that only the owner of the key can read (frame version 1).
    case encryptedTelemetry([UInt8])
    /// An identifier that only the owner of the key can resolve; changes every few minutes.
    case ephemeralID(UInt64, txPower: Int8)
    case other(frameType: UInt8)

    public struct UID: Hashable, Sendable {
        /// The ten bytes of the namespace: the first eight, and the last two.
        public let namespace: Namespace
        /// Six bytes, as a number.
        public let instance: UInt64
        /// Transmit power at 0 m, in dBm; about 41 dB more than what is measured at 1 m.
        public let txPower: Int8
    }

    public typealias Namespace = EddystoneNamespace

    public struct Telemetry: Hashable, Sendable {
        /// Millivolts; nil where the beacon has no battery of its own to measure.
        public let battery: UInt16?
        /// Degrees Celsius, in steps of 1/256; nil where not supported.
        public let temperature: Double?
        /// Advertisements sent since power-on.
        public let adverts: UInt32
        /// Since power-on, in steps of 0.1 s.
        public let uptime: Duration
    }

    static let service: UInt16 = 0xFEAA

    /// - Parameter content: of an AD structure 0x16, from the service UUID on.
    /// - Returns: nil where it is another service's.
    public init?(serviceData content: Span<UInt8>) throws(DecodeError) {
        guard content.count >= 2, content.littleUInt16(at: 0) == Self.service else { return nil }
        let frame = content.extracting(2..<content.count)
        try frame.need(1, "Eddystone frame type")
        switch frame[0] {
        case 0x00: self = .uid(try UID(frame))
        case 0x10:
            try frame.need(3, "Eddystone-URL")
            self = .url(try Self.url(frame), txPower: frame.sint8(at: 1))
        case 0x20: self = try Self.telemetry(frame)
        case 0x30:
            try frame.need(10, "Eddystone-EID")
            self = .ephemeralID(frame.bigUInt64(at: 2), txPower: frame.sint8(at: 1))
        default: self = .other(frameType: frame[0])
        }
    }

    private static func telemetry(_ frame: Span<UInt8>) throws(DecodeError) -> Eddystone {
        try frame.need(2, "Eddystone-TLM version")
        guard frame[1] == 0 else { return .encryptedTelemetry(frame.bytes(2..<frame.count)) }
        try frame.need(14, "Eddystone-TLM")
        let battery = frame.bigUInt16(at: 2)
        let temperature = frame.bigUInt16(at: 4)
        return .telemetry(
            Telemetry(
                battery: battery == 0 ? nil : battery,
                temperature: temperature == 0x8000 ? nil : Double(Int16(bitPattern: temperature)) / 256,
                adverts: frame.bigUInt32(at: 6),
                uptime: .milliseconds(Int64(frame.bigUInt32(at: 10)) * 100)))
    }

    private static let schemes = ["http://www.", "https://www.", "http://", "https://"]
    private static let endings = [".com", ".org", ".edu", ".net", ".info", ".biz", ".gov"]

    private static func url(_ frame: Span<UInt8>) throws(DecodeError) -> String {
        guard Int(frame[2]) < schemes.count else {
            throw .unexpected(field: "Eddystone-URL scheme", expected: "0 to 3")
        }
        var url = schemes[Int(frame[2])]
        for offset in 3..<frame.count {
            switch frame[offset] {
            case 0x00...0x06: url += endings[Int(frame[offset])] + "/"
            case 0x07...0x0D: url += endings[Int(frame[offset]) - 7]
            case 0x21...0x7E: url.unicodeScalars.append(Unicode.Scalar(frame[offset]))
            default:
                throw .unexpected(field: "Eddystone-URL text", expected: "printable ASCII or an ending")
            }
        }
        return url
    }
}

extension Eddystone.UID {
    /// For a filter: allocates nothing.
    /// - Parameter content: of an AD structure 0x16, from the service UUID on.
    /// - Returns: nil where it is another service's, another frame, or cut.
    public init?(serviceData content: Span<UInt8>) {
        guard content.count >= 20, content.littleUInt16(at: 0) == Eddystone.service, content[2] == 0x00,
            let uid = try? Self(content.extracting(2..<content.count))
        else { return nil }
        self = uid
    }

    /// Two reserved bytes may follow; some beacons leave them out.
    init(_ frame: Span<UInt8>) throws(DecodeError) {
        try frame.need(18, "Eddystone-UID")
        txPower = frame.sint8(at: 1)
        namespace = Eddystone.Namespace(high: frame.bigUInt64(at: 2), low: frame.bigUInt16(at: 10))
        instance = UInt64(frame.bigUInt16(at: 12)) << 32 | UInt64(frame.bigUInt32(at: 14))
    }
}
