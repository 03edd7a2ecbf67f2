/// Position that a Remote ID transmitter states: service data of UUID 0xFFFA.
///
/// ASTM F3411-22a, ASD-STAN EN 4709-002, Location/Vector Message; the layout as in opendroneid-core-c
/// (`ODID_Location_encoded`). Made for drones, and sent by trackers of some grams that have a receiver and a battery of
/// their own. In the clear: any sender of advertisements can state a position.
public struct RemoteID: Hashable, Sendable {
    public struct Location: Hashable, Sendable {
        /// In 1e-7 degrees, north positive.
        public let latitude: Int32
        /// In 1e-7 degrees, east positive.
        public let longitude: Int32
        /// Metres, ± in 95 of 100 cases; nil where it is not known.
        public let horizontalAccuracy: Double?
        /// In 0.1 s since the last full hour of UTC, up to 36,000; nil where it is not known.
        public let timeInHour: UInt16?

        public var latitudeDegrees: Double { Double(latitude) / 1e7 }
        public var longitudeDegrees: Double { Double(longitude) / 1e7 }
    }

    /// Counts the messages of one type, beginning anew after 255.
    public let counter: UInt8
    /// Nil where the message is of another type, or the sender does not know where it is.
    public let location: Location?

    static let service: UInt16 = 0xFFFA
    /// Application code of Remote ID in the service data of 0xFFFA.
    private static let application: UInt8 = 0x0D
    private static let messageSize: UInt8 = 25

    private enum MessageType {
        static let location: UInt8 = 0x1
        /// Several messages, where one advertisement holds them (Bluetooth 5).
        static let pack: UInt8 = 0xF
    }

    /// - Parameter content: of an AD structure 0x16, from the service UUID on.
    /// - Returns: nil where it is another service's, or another application's.
    public init?(serviceData content: Span<UInt8>) throws(DecodeError) {
        guard content.count >= 2, content.littleUInt16(at: 0) == Self.service else { return nil }
        var reader = ByteReader(content.bytes(2..<content.count))
        guard try reader.uint8("application code") == Self.application else { return nil }
        counter = try reader.uint8("message counter")
        location = try Self.message(&reader)
    }

    /// The high half of the first byte is the type, the low one the version, which changed nothing here so far.
    private static func message(_ reader: inout ByteReader) throws(DecodeError) -> Location? {
        switch try reader.uint8("message type") >> 4 {
        case MessageType.location: return try Location(from: &reader)
        case MessageType.pack:
            guard try reader.uint8("size of a message") == messageSize else {
                throw .unexpected(field: "size of a message", expected: "\(messageSize)")
            }
            for _ in 0..<(try reader.uint8("number of messages")) {
                var one = ByteReader(try reader.bytes(Int(messageSize), "message"))
                guard try one.uint8("message type") >> 4 == MessageType.location else { continue }
                return try Location(from: &one)
            }
            return nil
        default: return nil
        }
    }
}

extension RemoteID.Location {
    /// Better than these, metres, by the code: 10 nautical miles, ..., 1 m. Code 0, and those after 12, say nothing.
    private static let accuracies = [18_520, 7_408, 3_704, 1_852, 926, 555.6, 185.2, 92.6, 30, 10, 3, 1]

    /// Behind the message's type.
    init?(from reader: inout ByteReader) throws(DecodeError) {
        // Status and the signs of the next fields: direction, speed, vertical speed.
        _ = try reader.bytes(4, "movement")
        latitude = try reader.int32("latitude")
        longitude = try reader.int32("longitude")
        // Of the air pressure, of WGS 84, above the ground.
        _ = try reader.bytes(6, "altitudes")
        let accuracy = Int(try reader.uint8("accuracy of the position")) & 0xF
        _ = try reader.uint8("accuracy of the speed")
        let time = try reader.uint16("time")
        _ = try reader.bytes(2, "accuracy of the time")
        guard (-900_000_000...900_000_000).contains(latitude) else { throw .outOfRange(field: "latitude") }
        guard (-1_800_000_000...1_800_000_000).contains(longitude) else {
            throw .outOfRange(field: "longitude")
        }
        // Both: not known.
        guard latitude != 0 || longitude != 0 else { return nil }
        horizontalAccuracy =
            Self.accuracies.indices.contains(accuracy - 1) ? Self.accuracies[accuracy - 1] : nil
        timeInHour = time <= 36_000 ? time : nil
    }
}

extension Advert {
    /// Where its sender says that it is, by Remote ID; nil where it does not. Malformed data says nothing.
    public var remoteIDLocation: RemoteID.Location? {
        var walk = ADWalk()
        let bytes = data.span
        while let structure = try? walk.next(in: bytes) {
            guard structure.type == .serviceData16 else { continue }
            guard let found = try? RemoteID(serviceData: bytes.extracting(structure.content)) else { continue }
            if let location = found.location { return location }
        }
        return nil
    }
}
