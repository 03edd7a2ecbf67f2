import ControlContract
import FoundationEssentials
import GatewayModel
import JSONReading

/// The files in which earlier versions kept the rows of `state.sqlite`: each is read once, with its own check for damage,
/// and removed when its rows are in the database. Blocking I/O.
struct EarlierStateFiles {
    /// A file that was read.
    struct File {
        let path: String
        let changes: [StateChange]
        /// Removes the file, and its mark first: a file that is gone before its mark reads as a loss.
        let remove: () throws(DiskFailure) -> Void
    }

    struct Found {
        var files: [File] = []
        /// Files that were damaged, or that the disk does not give.
        var failures: [DiskFailure] = []

        var changes: [StateChange] {
            let isDamaged = failures.contains { $0.isDamage }
            // Commands may be missing.
            return files.flatMap(\.changes) + (isDamaged ? [.clear(.commandMemory)] : [])
        }
    }

    private let directory: String
    private let marks: StateMarks?

    init(in directory: String, marks: StateMarks?) {
        (self.directory, self.marks) = (directory, marks)
    }

    /// Reads every file that is there. A damaged file is set aside; the sound lines of a file of lines count.
    func load() -> Found {
        var found = Found()
        for (name, read) in Self.lineFiles { load(name, read, into: &found) }
        for (name, read) in Self.wholeFiles { load(name, read, into: &found) }
        return found
    }

    private func load(_ name: String, _ read: ([[UInt8]]) -> [StateChange], into found: inout Found) {
        let file = CheckedLines(path: "\(directory)/\(name)", marks: marks)
        do throws(DiskFailure) {
            if let damage = try file.mend() { found.failures.append(damage) }
            guard try DurableFile.exists(file.path) else { return }
            let changes = read(try file.load().compactMap { $0.map(Array.init) })
            found.files.append(
                File(path: file.path, changes: changes) { () throws(DiskFailure) in try file.replace(with: []) }
            )
        } catch {
            found.failures.append(error)
        }
    }

    private func load(_ name: String, _ read: ([UInt8]) -> [StateChange]?, into found: inout Found) {
        let file = CheckedFile(path: "\(directory)/\(name)", marks: marks)
        do throws(DiskFailure) {
            guard let bytes = try file.load() else { return }
            guard let changes = read(bytes) else { throw try file.damage("cannot be understood") }
            found.files.append(
                File(path: file.path, changes: changes) { () throws(DiskFailure) in try file.remove() })
        } catch {
            found.failures.append(error)
        }
    }

    /// Rows of the files for a reader that changes nothing: damaged parts are left out.
    ///
    /// - Returns: also how many lines cannot be read.
    func peek(_ table: StateTable) throws(DiskFailure) -> (rows: [StateRow], unreadable: Int) {
        var (changes, unreadable) = ([StateChange](), 0)
        for (name, read) in Self.lineFiles {
            let lines = try CheckedLines(path: "\(directory)/\(name)", marks: nil).load()
            unreadable += lines.count { $0 == nil }
            changes += read(lines.compactMap { $0.map(Array.init) })
        }
        for (name, read) in Self.wholeFiles {
            let bytes = try CheckedFile(path: "\(directory)/\(name)", marks: nil).peek()
            changes += bytes.flatMap(read) ?? []
        }
        var rows: [String: StateRow] = [:]
        for case .put(table, let row) in changes { rows[row.key] = row }
        return (rows.values.sorted { $0.key < $1.key }, unreadable)
    }

    // MARK: Formats

    private static let lineFiles: [(String, @Sendable ([[UInt8]]) -> [StateChange])] = [
        ("alarms.jsonl", alarmRecords), ("commands.inbox", waitingCommands),
    ]

    private static let wholeFiles: [(String, @Sendable ([UInt8]) -> [StateChange]?)] = [
        ("beacons.jsonl", broadcasters), ("records.json", seenRecords), ("commanded.json", commandedSettings),
        ("commands.json", commands),
    ]

    /// A line for each change of an alarm: of one alarm the last line holds.
    @Sendable private static func alarmRecords(_ lines: [[UInt8]]) -> [StateChange] {
        var newest: [String: AlarmRecord] = [:]
        for line in lines {
            guard let record: AlarmRecord = decode(line) else { continue }
            newest[record.id] = newest[record.id].map(record.following) ?? record
        }
        return newest.values.sorted { $0.id < $1.id }.map(\.change)
    }

    /// Tokens of commands in the order of their arrival.
    @Sendable private static func waitingCommands(_ lines: [[UInt8]]) -> [StateChange] {
        lines.enumerated().map { number, token in
            .put(.waitingCommand, StateRow(key: StateChange.key(Int64(number)), content: token))
        }
    }

    /// A line for each wearable that broadcasts.
    @Sendable private static func broadcasters(_ bytes: [UInt8]) -> [StateChange]? {
        bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            BeaconMemory(json: Array(line))?.change
        }
    }

    @Sendable private static func seenRecords(_ bytes: [UInt8]) -> [StateChange]? {
        let marks: [String: [UInt64]]? = decode(bytes)
        return marks?.sorted { $0.key < $1.key }.map { .put(.seenRecord, $0.key, $0.value) }
    }

    /// `{"heartbeat": …, "limits": {person: …}}`
    @Sendable private static func commandedSettings(_ bytes: [UInt8]) -> [StateChange]? {
        struct Instead<Value: Codable>: Codable {
            let value: Value
            let of: Value
        }
        struct Content: Decodable {
            let heartbeat: Instead<Int64>?
            let limits: [String: [String: [String: Instead<Double>]]]?
        }
        guard let content: Content = decode(bytes) else { return nil }
        let heartbeat = content.heartbeat.map { [StateChange.put(.commandedSetting, "heartbeat", $0)] } ?? []
        let limits = (content.limits ?? [:]).sorted { $0.key < $1.key }
        return heartbeat + limits.map { .put(.commandedSetting, "limits \($0.key)", $0.value) }
    }

    /// `{"since": …, "entries": […], "sequences": {issuer: …}, "successors": {thumbprint: …}}`
    @Sendable private static func commands(_ bytes: [UInt8]) -> [StateChange]? {
        struct Outcome: Codable {
            let reason: String?
            let detail: String?
        }
        struct Entry: Codable {
            let issuer: String
            let id: String
            let digest: String
            let outcome: Outcome?
        }
        struct Journal: Decodable {
            let since: WallTime?
            let entries: [Entry]
            let sequences: [String: Int64]
            let successors: [String: String]
        }
        guard let journal: Journal = decode(bytes) else { return nil }
        let since = journal.since.map { [StateChange.put(.commandMemory, "since", $0)] } ?? []
        return since
            + journal.entries.enumerated().map { .put(.command, StateChange.key(Int64($0)), $1) }
            + journal.sequences.sorted { $0.key < $1.key }.map { .put(.commandSequence, $0.key, $0.value) }
            + journal.successors.sorted { $0.key < $1.key }.map { .put(.successorKey, $0.key, $0.value) }
    }

    private static func decode<Content: Decodable>(_ bytes: [UInt8]) -> Content? {
        try? JSONReader.decode(Content.self, from: bytes, limit: DurableFile.largest)
    }
}
