/// Day Date Time, characteristic 0x2A0A (GATT Specification Supplement, "Day Date Time").
public struct DayDateTime: Hashable, Sendable {
    public let dateTime: DateTime
    /// As the device says, be it right or not. Nil: unknown, or a number that is no day.
    public let dayOfWeek: DayOfWeek?

    public init(from reader: inout ByteReader) throws(DecodeError) {
        dateTime = try DateTime(from: &reader)
        dayOfWeek = DayOfWeek(rawValue: try reader.uint8("day of week"))
    }

    public init(_ dateTime: DateTime) {
        self.dateTime = dateTime
        dayOfWeek = dateTime.dayOfWeek
    }

    public var bytes: [UInt8] { dateTime.bytes + [dayOfWeek?.rawValue ?? 0] }
}
