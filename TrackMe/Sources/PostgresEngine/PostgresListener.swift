import Glibc
import RealTime
import SQLDatabase
import Synchronization

/// Listener of PostgreSQL's notifications, by a connection and a thread of its own.
final class PostgresListener: NoticeListener {
    static let channel = "trackme"
    /// Between a lost connection and the next attempt. A failover takes about a second.
    private static let pause: UInt32 = 200_000
    /// Longest time without a question to the server: without one a lost connection is not seen.
    private static let questionInterval = Duration.seconds(1)
    /// Time in which a stop is seen, in milliseconds.
    private static let wait: Int32 = 250

    private let address: PostgresAddress
    private let origin: String
    private let isStopped = Atomic(false)

    /// - Parameter origin: of the notices of this process.
    init(_ address: PostgresAddress, origin: String) { (self.address, self.origin) = (address, origin) }

    func run(_ hear: @escaping @Sendable (NoticeEvent) -> Void) async throws {
        let thread = try NamedThread("notices") { [self] in
            while !isStopped.load(ordering: .relaxed) {
                try? listen(hear)
                usleep(Self.pause)
            }
        }
        await withTaskCancellationHandler {
            await thread.finished()
        } onCancel: {
            isStopped.store(true, ordering: .relaxed)
        }
    }

    /// Listens until the stop. Throws when the connection is lost.
    private func listen(_ hear: (NoticeEvent) -> Void) throws {
        let connection = try PostgresConnection(address)
        _ = try connection.send("SET idle_session_timeout = 0; LISTEN \(Self.channel)")
        hear(.resumed)
        var asked = ContinuousClock.now
        while !isStopped.load(ordering: .relaxed) {
            for payload in try connection.notifications(within: Self.wait) {
                if let (notice, from) = Self.read(payload) {
                    hear(.notice(notice, isOwn: from == origin))
                }
            }
            guard asked.duration(to: .now) >= Self.questionInterval else { continue }
            _ = try connection.send("SELECT 1")
            asked = .now
        }
    }

    // MARK: Form: the origin, the topic and the text, with a space between them.

    static func payload(_ notice: DatabaseNotice, from origin: String) throws -> String {
        let payload = "\(origin) \(notice.topic) \(notice.text)"
        guard payload.utf8.count <= DatabaseNotice.largest else {
            throw DatabaseError(
                .other,
                "saw a notice \(notice.topic) of \(payload.utf8.count) bytes, expected at most \(DatabaseNotice.largest)"
            )
        }
        return payload
    }

    static func read(_ payload: String) -> (notice: DatabaseNotice, origin: String)? {
        let parts = payload.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        return (DatabaseNotice(String(parts[1]), String(parts[2])), String(parts[0]))
    }
}
