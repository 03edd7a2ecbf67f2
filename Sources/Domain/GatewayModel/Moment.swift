/// Wall time: for people and for the wire, never for a deadline.
public struct WallTime: Hashable, Comparable, Codable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
    public let millisecondsSince1970: Int64

    private enum CodingKeys: String, CodingKey { case millisecondsSince1970 }

    public init(millisecondsSince1970: Int64) {
        self.millisecondsSince1970 = millisecondsSince1970
    }

    /// Errors: what lies ten thousand years away is no time that can be written down, and would overflow later.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let stored = try members.decode(Int64.self, forKey: .millisecondsSince1970)
        guard stored.magnitude < 315_576_000_000_000 else {
            throw DecodingError.dataCorruptedError(
                forKey: .millisecondsSince1970, in: members, debugDescription: "no time: \(stored)")
        }
        self.init(millisecondsSince1970: stored)
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
