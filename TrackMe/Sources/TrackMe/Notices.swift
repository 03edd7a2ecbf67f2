import Accounts
import Desk
import GatewayModel
import Houses
import Intake
import Logging
import Runs
import SQLDatabase
import ServiceLifecycle
import Store
import WebPages

/// Notice of a change of a run.
enum RunNotice {
    private static let (change, withdrawal) = ("run", "run-withdrawal")

    static func changed(_ run: RunID, isWithdrawal: Bool) -> DatabaseNotice {
        DatabaseNotice(isWithdrawal ? withdrawal : change, run.text)
    }

    /// Nil for another notice.
    static func content(of notice: DatabaseNotice) -> (run: RunID, isWithdrawal: Bool)? {
        guard [change, withdrawal].contains(notice.topic), let run = RunID(notice.text) else { return nil }
        return (run, notice.topic == withdrawal)
    }
}

/// Notice of the result of an attempt to sign in: the kind of its count, and the digest of the key.
enum AttemptNotice {
    private static let (good, bad) = ("signed-in", "sign-in-failed")

    static func result(_ result: AttemptGate.Result) -> DatabaseNotice {
        DatabaseNotice(result.isGood ? good : bad, "\(result.count.kind.rawValue) \(result.count.digest)")
    }

    /// Nil for another notice, and for one of another version.
    static func result(in notice: DatabaseNotice) -> AttemptGate.Result? {
        let parts = notice.text.split(separator: " ")
        guard [good, bad].contains(notice.topic), parts.count == 2,
            let kind = AttemptCount.Kind(rawValue: String(parts[0]))
        else { return nil }
        return AttemptGate.Result(
            AttemptCount(kind, digest: String(parts[1])), isGood: notice.topic == good)
    }
}

/// Hands the notices of the other servers to the parts of this one.
struct NoticeInbox: Sendable {
    let hubs: Hubs
    let directory: HouseDirectory
    let gate: AttemptGate
    let bootClock: @Sendable () -> BootInstant

    func hear(_ event: NoticeEvent) {
        switch event {
        case .resumed:
            // Changes may have been missed: each page is loaded again.
            hubs.desk.changed()
            hubs.runs.mayHaveMissedChanges()
            directory.requestRefresh()
        case .notice(let notice, _) where notice == StoreNotices.houses: directory.requestRefresh()
        // The own parts know already.
        case .notice(_, isOwn: true): break
        case .notice(let notice, isOwn: false): hear(notice)
        }
    }

    private func hear(_ notice: DatabaseNotice) {
        if let alerts = DeskNotice.alerts(in: notice) {
            hubs.desk.changed(alerts)
        } else if let users = DeskNotice.users(in: notice) {
            hubs.desk.reported(users)
        } else if let subject = StoreNotices.pagesToEnd(notice) {
            hubs.live.endPages(of: subject)
        } else if let change = RunNotice.content(of: notice) {
            hubs.runs.reported(change.run, isWithdrawal: change.isWithdrawal)
        } else if let result = AttemptNotice.result(in: notice) {
            gate.record(result, at: bootClock())
        }
        // A topic of a later version is left to servers of that version.
    }
}

struct NoticeService: Service {
    let listener: any NoticeListener
    let inbox: NoticeInbox

    func run() async throws {
        try await cancelWhenGracefulShutdown { try await listener.run { inbox.hear($0) } }
    }
}

/// Notices of this server that belong to no transaction.
final class NoticeOutbox: Sendable {
    /// Notices that wait for the database; the oldest are dropped.
    private static let most = 1_000

    fileprivate let notices: AsyncStream<DatabaseNotice>
    private let continuation: AsyncStream<DatabaseNotice>.Continuation

    init() { (notices, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.most)) }

    /// Callable from any thread; never blocks.
    func put(_ notice: DatabaseNotice) { continuation.yield(notice) }
}

/// Sends the notices of an outbox. One that cannot be sent is dropped: the others look at the database at their next start to
/// listen.
struct NoticeSender: Service {
    let outbox: NoticeOutbox
    let file: DatabasePool
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for await notice in outbox.notices {
                do { try await file.announce([notice]) } catch is CancellationError { return } catch {
                    logger.warning(
                        "a notice is not sent to the other servers",
                        metadata: ["topic": "\(notice.topic)", "error": "\(error)"])
                }
            }
        }
    }
}
