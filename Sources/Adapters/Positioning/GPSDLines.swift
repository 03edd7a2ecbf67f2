import GatewayModel

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
    static let longestLine = 10_240
    /// Per second. Four receivers at 10 Hz with all their satellites stay below a quarter of it; libgps unpacks as much
    /// in some 10 ms.
    static let bytesPerSecond = 262_144
    /// Reports that are used, per second: ten times those of a receiver at 10 Hz.
    static let reportsPerSecond = 100
    /// Lines in a row that are no message of gpsd.
    static let mostNonsense = 20

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
