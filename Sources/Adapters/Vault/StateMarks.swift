import Glibc
import Synchronization

/// High-water marks of the files in a state directory, kept in a file of their own: a store that is gone, or holds
/// less than was written to it, is noticed at the next start.
///
/// `state.marks` has one line of fixed length for each store, overwritten in place. A mark is written after the store
/// has taken the change, so it never claims more than was written: a write of it that fails, or that a power cut takes,
/// only makes the check weaker. A line that is new is synced: ext4 may keep the longer file over a power cut without its
/// last bytes, which would read as damage. Blocking I/O; any thread.
public final class StateMarks: Sendable {
    /// State of one store.
    public struct Mark: Hashable, Sendable {
        /// Grows with each change of the store; 0 where the store keeps nothing.
        public var sequence: Int64
        /// The last sequence that was on the disk for sure: a power cut does not take it.
        public var durable: Int64
        /// A hash or a count that belongs to `sequence`; no spaces.
        public var detail: String
        /// ID of the machine's boot in which it was written.
        public var boot: String
    }

    /// Changes that a store has lost.
    public enum Loss: Hashable, Sendable {
        /// They were written in this boot, or synced before: the file was damaged.
        case damage(changes: Int64)
        /// They were not synced yet when the power failed.
        case powerCut(changes: Int64)
    }

    private struct State {
        var marks: [String: Mark] = [:]
        /// Names in the order of their lines.
        var lines: [String] = []
        var descriptor: Int32 = -1
    }

    private static let lineLength = 256
    static let fileName = "state.marks"

    private let path: String
    private let boot: String
    private let state: Mutex<State>
    /// Why earlier marks could not be read, all or some of them. Nothing else is lost by that.
    public let damage: String?

    /// - Parameters:
    ///   - directory: absolute.
    ///   - boot: ID of this boot of the machine.
    public init(in directory: String, boot: String) {
        path = directory + "/" + Self.fileName
        self.boot = boot
        var state = State()
        var damage: String?
        do throws(DiskFailure) {
            let bytes = try DurableFile.read(path) ?? []
            let found = Self.parse(bytes)
            (state.marks, state.lines) = (found.marks, found.names)
            let bad = found.bad
            damage = bad == 0 ? nil : "\(path): \(bad) of \(bad + found.names.count) lines cannot be read"
            if bad > 0 {
                let kept = state
                try DurableFile.replace(path, with: state.lines.flatMap { Self.line($0, kept.marks[$0]) })
            }
        } catch {
            damage = error.description
            _ = try? DurableFile.setAside(path)
        }
        self.damage = damage
        self.state = Mutex(state)
    }

    deinit {
        let descriptor = state.withLock(\.descriptor)
        if descriptor >= 0 { close(descriptor) }
    }

    public subscript(name: String) -> Mark? { state.withLock { $0.marks[name] } }

    /// Records how far a store has come. The disk may fail: the earlier mark holds then.
    ///
    /// - Parameters:
    ///   - durable: nil where the disk has it for sure up to `sequence`.
    ///   - isSynced: the mark is on the disk when this returns. Needed before a store is shortened.
    public func note(
        _ name: String, _ sequence: Int64, durable: Int64? = nil, detail: String = "-", isSynced: Bool = false
    ) {
        let mark = Mark(sequence: sequence, durable: durable ?? sequence, detail: detail, boot: boot)
        let written: (descriptor: Int32, isNew: Bool)? = state.withLock { state in
            guard state.marks[name] != mark else { return nil }
            state.marks[name] = mark
            let isNew = !state.lines.contains(name)
            if isNew { state.lines.append(name) }
            guard let place = state.lines.firstIndex(of: name) else { return nil }
            if state.descriptor < 0 { state.descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600) }
            let offset = off_t(place * Self.lineLength)
            let line = Self.line(name, mark)
            _ = line.withUnsafeBytes { pwrite(state.descriptor, $0.baseAddress, $0.count, offset) }
            return (state.descriptor, isNew)
        }
        // Outside the lock: other stores write their marks meanwhile.
        if let written, isSynced || written.isNew { fdatasync(written.descriptor) }
    }

    /// Compares a store with its mark.
    ///
    /// - Parameter found: the sequence that the store has now.
    /// - Returns: nil where nothing is missing.
    public func loss(of name: String, found: Int64) -> Loss? {
        guard let mark = self[name], found < mark.sequence else { return nil }
        let changes = mark.sequence - found
        return mark.boot != boot && found >= mark.durable
            ? .powerCut(changes: changes) : .damage(changes: changes)
    }

    /// Sets a damaged file of the directory aside.
    ///
    /// - Returns: its path then.
    public func setAside(_ name: String) throws(DiskFailure) -> String {
        let directory = path.dropLast(Self.fileName.utf8.count + 1)
        let aside = try DurableFile.setAside("\(directory)/\(name)")
        note(name, 0, isSynced: true)
        return aside
    }

    // MARK: Lines

    /// Marks of the lines that can be read, the names in their order, and the number of the others.
    static func parse(_ bytes: [UInt8]) -> (marks: [String: Mark], names: [String], bad: Int) {
        let lines = stride(from: 0, to: bytes.count, by: lineLength).map {
            parse(bytes[$0..<min($0 + lineLength, bytes.count)])
        }
        var (marks, names): ([String: Mark], [String]) = ([:], [])
        for (name, mark) in lines.compactMap(\.self) where marks[name] == nil {
            marks[name] = mark
            names.append(name)
        }
        return (marks, names, lines.count { $0 == nil })
    }

    private static func line(_ name: String, _ mark: Mark?) -> [UInt8] {
        guard let mark else { return [] }
        let body = "\(name) \(mark.sequence) \(mark.durable) \(mark.detail) \(mark.boot)"
        let text = "\(body) \(LedgerHash.of(body.utf8).prefix(16))"
        let room = lineLength - 1 - text.utf8.count
        return Array(text.utf8) + [UInt8](repeating: UInt8(ascii: " "), count: max(room, 0))
            + [UInt8(ascii: "\n")]
    }

    private static func parse(_ bytes: ArraySlice<UInt8>) -> (String, Mark)? {
        guard bytes.count == lineLength, bytes.last == UInt8(ascii: "\n") else { return nil }
        let words = String(decoding: bytes.dropLast(), as: UTF8.self).split(separator: " ").map(String.init)
        guard words.count == 6, let sequence = Int64(words[1]), let durable = Int64(words[2]) else {
            return nil
        }
        let mark = Mark(sequence: sequence, durable: durable, detail: words[3], boot: words[4])
        return line(words[0], mark).elementsEqual(bytes) ? (words[0], mark) : nil
    }
}
