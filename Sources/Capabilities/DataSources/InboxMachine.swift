package import Observations

/// A file of an inbox as it was listed. Any change of the file changes it.
package struct FileMark: Hashable, Sendable {
    package let name: String
    package let inode: UInt64
    package let size: Int
    /// Nanoseconds since 1970.
    package let modified: Int64
    package let changed: Int64

    package init(name: String, inode: UInt64, size: Int, modified: Int64, changed: Int64) {
        (self.name, self.inode, self.size) = (name, inode, size)
        (self.modified, self.changed) = (modified, changed)
    }
}

/// Decides the order in which the files of one inbox are read, and the end of each.
///
/// A file is read when two listings have shown it unchanged, and is done with only when its readings are on the disk: until
/// then a crash leaves it where it is. Readings that were handed over before have the same IDs again.
package struct InboxMachine: Sendable {
    package enum Step: Sendable {
        /// Read the file, then call `parsed`.
        case read(FileMark)
        /// Judge the entry of this file, then call `judged`.
        case hand(ObservationItem, file: String)
        /// Wait until all readings that were handed over are on the disk, then call `kept`.
        case keep
        case nothing
    }

    /// End of a file: it is removed, or set aside beside its reasons.
    package struct Outcome: Hashable, Sendable {
        package let mark: FileMark
        /// Text of the refused entries; nil where there is none.
        package let why: String?
    }

    private struct File {
        let mark: FileMark
        let items: [ObservationItem]
        var next = 0
        var refused = 0
        /// Of the first refused entries.
        var reasons: [String] = []
    }

    /// Maximum number of files that are kept together.
    private static let batchSize = 64
    /// Number of entries after which the files are ended before another one is read: ten seconds at the rate of all sources.
    private static let batchEntries = 1_000
    /// Maximum number of refused entries that are told one by one.
    private static let mostReasons = 100

    private var listing: [String: FileMark] = [:]
    /// Files to read, by name.
    private var waiting: [FileMark] = []
    private var current: File?
    private var batch: [Outcome] = []
    /// Entries of the files of the batch.
    private var entries = 0
    /// Files that could not be moved or removed: they are left alone until they change.
    private var stuck: Set<FileMark> = []

    package init() {}

    /// Takes the files that are there now; none where the directory cannot be read.
    package mutating func listed(_ files: [FileMark]) {
        let under = Set(batch.map(\.mark.name) + [current?.mark.name].compactMap(\.self))
        waiting = files.filter { listing[$0.name] == $0 && !stuck.contains($0) && !under.contains($0.name) }
            .sorted { $0.name < $1.name }
        listing = Dictionary(files.map { ($0.name, $0) }) { first, _ in first }
        stuck = stuck.filter { listing[$0.name] == $0 }
    }

    package var next: Step {
        if let current { return .hand(current.items[current.next], file: current.mark.name) }
        if let file = waiting.first, batch.count < Self.batchSize, entries < Self.batchEntries {
            return .read(file)
        }
        return batch.isEmpty ? .nothing : .keep
    }

    /// - Parameter result: the entries of the file, at least one; or the reason why it is refused as a whole.
    package mutating func parsed(_ mark: FileMark, _ result: Result<[ObservationItem], ObservationFault>) {
        waiting.removeAll { $0.name == mark.name }
        switch result {
        case .success(let items) where !items.isEmpty: current = File(mark: mark, items: items)
        case .success: batch.append(Outcome(mark: mark, why: nil))
        case .failure(let fault):
            batch.append(Outcome(mark: mark, why: "\(mark.name) was refused.\n\(mark.name): \(fault)\n"))
        }
    }

    /// - Parameter fault: nil if the entry was taken.
    package mutating func judged(_ fault: ObservationFault?) {
        guard var file = current else { return }
        if let fault {
            file.refused += 1
            if file.reasons.count < Self.mostReasons {
                file.reasons.append("\(file.items[file.next].place): \(fault)")
            }
        }
        file.next += 1
        current = file
        guard file.next == file.items.count else { return }
        current = nil
        entries += file.items.count
        batch.append(Outcome(mark: file.mark, why: file.refused == 0 ? nil : Self.text(of: file)))
    }

    private static func text(of file: File) -> String {
        let head =
            "\(file.refused) of \(file.items.count) entries of \(file.mark.name) were refused; the others are "
            + "taken. Correct the file and drop it again: an entry that was taken is not doubled."
        let rest = file.refused - file.reasons.count
        return ([head] + file.reasons + (rest > 0 ? ["and \(rest) more"] : [])).joined(separator: "\n") + "\n"
    }

    /// All readings that were handed over are on the disk.
    ///
    /// - Returns: the end of each file that is done.
    package mutating func kept() -> [Outcome] {
        defer { (batch, entries) = ([], 0) }
        return batch
    }

    /// The file could not be moved or removed.
    package mutating func failed(_ mark: FileMark) { stuck.insert(mark) }

    /// A file that could not be moved or removed; nil where there is none.
    package var stuckFile: String? { stuck.map(\.name).min() }
}
