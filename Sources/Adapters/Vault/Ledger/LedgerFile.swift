public import Consent
import FoundationEssentials
public import GatewayModel
import Synchronization

/// The consent ledger on disk: `ledger.jsonl`, one line an entry, each bound to the one before by its hash and only
/// ever appended, and `ledger.head`, which says how far it goes.
///
/// What is appended is written to the head first and to the ledger then: a power cut at any moment leaves either
/// nothing of it or all. Blocking I/O: one thread at a time, never the SOS thread.
public final class LedgerFile: Sendable {
    private struct State: Sendable {
        /// Where the next line is added.
        var end: LedgerHead
        /// In the head, and not or not wholly in the ledger.
        var begun: LedgerHead?
        /// Entries that the disk did not take.
        var unwritten: [ConsentEntry] = []
    }

    /// What was found in a directory.
    public enum Found: Sendable {
        /// No decision was ever written here.
        case nothing
        /// - Parameter isCompleted: the power was cut while the last entries were written, and they are whole now.
        case entries([ConsentEntry], isCompleted: Bool)
        /// The files are set aside and another ledger is begun; these entries could be read, and nobody can say
        /// whether they are as they were written, or all.
        case damage([LedgerFlaw], readable: [ConsentEntry], asidePath: String)
    }

    private let paths: LedgerPaths
    private let gateway: GatewayID
    private let marks: StateMarks?
    /// Why nothing can be added to what is there.
    private let failure: DiskFailure?
    private let state: Mutex<State>

    /// Reads what there is, completes what a power cut tore, and sets aside what is damaged.
    ///
    /// - Parameters:
    ///   - directory: absolute; nobody else writes there.
    ///   - now: for the name of what is set aside.
    ///   - marks: of this directory. A ledger that ends before its mark is damaged: a withdrawal may be gone.
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

    private static let markName = "ledger.jsonl"

    /// Nil bytes where there is no file, or where there is something else than a file that can be read.
    private static func readable(_ path: String) throws(DiskFailure) -> (bytes: [UInt8]?, isBad: Bool) {
        do throws(DiskFailure) {
            return (try DurableFile.read(path), false)
        } catch {
            guard error.isDamage || error.isForbidden else { throw error }
            return (nil, true)
        }
    }

    private static func behind(_ marks: StateMarks?, _ end: LedgerHead?) -> [LedgerFlaw] {
        // Lines count from 0, marks from 1: 0 is a ledger without any.
        guard let mark = marks?[markName], mark.sequence > 0 else { return [] }
        let (found, least) = (end?.seq ?? -1, mark.sequence - 1)
        let isOther = found == least && end?.hash != mark.detail
        return found < least || isOther ? [.behind(line: found, ofAtLeast: least)] : []
    }

    private func note(_ end: LedgerHead) {
        marks?.note(Self.markName, end.seq + 1, detail: end.hash)
    }

    /// Of a directory that could not be read: nothing is written there, so that what there is stays as it is.
    public init(unusable directory: String, of gateway: GatewayID, because failure: DiskFailure) {
        (paths, self.gateway, self.failure) = (LedgerPaths(directory: directory), gateway, failure)
        marks = nil
        state = Mutex(State(end: .beginning))
    }

    private init(_ paths: LedgerPaths, _ gateway: GatewayID, end: LedgerHead, _ marks: StateMarks?) {
        (self.paths, self.gateway, self.marks, failure) = (paths, gateway, marks, nil)
        state = Mutex(State(end: end))
    }

    /// Durable when it returns, with all that was not written before. What it throws for is kept, and written the
    /// next time.
    ///
    /// - Returns: where the ledger ends now.
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

    /// Where it ends, by what is written; waits for an append that is going on.
    public var mark: LedgerMark {
        state.withLock(\.end.mark)
    }

    /// Whether the disk owes something.
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
        // From here on they are written, come what may.
        (state.begun, state.unwritten) = (head, [])
        try DurableFile.append(head.tail, to: paths.ledger)
        (state.begun, state.end) = (nil, head.end)
        note(head.end)
    }

    /// Whatever the disk has of the last lines, it has them whole now.
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

    /// - Returns: where the ledger is now, with its head beside it.
    func setAside(at now: WallTime) throws(DiskFailure) -> String {
        let suffix = ".damaged-\(now.millisecondsSince1970)"
        for path in [ledger, head] where try DurableFile.exists(path) {
            try DurableFile.move(path, to: path + suffix)
        }
        return ledger + suffix
    }
}
