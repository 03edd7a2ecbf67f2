import Accounts
import GatewayModel
import Store

/// Server-sent events of one page: at most one reading a kind and second, and a sign of life.
struct LiveEvents: Sendable {
    private enum Event: Sendable {
        case reading(StoredSample)
        case alive
    }

    /// Proxies close a silent connection after 30 s as a rule.
    private static let aliveInterval = Duration.seconds(10)
    private static let shortestInterval = Duration.milliseconds(900)

    let parts: SiteParts
    let link: Link
    let session: Session
    let account: Account
    let words: Words

    /// Sends until `readings` end, or until the link or the session has ended.
    func send(
        _ readings: AsyncStream<StoredSample>, by send: WebAnswer.Send,
        data: (StoredSample, Words, LocalCalendar) -> String
    ) async throws {
        let (events, continuation) = AsyncStream.makeStream(
            of: Event.self, bufferingPolicy: .bufferingNewest(64))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await reading in readings { continuation.yield(.reading(reading)) }
                continuation.finish()
            }
            group.addTask {
                while true {
                    continuation.yield(.alive)
                    try await Task.sleep(for: Self.aliveInterval)
                }
            }
            defer { group.cancelAll() }
            var calendar = parts.calendar(of: account)
            var last: [QuantityKind: BootInstant] = [:]
            for await event in events {
                switch event {
                case .alive:
                    guard try await isAllowed() else { return }
                    calendar = parts.calendar(of: account)
                    try await send(Array("event: alive\ndata: \n\n".utf8))
                case .reading(let reading):
                    let now = parts.bootClock()
                    guard !reading.flags.contains(.contactLost), !reading.flags.contains(.history),
                        last[reading.kind].map({ $0.advanced(by: Self.shortestInterval) <= now }) ?? true
                    else { continue }
                    last[reading.kind] = now
                    try await send(
                        Array("event: reading\ndata: \(data(reading, words, calendar))\n\n".utf8))
                }
            }
        }
    }

    private func isAllowed() async throws -> Bool {
        guard let found = try await parts.stores.sessions.session(session.id),
            found.session.isValid(at: parts.clock())
        else { return false }
        return try await parts.stores.links.link(link.id, of: found.account.id)?.state == .linked
    }
}
