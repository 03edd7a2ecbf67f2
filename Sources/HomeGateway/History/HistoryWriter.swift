import Alarms
import GatewayModel
import Hub
import RealTime
import Synchronization
import Vault

/// The thread with the database of the history. A disk that hangs holds up this thread and no other.
final class HistoryWriter: Sendable {
    struct Limits: Sendable {
        /// How long readings are kept as they came.
        let raw: Duration
        /// How long their roll-ups are kept.
        let rollUps: Duration
    }

    enum Report: Sendable {
        /// Nil when it is kept again.
        case off(HistoryFailure?)
        case replaced(asidePath: String, because: DiskFailure)
        /// Changes that the file had, and has no more.
        case lost(StateMarks.Loss)
        /// Rows that did not open, in all.
        case unreadable(Int)
        /// Readings that had no room to wait.
        case dropped(Int)
        /// A key of the gateway's own was made.
        case keyMade(path: String)
        /// All is sealed with the new key.
        case rotated
    }

    let inbox: HistoryInbox
    private let path: String
    private let keys: HistoryKeyFiles
    private let cipher: any AuthenticatedCipher
    private let limits: Limits
    private let marks: StateMarks?
    private let report: @Sendable (Report) -> Void
    private let isStopping = Atomic(false)

    /// - Parameters:
    ///   - path: absolute.
    ///   - report: called on the thread; must return at once.
    init(
        path: String, keys: HistoryKeyFiles, cipher: any AuthenticatedCipher, limits: Limits,
        marks: StateMarks? = nil, report: @escaping @Sendable (Report) -> Void
    ) throws {
        (self.path, self.keys, self.cipher) = (path, keys, cipher)
        (self.limits, self.report, self.marks) = (limits, report, marks)
        inbox = try HistoryInbox()
    }

    func run() async throws {
        await (try NamedThread("history") { [self] in loop() }).finished()
    }

    /// Ends the thread when all is written; from any thread.
    func stop() {
        isStopping.store(true, ordering: .releasing)
        inbox.wakeup.signal()
    }

    private func loop() {
        let desk = HistoryDesk(
            path: path, keys: keys, cipher: cipher, limits: limits, marks: marks, inbox: inbox,
            report: report)
        while true {
            let isLast = isStopping.load(ordering: .acquiring)
            let wait = desk.turn(isLast: isLast, at: Clock.moment())
            if isLast { return desk.close() }
            _ = Poll.wait([Poll.Interest(inbox.wakeup.descriptor)], timeout: wait)
            inbox.wakeup.drain()
        }
    }
}
