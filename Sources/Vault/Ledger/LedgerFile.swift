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
    /// Why nothing can be added to what is there.
    private let failure: DiskFailure?
    private let state: Mutex<State>

    /// Reads what there is, completes what a power cut tore, and sets aside what is damaged.
    ///
    /// - Parameters:
    ///   - directory: absolute; nobody else writes there.
    ///   - now: for the name of what is set aside.
    public static func open(
        in directory: String, of gateway: GatewayID, at now: WallTime
    ) throws(DiskFailure) -> (file: LedgerFile, found: Found) {
        let paths = LedgerPaths(directory: directory)
        let walk = LedgerWalk(
            ledger: try DurableFile.read(paths.ledger), head: try DurableFile.read(paths.head))
        guard walk.flaws.isEmpty, walk.gateway ?? gateway == gateway else {
            let aside = try paths.setAside(at: now)
            let file = LedgerFile(paths, gateway, end: .beginning)
            return (file, .damage(walk.flaws, readable: walk.entries, asidePath: aside))
        }
        guard let head = walk.head else { return (LedgerFile(paths, gateway, end: .beginning), .nothing) }
        let file = LedgerFile(paths, gateway, end: head.end)
        if walk.isTailTorn { try file.complete(head) }
        return (file, .entries(walk.entries, isCompleted: walk.isTailTorn))
    }

    /// Of a directory that could not be read: nothing is written there, so that what there is stays as it is.
    public init(unusable directory: String, of gateway: GatewayID, because failure: DiskFailure) {
        (paths, self.gateway, self.failure) = (LedgerPaths(directory: directory), gateway, failure)
        state = Mutex(State(end: .beginning))
    }

    private init(_ paths: LedgerPaths, _ gateway: GatewayID, end: LedgerHead) {
        (self.paths, self.gateway, failure) = (paths, gateway, nil)
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
