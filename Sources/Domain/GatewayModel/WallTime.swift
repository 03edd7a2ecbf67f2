/// Wall time: for people and for the wire, never for a deadline.
public struct WallTime: Hashable, Comparable, Codable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
    public let millisecondsSince1970: Int64

    private enum CodingKeys: String, CodingKey { case millisecondsSince1970 }

    public init(millisecondsSince1970: Int64) {
        self.millisecondsSince1970 = millisecondsSince1970
    }

    /// Errors: a time ten thousand years away cannot be written down, and would overflow later.
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
            boot: boot.advanced(by: duration), wall: wall.advanced(by: duration))
    }
}

extension WallTime {
    /// In whole milliseconds.
    public func advanced(by duration: Duration) -> WallTime {
        WallTime(millisecondsSince1970: millisecondsSince1970 + duration.wholeMilliseconds)
    }

    /// Form that `init(rfc3339:)` takes, for an error message.
    public static let rfc3339Form = "a time with its offset from UTC such as \"2026-05-10T09:00:00+02:00\""

    /// A time as RFC 3339 section 5.6 writes it. The offset is required: a time without one is another instant on each
    /// box. Digits of a second beyond the third are left out.
    ///
    /// Nil for anything else: a 30th of February, hour 24, and a leap second (23:59:60), which no clock of this
    /// project counts.
    public init?(rfc3339 text: String) {
        var rest = Digits(Array(text.utf8))
        guard let year = rest.number(4), rest.take("-"), let month = rest.number(2), rest.take("-"),
            let day = rest.number(2), rest.take("T") || rest.take("t"), let hour = rest.number(2),
            rest.take(":"),
            let minute = rest.number(2), rest.take(":"), let second = rest.number(2),
            let milliseconds = rest.fraction(), let offset = rest.offset(), rest.isAtEnd,
            let date = CivilDate(year: Int(year), month: Int(month), day: Int(day)), hour < 24, minute < 60,
            second < 60
        else { return nil }
        let minutes = (date.daysSince1970 * 24 + hour) * 60 + minute - offset
        self.init(millisecondsSince1970: (minutes * 60 + second) * 1_000 + milliseconds)
    }

    /// Takes a text apart from left to right.
    private struct Digits {
        let bytes: [UInt8]
        var index = 0

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
        }

        var isAtEnd: Bool { index == bytes.count }

        mutating func take(_ character: Character) -> Bool {
            guard index < bytes.count, bytes[index] == character.asciiValue else { return false }
            index += 1
            return true
        }

        mutating func digit() -> Int64? {
            guard index < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) else {
                return nil
            }
            defer { index += 1 }
            return Int64(bytes[index] - UInt8(ascii: "0"))
        }

        mutating func number(_ count: Int) -> Int64? {
            var number: Int64 = 0
            for _ in 0..<count {
                guard let digit = digit() else { return nil }
                number = number * 10 + digit
            }
            return number
        }

        /// In milliseconds; 0 where there is none.
        mutating func fraction() -> Int64? {
            guard take(".") else { return 0 }
            var (milliseconds, weight): (Int64, Int64) = (0, 100)
            guard let first = digit() else { return nil }
            milliseconds = first * weight
            while let digit = digit() {
                weight /= 10
                milliseconds += digit * weight
            }
            return milliseconds
        }

        /// In minutes east of UTC.
        mutating func offset() -> Int64? {
            if take("Z") || take("z") { return 0 }
            let isEast = take("+")
            guard isEast || take("-"), let hours = number(2), take(":"), let minutes = number(2), hours < 24,
                minutes < 60
            else { return nil }
            return (isEast ? 1 : -1) * (hours * 60 + minutes)
        }
    }
}
