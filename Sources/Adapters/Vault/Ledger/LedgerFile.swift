public import Consent
import FoundationEssentials
public import GatewayModel
import Synchronization

/// The consent ledger on disk: `ledger.jsonl`, an append-only file with one line an entry, and `ledger.head`, which
/// records the end of the ledger. Each line contains the hash of the line before.
///
/// New lines are written to the head first and to the ledger afterwards. After a power cut at any moment, either all of
/// them can be restored or none of them were written. Blocking I/O: one thread at a time, never the SOS thread.
public final class LedgerFile: Sendable {
    private struct State: Sendable {
        /// Position of the next line.
        var end: LedgerHead
        /// Lines that are in the head, and may be missing or incomplete in the ledger.
        var begun: LedgerHead?
        /// Entries that could not be written yet.
        var unwritten: [ConsentEntry] = []
    }

    /// State of the files in a directory.
    public enum Found: Sendable {
        /// There is no ledger.
        case nothing
        /// - Parameter isCompleted: a power cut interrupted the last write, and the lines have been completed.
        case entries([ConsentEntry], isCompleted: Bool)
        /// The files were damaged and set aside, and another ledger is begun. The readable entries may be modified or
        /// incomplete.
        case damage([LedgerFlaw], readable: [ConsentEntry], asidePath: String)
    }

    private let paths: LedgerPaths
    private let gateway: GatewayID
    private let marks: StateMarks?
    /// Failure that made the directory unusable; nil if entries can be appended.
    private let failure: DiskFailure?
    private let state: Mutex<State>

    /// Opens the ledger. Completes lines that a power cut tore, and sets a damaged ledger aside.
    ///
    /// - Parameters:
    ///   - directory: absolute; no other process writes there.
    ///   - now: for the names of files that are set aside.
    ///   - marks: the marks of this directory. A ledger that ends before its mark is damaged: a withdrawal may be
    ///     missing.
    public static func open(
        in directory: String, of gateway: GatewayID, at now: WallTime, marks: StateMarks? = nil
    ) throws(DiskFailure) -> (file: LedgerFile, found: Found) {
        let paths = LedgerPaths(directory: directory)
        let (ledger, head) = (try readable(paths.ledger), try readable(paths.head))
        let walk = LedgerWalk(ledger: ledger.bytes, head: head.bytes)
        let end = walk.head?.end
        let flaws =
            walk.flaws + (ledger.isBad ? [.unreadableLedger] : []) + (head.isBad ? [.unreadableHead] : [])
            + behind(marks, end)
        guard flaws.isEmpty, walk.gateway ?? gateway == gateway else {
            let aside = try paths.setAside(at: now)
            marks?.note(markName, 0, isSynced: true)
            let file = LedgerFile(paths, gateway, end: .beginning, marks)
            return (file, .damage(flaws, readable: walk.entries, asidePath: aside))
        }
        guard let head = walk.head else {
            return (LedgerFile(paths, gateway, end: .beginning, marks), .nothing)
        }
        let file = LedgerFile(paths, gateway, end: head.end, marks)
        if walk.isTailTorn { try file.complete(head) }
        file.note(head.end)
        return (file, .entries(walk.entries, isCompleted: walk.isTailTorn))
    }

    static let markName = "ledger.jsonl"

    /// Returns nil bytes if there is no file, or if the path is not a readable file. `isBad` is true only in the second
    /// case.
    private static func readable(_ path: String) throws(DiskFailure) -> (bytes: [UInt8]?, isBad: Bool) {
        do throws(DiskFailure) {
            return (try DurableFile.read(path), false)
        } catch {
            guard error.isDamage || error.isForbidden else { throw error }
            return (nil, true)
        }
    }

    private static func behind(_ marks: StateMarks?, _ end: LedgerHead?) -> [LedgerFlaw] {
        // Lines count from 0, marks from 1. Mark 0 stands for a ledger without lines.
        guard let mark = marks?[markName], mark.sequence > 0 else { return [] }
        let (found, least) = (end?.seq ?? -1, mark.sequence - 1)
        let isOther = found == least && end?.hash != mark.detail
        return found < least || isOther ? [.behind(line: found, ofAtLeast: least)] : []
    }

    private func note(_ end: LedgerHead) {
        marks?.note(Self.markName, end.seq + 1, detail: end.hash)
    }

    /// Creates the ledger of an unreadable directory. Nothing is written there, so that existing files stay unchanged.
    public init(unusable directory: String, of gateway: GatewayID, because failure: DiskFailure) {
        (paths, self.gateway, self.failure) = (LedgerPaths(directory: directory), gateway, failure)
        marks = nil
        state = Mutex(State(end: .beginning))
    }

    private init(_ paths: LedgerPaths, _ gateway: GatewayID, end: LedgerHead, _ marks: StateMarks?) {
        (self.paths, self.gateway, self.marks, failure) = (paths, gateway, marks, nil)
        state = Mutex(State(end: end))
    }

    /// Appends entries; durable on return, together with all earlier unwritten entries. If it throws, the entries are
    /// kept and written with the next call.
    ///
    /// - Returns: the new end of the ledger.
    @discardableResult
    public func append(_ entries: [ConsentEntry], at now: WallTime) throws(DiskFailure) -> LedgerMark {
        if let failure { throw failure }
        let result = state.withLock { state -> Result<LedgerMark, DiskFailure> in
            state.unwritten += entries
            do throws(DiskFailure) {
                try write(&state, at: now)
                return .success(state.end.mark)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// End of the written ledger. Waits for an append in progress.
    public var mark: LedgerMark {
        state.withLock(\.end.mark)
    }

    /// Whether entries wait to be written.
    public var hasUnwritten: Bool { state.withLock { $0.begun != nil || !$0.unwritten.isEmpty } }

    private func write(_ state: inout State, at now: WallTime) throws(DiskFailure) {
        if let begun = state.begun {
            try complete(begun)
            (state.begun, state.end) = (nil, begun.end)
        }
        guard !state.unwritten.isEmpty else { return }
        var head = state.end
        var previous = head.hash
        func add(_ line: LedgerLine) {
            let bytes = line.bytes
            previous = LedgerHash.of(bytes)
            head.next.append(String(decoding: bytes, as: UTF8.self))
        }
        if head.seq < 0 { add(LedgerLine(beginning: gateway, at: now)) }
        for entry in state.unwritten { add(LedgerLine(entry, after: previous)) }
        try DurableFile.replace(paths.head, with: head.bytes)
        // From here on the entries can be restored from the head, even if the append fails.
        (state.begun, state.unwritten) = (head, [])
        try DurableFile.append(head.tail, to: paths.ledger)
        (state.begun, state.end) = (nil, head.end)
        note(head.end)
    }

    /// Replaces the last lines in the ledger with the complete lines of the head.
    private func complete(_ head: LedgerHead) throws(DiskFailure) {
        if try DurableFile.exists(paths.ledger) { try DurableFile.cut(paths.ledger, to: head.size) }
        try DurableFile.append(head.tail, to: paths.ledger)
    }
}

/// The two files of a ledger.
struct LedgerPaths: Sendable {
    let ledger: String
    let head: String

    init(directory: String) {
        ledger = directory + "/ledger.jsonl"
        head = directory + "/ledger.head"
    }

    /// Renames both files.
    /// - Returns: the new path of the ledger. The head is beside it.
    func setAside(at now: WallTime) throws(DiskFailure) -> String {
        let suffix = ".damaged-\(now.millisecondsSince1970)"
        for path in [ledger, head] where try DurableFile.exists(path) {
            try DurableFile.move(path, to: path + suffix)
        }
        return ledger + suffix
    }
}
