import FoundationEssentials
public import GatewayModel
import JSONReading
public import SOSLocal

/// How every alarm went (T8): one JSON object a line, only ever appended to; of one alarm the last line holds.
///
/// An alarm gives a line at every change, so the file is made smaller from time to time: one line an alarm, of
/// the newest `alarmsKept`. Blocking I/O: not for the SOS thread.
public struct AlarmJournal: Sendable {
    /// One every day for more than five years; 2 to 4 MB.
    public static let alarmsKept = 2_000
    /// At which size it is looked at for what can go: at least twice what is kept, so that this is rare.
    public static let largestSize = 8 << 20

    public var path: String { file.path }
    private let file: CheckedLines
    private let kept: Int
    private let largest: Int

    /// - Parameters:
    ///   - path: absolute.
    ///   - kept: alarms that are never thrown away, the newest.
    ///   - largest: beyond so many bytes the file is made smaller.
    ///   - marks: of its directory; nil for a reader.
    public init(
        path: String, kept: Int = AlarmJournal.alarmsKept, largest: Int = AlarmJournal.largestSize,
        marks: StateMarks? = nil
    ) {
        file = CheckedLines(path: path, marks: marks)
        self.kept = kept
        self.largest = largest
    }

    /// Durable when it returns.
    public func append(_ records: [AlarmRecord]) throws(DiskFailure) {
        try file.append(Self.lines(records))
        if try DurableFile.size(path) > largest { try compact() }
    }

    /// Before anything is appended: sets a damaged file aside, and goes on with the records that are sound.
    ///
    /// - Returns: the damage; nil where there is none.
    public func mend() throws(DiskFailure) -> DiskFailure? { try file.mend() }

    /// Of each alarm what is known last, the newest alarm first; and how many lines could not be read.
    public func load() throws(DiskFailure) -> (records: [AlarmRecord], unreadable: Int) {
        var newest: [String: AlarmRecord] = [:]
        var unreadable = 0
        for line in try file.load() {
            guard
                let record = line.flatMap({
                    try? JSONReader.decode(AlarmRecord.self, from: $0, limit: DurableFile.largestLine)
                })
            else {
                unreadable += 1
                continue
            }
            newest[record.id] = newest[record.id].map(record.following) ?? record
        }
        let records = newest.values.sorted { ($0.crossing, $0.id) > ($1.crossing, $1.id) }
        return (records, unreadable)
    }

    /// What became of an erasure.
    public struct Erased: Hashable, Sendable {
        public let count: Int
        /// Of alarms that are open.
        public let spared: Int
    }

    /// Rewrites the file without a person's alarms. Not overwritten on the disk: a card keeps old blocks where it
    /// likes.
    ///
    /// - Parameter open: alarms whose record is still growing; they stay.
    public func erase(_ person: PersonID, sparing open: Set<AlarmID>) throws(DiskFailure) -> Erased {
        let records = try load().records
        let theirs = records.filter { $0.person == person.text }
        let spared = Set(open.map(\.description)).intersection(theirs.map(\.id))
        let erased = Erased(count: theirs.count - spared.count, spared: spared.count)
        guard erased.count > 0 else { return erased }
        let kept = records.filter { $0.person != person.text || spared.contains($0.id) }
        try file.replace(with: Self.lines(kept.reversed()))
        return erased
    }

    /// What cannot be read goes too: it is nobody's record any more.
    private func compact() throws(DiskFailure) {
        let records = try load().records.prefix(kept)
        try file.replace(with: Self.lines(records.reversed()))
    }

    private static func lines(_ records: [AlarmRecord]) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Texts, numbers and truths always encode.
        return records.flatMap { CheckedLine.seal([UInt8]((try? encoder.encode($0)) ?? Data())) }
    }
}
