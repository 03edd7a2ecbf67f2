import GatewayModel
import RealTime
import Synchronization
import Vault

/// Thread with the database of the history. A disk that hangs blocks this thread only.
final class HistoryWriter: Sendable {
    struct Limits: Sendable {
        /// Age at which readings are deleted.
        let raw: Duration
        /// Age at which roll-ups are deleted.
        let rollUps: Duration
    }

    enum Report: Sendable {
        /// Readings are not kept, for a reason; nil when they are kept again.
        case off(HistoryFailure?)
        case replaced(asidePath: String, because: DiskFailure)
        /// Changes that are missing in the file.
        case lost(StateMarks.Loss)
        /// Number of rows that could not be decrypted, in all.
        case unreadable(Int)
        /// Number of readings that were dropped for want of room.
        case dropped(Int)
        /// The gateway made a key of its own.
        case keyMade(path: String)
        /// Every row is sealed with the new key.
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
        let body = HistoryLoop(
            path: path, keys: keys, cipher: cipher, limits: limits, marks: marks, inbox: inbox,
            report: report)
        while true {
            let isLast = isStopping.load(ordering: .acquiring)
            let wait = body.turn(isLast: isLast, at: Clock.moment())
            if isLast { return body.close() }
            _ = Poll.wait([Poll.Interest(inbox.wakeup.descriptor)], timeout: wait)
            inbox.wakeup.drain()
        }
    }
}
