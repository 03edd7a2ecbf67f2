public import GatewayModel

/// A runner's tag, by the number the run gave it when it was enrolled.
public struct TagNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let value: UInt32

    public init(_ value: UInt32) {
        self.value = value
    }

    public var description: String { "\(value)" }

    public static func < (left: TagNumber, right: TagNumber) -> Bool { left.value < right.value }
}

/// One advertisement of an enrolled tag, as one antenna heard it.
public struct TagHit: Hashable, Sendable {
    public let tag: TagNumber
    /// Which of the box's radios; 0 where there is one.
    public let antenna: UInt8
    /// What a controller can say of a strength, dBm (Core 5.4, Vol 4, Part E, 7.7.65.2).
    public static let strengths: ClosedRange<Int8> = -127...20

    /// dBm, of `strengths`.
    public let rssi: Int8
    public let arrival: BootInstant

    public init(tag: TagNumber, antenna: UInt8 = 0, rssi: Int8, arrival: BootInstant) {
        (self.tag, self.antenna, self.rssi, self.arrival) = (tag, antenna, rssi, arrival)
    }
}
