import ControlContract
import GatewayModel
import RealTime
import Synchronization

/// Documents of the gateway behind open pages, asked for once a second while a page is open. From any thread.
///
/// The gateway ends a work of a session that asks no more: a page that vanishes leaves nothing behind.
final class PagePolls: Sendable {
    enum Polled: String, CaseIterable, Sendable {
        case pair, doctor, walk

        fileprivate var look: any ControlVerb {
            switch self {
            case .pair: Verb.DeviceSetup()
            case .doctor: Verb.CheckReport()
            case .walk: Verb.Walk()
            }
        }
    }

    private struct Key: Hashable {
        let session: ControlSession
        let page: Polled
    }

    private struct Entry {
        var content: ControlReply.Content?
        /// Last time at which a page asked for it.
        var wanted: BootInstant
    }

    /// A stream renders at least each second.
    private static let keptFor = Duration.seconds(3)

    private let entries = Mutex<[Key: Entry]>([:])

    /// Asks now, for a page that is opened. Blocks as `HouseFeed.ask` does; nil where the gateway does not answer.
    func reply(_ page: Polled, _ session: ControlSession, _ feed: HouseFeed) -> ControlReply? {
        let reply = try? feed.ask(page.look, for: session)
        let now = Clock.boot()
        entries.withLock { $0[Key(session: session, page: page)] = Entry(content: reply?.content, wanted: now) }
        return reply
    }

    /// Document of the reply.
    func ask(_ page: Polled, _ session: ControlSession, _ feed: HouseFeed) -> ControlReply.Content? {
        reply(page, session, feed)?.content
    }

    /// The newest document; nil where none is known. It is asked for again as long as it is wanted.
    func document(of page: Polled, for session: ControlSession, at now: BootInstant) -> ControlReply.Content? {
        entries.withLock { entries in
            let key = Key(session: session, page: page)
            entries[key, default: Entry(wanted: now)].wanted = now
            return entries[key]?.content
        }
    }

    /// Asks for the documents of all open pages once. Blocks.
    func renew(_ feed: HouseFeed) {
        let now = Clock.boot()
        let keys = entries.withLock { entries in
            entries = entries.filter { $0.value.wanted.duration(to: now) < Self.keptFor }
            return Array(entries.keys)
        }
        for key in keys {
            // Without an answer the page keeps its content; its band says that the box is lost.
            guard let reply = try? feed.ask(key.page.look, for: key.session) else {
                continue
            }
            entries.withLock { $0[key]?.content = reply.content }
        }
    }
}
