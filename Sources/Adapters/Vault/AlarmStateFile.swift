import FoundationEssentials
public import GatewayModel
import JSONReading
public import SOSLocal

/// The alarms that are open, kept over a restart of the gateway or of the machine (T6).
///
/// One JSON file and its copy, replaced as a whole at every change. Its instants belong to the boot that it names.
public struct AlarmStateFile: Sendable {
    /// What an earlier run left behind.
    public struct Kept: Sendable {
        /// Of another boot, its instants are moved so that it was taken now.
        public let snapshot: SOSSnapshot
        public let absence: Absence
    }

    /// The file is there and cannot be understood.
    public struct Damaged: Error, CustomStringConvertible, Sendable {
        public let description: String
    }

    /// What says how the rest is to be read.
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
    /// The first that can be read counts. Twice, because nothing in the house is worth more than an alarm that is open.
    private let files: [CheckedFile]
    private let boot: String

    /// - Parameters:
    ///   - path: absolute.
    ///   - boot: the id of this boot of the machine.
    ///   - marks: of its directory.
    public init(path: String, boot: String, marks: StateMarks? = nil) {
        (self.path, self.boot) = (path, boot)
        let copy = path.hasSuffix(".json") ? path.dropLast(5) + "-copy.json" : path + "-copy"
        files = [path, String(copy)].map { CheckedFile(path: $0, marks: marks) }
    }

    /// Durable when it returns. Where nothing is open there is no file.
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

    /// Nil where nothing was open.
    ///
    /// - Parameter onDamage: called for a file that was damaged while its copy could be read: nothing is lost.
    /// - Throws: `DiskFailure`; `Damaged`, after the files were set aside.
    public func load(at now: Moment, onDamage: (DiskFailure) -> Void = { _ in }) throws -> Kept? {
        var found: (kept: Kept, bytes: [UInt8])?
        var failures: [any Error] = []
        for (index, file) in files.enumerated() {
            do {
                guard let bytes = try file.load() else {
                    // The last alarm had ended, and the power was cut before the copy was removed, too.
                    if index == 0, file.isKnownAbsent { break }
                    continue
                }
                found = try found ?? (read(bytes, at: now, from: file), bytes)
            } catch {
                failures.append(error)
            }
        }
        let kept = found?.kept
        // Both are as they were again, before anything changes.
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
