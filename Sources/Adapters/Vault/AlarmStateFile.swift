import FoundationEssentials
public import GatewayModel
import JSONReading
public import SOSLocal

/// Storage of the open alarms. They survive a restart of the gateway or of the machine (T6).
///
/// One JSON file and its copy. Each change replaces both as a whole. The instants in it belong to the boot that the
/// file names.
public struct AlarmStateFile: Sendable {
    /// State that an earlier run saved.
    public struct Kept: Sendable {
        /// Instants from another boot are shifted, as if the snapshot had been taken now.
        public let snapshot: SOSSnapshot
        public let absence: Absence
    }

    /// The file exists and cannot be decoded.
    public struct Damaged: Error, CustomStringConvertible, Sendable {
        public let description: String
    }

    /// The members that are needed to decode the rest.
    private struct Head: Codable {
        let boot: String
        let taken: BootInstant
    }

    private struct Content: Codable {
        let boot: String
        let taken: BootInstant
        let snapshot: SOSSnapshot
    }

    public let path: String
    /// The file and its copy. The first readable one counts. There are two because open alarms are the most valuable
    /// data in the house.
    private let files: [CheckedFile]
    private let boot: String

    /// - Parameters:
    ///   - path: absolute.
    ///   - boot: the id of this boot of the machine.
    ///   - marks: the marks of the file's directory.
    public init(path: String, boot: String, marks: StateMarks? = nil) {
        (self.path, self.boot) = (path, boot)
        let copy = path.hasSuffix(".json") ? path.dropLast(5) + "-copy.json" : path + "-copy"
        files = [path, String(copy)].map { CheckedFile(path: $0, marks: marks) }
    }

    /// Saves the snapshot; durable on return. Removes the files if no alarm is open.
    public func save(_ snapshot: SOSSnapshot) throws(DiskFailure) {
        guard !snapshot.isEmpty else {
            for file in files { try file.remove() }
            return
        }
        let content = Content(boot: boot, taken: snapshot.taken, snapshot: snapshot)
        // Names, numbers and texts always encode.
        let bytes = (try? JSONEncoder().encode(content)).map { [UInt8]($0) } ?? []
        for file in files { try file.save(bytes) }
    }

    /// Returns the saved state; nil if no alarm was open.
    ///
    /// - Parameter onDamage: called for a damaged file if its copy was readable. No data is lost then.
    /// - Throws: `DiskFailure`; `Damaged`, after both files were set aside.
    public func load(at now: Moment, onDamage: (DiskFailure) -> Void = { _ in }) throws -> Kept? {
        var found: (kept: Kept, bytes: [UInt8])?
        var failures: [any Error] = []
        for (index, file) in files.enumerated() {
            do {
                guard let bytes = try file.load() else {
                    // The last alarm had ended, and the power failed before the copy was removed as well.
                    if index == 0, file.isKnownAbsent { break }
                    continue
                }
                found = try found ?? (read(bytes, at: now, from: file), bytes)
            } catch {
                failures.append(error)
            }
        }
        let kept = found?.kept
        // Both files are repaired before the state changes.
        if let found, !failures.isEmpty { for file in files { try? file.save(found.bytes) } }
        guard let kept else {
            guard let failure = failures.first else { return nil }
            guard let damage = failure as? DiskFailure, damage.isDamage else { throw failure }
            throw Damaged(description: "\(damage); an alarm that was open is not known any more")
        }
        for case let damage as DiskFailure in failures { onDamage(damage) }
        return kept
    }

    private func read(_ bytes: [UInt8], at now: Moment, from file: CheckedFile) throws -> Kept {
        do {
            let limit = DurableFile.largest
            let head: Head = try JSONReader.decode(from: bytes, limit: limit)
            let isSameBoot = head.boot == boot
            var shift: [CodingUserInfoKey: any Sendable] = [:]
            if !isSameBoot, let key = BootInstant.shift { shift[key] = head.taken.duration(to: now.boot) }
            let content: Content = try JSONReader.decode(from: bytes, limit: limit, userInfo: shift)
            guard content.snapshot.isSound else {
                throw Damaged(description: "a count or an interval that no alarm has")
            }
            guard !isSameBoot else { return Kept(snapshot: content.snapshot, absence: .known) }
            return Kept(snapshot: content.snapshot.withFixAged(at: now), absence: .unknown)
        } catch {
            throw try file.damage("cannot be understood (\(error))")
        }
    }
}

extension AlarmStateFile {
    /// Whether the bytes of a saved file, or of its copy, hold an alarm that is open and no drill. True where they cannot be
    /// understood: an alarm may be in them.
    public static func mayHoldOpenAlarm(_ bytes: [UInt8]) -> Bool {
        guard let content = CheckedFile.content(of: bytes),
            let saved: Content = try? JSONReader.decode(from: content, limit: DurableFile.largest)
        else { return true }
        return saved.snapshot.watches.contains { watch in
            watch.alarms.contains { $0.isOpen && !$0.cause.isDrill }
        }
    }

    /// The same of the files in a state directory; false where there is none. Blocking I/O.
    public static func mayHoldOpenAlarm(in directory: String) -> Bool {
        for name in ["alarms.json", "alarms-copy.json"] {
            if let bytes = try? DurableFile.read("\(directory)/\(name)") { return mayHoldOpenAlarm(bytes) }
        }
        return false
    }
}
