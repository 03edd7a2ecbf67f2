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
        /// Name of the live content.
        let content: String
    }

    private struct Entry {
        let look: any ControlVerb
        var reply: ControlReply?
        /// Last time at which a page asked for it.
        var wanted: BootInstant
    }

    /// A stream renders at least each second.
    private static let keptFor = Duration.seconds(3)

    private let entries = Mutex<[Key: Entry]>([:])

    /// Asks now, for a page that is opened. Blocks as `HouseFeed.ask` does. Errors: the gateway does not answer.
    func ask(
        _ look: any ControlVerb, for content: String, _ session: ControlSession, _ feed: HouseFeed
    ) throws -> ControlReply {
        let reply = try feed.ask(look, for: session)
        let now = Clock.boot()
        entries.withLock {
            $0[Key(session: session, content: content)] = Entry(look: look, reply: reply, wanted: now)
        }
        return reply
    }

    /// The newest answer; nil where none is known. It is asked for again as long as it is wanted.
    func reply(
        _ look: (any ControlVerb)?, for content: String, _ session: ControlSession, at now: BootInstant
    ) -> ControlReply? {
        guard let look else { return nil }
        return entries.withLock { entries in
            let key = Key(session: session, content: content)
            entries[key, default: Entry(look: look, wanted: now)].wanted = now
            return entries[key]?.reply
        }
    }

    /// Asks for the documents of all open pages once. Blocks.
    func renew(_ feed: HouseFeed) {
        let now = Clock.boot()
        let looks = entries.withLock { entries in
            entries = entries.filter { $0.value.wanted.duration(to: now) < Self.keptFor }
            return entries.map { ($0.key, $0.value.look) }
        }
        for (key, look) in looks {
            // Without an answer the page keeps its content; its band says that the box is lost.
            guard let reply = try? feed.ask(look, for: key.session) else { continue }
            entries.withLock { $0[key]?.reply = reply }
        }
    }
}
