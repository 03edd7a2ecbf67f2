/// Form of a file that a program drops.
public enum ObservationFormat: String, CaseIterable, Hashable, Sendable {
    /// A FHIR Observation, or a Bundle of Observations.
    case json
    /// A FHIR Observation a line.
    case ndjson
    case csv

    /// The form by the suffix of the name; nil for any other.
    public init?(fileName name: String) {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        self.init(rawValue: name[name.index(after: dot)...].lowercased())
    }
}

/// Reader of the files and lines that programs of the house hand over.
///
/// Pure. Every entry is judged by itself. Its plausibility and its time are judged by `ObservationRules`.
public enum ObservationParser {
    /// Maximum size of a file in bytes: some 20,000 rows.
    public static let largestFile = 1 << 20
    /// Maximum number of entries of a file. Each costs some 300 bytes of memory until the file is done with.
    public static let mostEntries = 20_000
    /// Maximum number of values in a JSON text: one for each 16 bytes. An Observation has one for each 18.
    static let mostJSONValues = largestFile / 16
    /// Maximum length of a line in bytes. An Observation has some 700.
    public static let longestLine = 16_384

    /// - Throws: the reason why the file as a whole cannot be read.
    public static func items(
        in bytes: [UInt8], _ format: ObservationFormat
    ) throws(ObservationFault) -> [ObservationItem] {
        guard bytes.count <= largestFile else {
            throw ObservationFault(
                seen: "\(bytes.count) bytes", expected: "at most \(largestFile)",
                remedy: "divide it into several files")
        }
        let items =
            switch format {
            case .json: try FHIRObservations.items(bytes)
            case .ndjson: try lines(bytes)
            case .csv: try rows(bytes)
            }
        guard !items.isEmpty else {
            throw ObservationFault(
                seen: "no entry", expected: "at least one value", remedy: "leave an empty file out")
        }
        return items
    }

    /// Reads one line of a stream: an Observation, or `time,kind,value,unit[,id]`.
    public static func entry(inLine line: [UInt8]) -> Result<ObservationEntry, ObservationFault> {
        guard line.count <= longestLine else {
            return .failure(
                ObservationFault(
                    seen: "a line of \(line.count) bytes", expected: "at most \(longestLine)",
                    remedy: "write one value a line"))
        }
        let first = line.first { !isSpace($0) }
        return first == UInt8(ascii: "{")
            ? FHIRObservations.observation(line, limit: longestLine) : CSVObservations.line(line)
    }

    private static func lines(_ bytes: [UInt8]) throws(ObservationFault) -> [ObservationItem] {
        try checkLines(of: bytes, most: mostEntries)
        return bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
            .compactMap { index, line in
                guard line.contains(where: { !isSpace($0) }) else { return nil }
                let entry: Result<ObservationEntry, ObservationFault> =
                    line.count > longestLine
                    ? self.entry(inLine: Array(line))
                    : FHIRObservations.observation(Array(line), limit: longestLine)
                return ObservationItem("line \(index + 1)", entry)
            }
    }

    private static func rows(_ bytes: [UInt8]) throws(ObservationFault) -> [ObservationItem] {
        // The headings are a line of their own.
        try checkLines(of: bytes, most: mostEntries + 1)
        return try CSVObservations.items(bytes)
    }

    /// Counts the lines before anything is made of them. A line break within quotation marks counts, too.
    private static func checkLines(of bytes: [UInt8], most: Int) throws(ObservationFault) {
        var count = 0
        var hasContent = false
        for byte in bytes {
            let isBreak = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
            if isBreak {
                hasContent = false
            } else if !hasContent, !isSpace(byte) {
                (hasContent, count) = (true, count + 1)
            }
        }
        guard count <= most else { throw tooMany(count, "lines", most: most) }
    }

    static func tooMany(_ count: Int, _ parts: String, most: Int) -> ObservationFault {
        ObservationFault(
            seen: "\(count) \(parts)", expected: "at most \(most) in a file",
            remedy: "divide it into several files; nothing of it was taken")
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
