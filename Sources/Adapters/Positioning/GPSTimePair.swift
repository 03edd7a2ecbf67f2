import JSONReading

/// What the receiver's clock showed when the system's clock showed the other, nanoseconds since 1970: gpsd's PPS and TOFF
/// (gpsd_json(5)).
struct GPSTimePair: Hashable, Sendable {
    let receiver, system: Int64
}

extension GPSTimePair {
    private struct Line: Decodable {
        enum CodingKeys: String, CodingKey {
            case receiverSeconds = "real_sec"
            case receiverNanoseconds = "real_nsec"
            case systemSeconds = "clock_sec"
            case systemNanoseconds = "clock_nsec"
        }

        let receiverSeconds, receiverNanoseconds, systemSeconds, systemNanoseconds: Int64
    }

    /// In bytes: more than the longest line that libgps takes, GPS_JSON_RESPONSE_MAX.
    private static let longestLine = 16_384

    /// Nil where one is missing, or is no time.
    init?(line: [UInt8]) {
        guard let line = try? JSONReader.decode(Line.self, from: line, limit: Self.longestLine),
            let receiver = Self.nanoseconds(line.receiverSeconds, line.receiverNanoseconds),
            let system = Self.nanoseconds(line.systemSeconds, line.systemNanoseconds)
        else { return nil }
        self.init(receiver: receiver, system: system)
    }

    /// Nil for what is no time of this world: a receiver, or whoever speaks for it, may say anything.
    static func nanoseconds(_ seconds: Int64, _ rest: Int64) -> Int64? {
        // Up to the year 2255.
        guard (1..<9_000_000_000).contains(seconds), (0..<1_000_000_000).contains(rest) else { return nil }
        return seconds * 1_000_000_000 + rest
    }
}
