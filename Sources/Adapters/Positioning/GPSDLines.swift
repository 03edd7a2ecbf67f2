import GatewayModel
import JSONReading

/// Cuts the byte stream from gpsd's port into lines, within bounds. Any program may listen at that port.
///
/// Pure: bytes and instants in, lines out. It holds one unfinished line at most.
struct GPSDLines: Sendable {
    /// Why a peer is no gpsd, or a broken one. The connection is not worth keeping.
    enum Misbehaviour: Error, Hashable, Sendable {
        case longLine
        case tooMuch
        case noReports
    }

    /// One line, with the class of message that it says it is.
    struct Line: Hashable, Sendable {
        enum Class: String, Hashable, CaseIterable, Sendable {
            case fix = "TPV"
            case pulse = "PPS"
            case message = "TOFF"
        }

        let kind: Class
        let bytes: [UInt8]
    }

    /// GPS_JSON_RESPONSE_MAX: no line of gpsd is longer.
    private static let longestLine = 10_240
    /// Per second. Four receivers at 10 Hz with all their satellites stay below a quarter of it; libgps unpacks as much
    /// in some 10 ms.
    private static let bytesPerSecond = 262_144
    /// Reports that are used, per second: ten times those of a receiver at 10 Hz.
    private static let reportsPerSecond = 100
    /// Lines in a row that are no message of gpsd.
    private static let mostNonsense = 20

    private var partial: [UInt8] = []
    private var second: BootInstant?
    private var (bytes, reports) = (0, 0)
    private var nonsense = 0

    /// The lines of interest that `chunk` completes; those of other classes are dropped.
    mutating func take(_ chunk: some Sequence<UInt8>, at now: BootInstant) throws(Misbehaviour) -> [Line] {
        if second.map({ $0.duration(to: now) >= .seconds(1) }) ?? true {
            (second, bytes, reports) = (now, 0, 0)
        }
        var lines: [Line] = []
        for byte in chunk {
            bytes += 1
            guard byte == UInt8(ascii: "\n") else {
                partial.append(byte)
                guard partial.count <= Self.longestLine else { throw .longLine }
                continue
            }
            if let line = try finish() { lines.append(line) }
        }
        guard bytes <= Self.bytesPerSecond, reports <= Self.reportsPerSecond else { throw .tooMuch }
        return lines
    }

    private mutating func finish() throws(Misbehaviour) -> Line? {
        defer { partial.removeAll(keepingCapacity: true) }
        if partial.last == UInt8(ascii: "\r") { partial.removeLast() }
        guard !partial.isEmpty else { return nil }
        guard partial.starts(with: Self.beginning) else {
            try refused()
            return nil
        }
        for kind in Line.Class.allCases where partial.dropFirst(Self.beginning.count).starts(with: kind.quoted)
        {
            reports += 1
            return Line(kind: kind, bytes: partial)
        }
        nonsense = 0
        return nil
    }

    /// A line of gpsd's form that cannot be read, or one of another form.
    mutating func refused() throws(Misbehaviour) {
        nonsense += 1
        guard nonsense < Self.mostNonsense else { throw .noReports }
    }

    /// A line was read.
    mutating func understood() { nonsense = 0 }

    private static let beginning = Array("{\"class\":\"".utf8)
}

extension GPSDLines.Line.Class {
    fileprivate var quoted: [UInt8] { Array(rawValue.utf8) + [UInt8(ascii: "\"")] }
}

extension GPSDLines.Misbehaviour {
    var words: String {
        switch self {
        case .longLine: "a line is longer than \(GPSDLines.longestLine) bytes"
        case .tooMuch:
            "more than \(GPSDLines.bytesPerSecond / 1_024) KiB or \(GPSDLines.reportsPerSecond) reports a second"
        case .noReports: "\(GPSDLines.mostNonsense) lines in a row are no message of gpsd"
        }
    }
}

/// One TPV report of gpsd (gpsd_json(5)), as libgps unpacked it; values that were not reported are nil.
struct GPSReport: Hashable, Sendable {
    /// 0 and 1: no fix, 2: two-dimensional, 3: three-dimensional. gpsd's `status` says 0 with a good
    /// fix as well, so it is not asked.
    let mode: Int32
    /// The receiver's time of the fix, nanoseconds since 1970; nil where it has none.
    let time: Int64?
    let latitude: Double?
    let longitude: Double?
    /// Metres above mean sea level.
    let altitude: Double?
    /// gpsd's `eph`, metres.
    let horizontalError: Double?

    /// Nil without a fix, or with one that is no point of the globe. NaN, gpsd's "unknown", goes no
    /// further than this.
    func fix(arrival: Moment) -> Fix? {
        guard mode >= 2, let latitude, let longitude,
            let coordinates = Coordinates(latitude: latitude, longitude: longitude)
        else { return nil }
        return Fix(
            coordinates: coordinates, altitude: mode >= 3 ? altitude?.known(within: Self.heights) : nil,
            horizontalError: horizontalError?.known(within: Self.errors), arrival: arrival)
    }

    /// From below the deepest sea to where satellites fly, and up to half way round the earth, in metres: a
    /// value beyond says nothing, and has no room in a whole number.
    private static let (heights, errors) = (-20_000.0...20_000_000, 0.0...20_000_000)
}

extension Double {
    /// Nil for NaN as well.
    fileprivate func known(within range: ClosedRange<Double>) -> Double? { range.contains(self) ? self : nil }
}

/// Time of the receiver's clock beside the time of the system's clock at the same instant, nanoseconds since
/// 1970: gpsd's PPS and TOFF (gpsd_json(5)).
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

    /// Nil for an impossible time: a receiver, or a program that speaks for it, may send any value.
    static func nanoseconds(_ seconds: Int64, _ rest: Int64) -> Int64? {
        // Up to the year 2255.
        guard (1..<9_000_000_000).contains(seconds), (0..<1_000_000_000).contains(rest) else { return nil }
        return seconds * 1_000_000_000 + rest
    }
}
