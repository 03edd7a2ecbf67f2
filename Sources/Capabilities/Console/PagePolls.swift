import ControlContract
import GatewayModel
import RealTime
import Synchronization

/// Documents of the gateway behind open pages, asked for once a second while a page is open. From any thread.
///
/// The gateway ends a work of a session that asks no more: a page that vanishes leaves nothing behind.
final class PagePolls: Sendable {
    private struct Key: Hashable {
        let session: ControlSession
        let verb: String
    }

    private struct Entry {
        let look: any ControlVerb
        var document: (any ControlDocument)?
        /// Last time at which a page asked for it.
        var wanted: BootInstant
    }

    /// A stream renders at least each second.
    private static let keptFor = Duration.seconds(3)

    private let entries = Mutex<[Key: Entry]>([:])

    /// Asks now, for a page that is opened. Blocks as `HouseFeed.ask` does. Errors: the gateway does not answer.
    func ask<Look: ControlVerb>(
        _ look: Look, for session: ControlSession, _ feed: HouseFeed
    ) throws -> ControlReply<Look.Document> {
        let reply = try feed.ask(look, for: session)
        let entry = Entry(look: look, document: reply.document, wanted: Clock.boot())
        entries.withLock { $0[Key(session: session, verb: Look.verb)] = entry }
        return reply
    }

    /// The newest document; nil where none is known. It is asked for again as long as it is wanted.
    func document(
        of look: any ControlVerb, for session: ControlSession, at now: BootInstant
    ) -> (any ControlDocument)? {
        entries.withLock { entries in
            let key = Key(session: session, verb: type(of: look).verb)
            entries[key, default: Entry(look: look, wanted: now)].wanted = now
            return entries[key]?.document
        }
    }

    /// Asks for the documents of all open pages once. Blocks.
    func renew(_ feed: HouseFeed) {
        let now = Clock.boot()
        let wanted = entries.withLock { entries in
            entries = entries.filter { $0.value.wanted.duration(to: now) < Self.keptFor }
            return entries
        }
        for (key, entry) in wanted { renew(entry.look, key, feed) }
    }

    private func renew(_ look: some ControlVerb, _ key: Key, _ feed: HouseFeed) {
        // Without an answer the page keeps its content; its band says that the box is lost.
        guard let reply = try? feed.ask(look, for: key.session) else { return }
        entries.withLock { $0[key]?.document = reply.document }
    }
}
