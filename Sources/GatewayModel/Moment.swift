/// Wall time: for people and for the wire, never for a deadline.
public struct WallTime: Hashable, Comparable, Codable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
    public let millisecondsSince1970: Int64

    public init(millisecondsSince1970: Int64) {
        self.millisecondsSince1970 = millisecondsSince1970
    }

    public static func < (left: WallTime, right: WallTime) -> Bool {
        left.millisecondsSince1970 < right.millisecondsSince1970
    }
}

/// One instant as both clocks showed it, read together on arrival.
public struct Moment: Hashable, Codable, Sendable {
    public let boot: BootInstant
    public let wall: WallTime

    public init(boot: BootInstant, wall: WallTime) {
        self.boot = boot
        self.wall = wall
    }

    /// Both clocks moved by `duration`, as if the wall clock were not stepped in between.
    public func advanced(by duration: Duration) -> Moment {
        Moment(
            boot: boot.advanced(by: duration),
            wall: WallTime(
                millisecondsSince1970: wall.millisecondsSince1970 + duration.wholeMilliseconds))
    }
}
