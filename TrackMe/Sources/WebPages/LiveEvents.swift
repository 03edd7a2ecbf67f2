import Accounts
import GatewayModel
import Store

/// Server-sent events of one page of a person: her readings, and signs of life.
struct LiveEvents: Sendable {
    let parts: SiteParts
    let link: Link
    let session: Session
    let account: Account
    let words: Words

    /// Sends until `events` end, or until the link or the session has ended.
    func send(
        _ events: AsyncStream<EventQueue<LatestValue>.Event>, by send: WebAnswer.Send,
        data: (LatestValue, Words, LocalCalendar) -> String
    ) async throws {
        guard try await isAllowed() else { return }
        try await send(EventStream.alive)
        var calendar = parts.calendar(of: account)
        for await event in events {
            switch event {
            case .alive:
                guard try await isAllowed() else { return }
                calendar = parts.calendar(of: account)
                try await send(EventStream.alive)
            case .news(let reading):
                try await send(Array("event: reading\ndata: \(data(reading, words, calendar))\n\n".utf8))
            }
        }
    }

    private func isAllowed() async throws -> Bool {
        guard let found = try await parts.stores.accounts.session(session.id),
            found.session.isValid(at: parts.clock(), as: found.account.role)
        else { return false }
        return try await parts.stores.links.link(link.id, of: found.account.id)?.state == .linked
    }
}
