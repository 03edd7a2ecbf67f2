import ControlContract
import Foundation
import GatewayModel
import Glibc
import HTML
import Pages
import RealTime
import Synchronization
import Web

/// Documents, pages and streams of the races. All visitors share them: a document is asked for once a second at most, and
/// each page of it is rendered once. From any thread.
final class RaceFeed: Sendable {
    /// Reader of a page. Spectators are one reader.
    enum Audience: Hashable, Sendable { case spectators, organisers }

    /// Page that visitors share.
    struct Key: Hashable, Sendable {
        let choice: RaceChoice
        let language: PersonProfile.Language
        let audience: Audience

        fileprivate var document: DocumentKey { DocumentKey(run: choice.run, audience: audience) }
    }

    fileprivate struct DocumentKey: Hashable {
        let run: RunID
        let audience: Audience
    }

    /// A document with its number: pages of an older one are rendered again.
    struct Edition: Sendable {
        let document: RaceDocument
        let number: Int
        fileprivate let at: BootInstant
        fileprivate let lasts: Duration
    }

    private struct Rendering {
        let edition: Int
        var page: [UInt8]?
        /// Event of a stream.
        var event: [UInt8]?
    }

    private struct Stream {
        let subscription: WebSubscription
        let key: Key
        /// Paired device; nil for a spectator.
        let session: String?
        var last: [UInt8] = []
    }

    private struct State {
        var editions: [DocumentKey: Edition] = [:]
        var renderings: [Key: Rendering] = [:]
        var streams: [Stream] = []
        var number = 0
        var turn = 0
    }

    private static let fresh = Duration.seconds(1)
    /// Part of the time that questions about one run may take: a long start list is asked for less often.
    private static let share = 10
    /// Parts of a document of 10,000 runners.
    private static let mostParts = 400
    private static let mostEditions = 8
    private static let mostRenderings = 200
    /// Streams of races: the rest of the server's connections stays for the house and for pages.
    private static let mostStreams = 800
    private static let alive = Array("event: alive\ndata: 1\n\n".utf8)

    private let house: HouseFeed
    private let clock: @Sendable () -> BootInstant
    private let state = Mutex(State())
    /// Held over the question to the gateway: the others wait for its answer.
    private let asking = Mutex(())

    init(_ house: HouseFeed, clock: @escaping @Sendable () -> BootInstant = { Clock.boot() }) {
        (self.house, self.clock) = (house, clock)
    }

    private static let session = try? ControlSession(role: .anyone, person: nil, name: "spectators")
    private static let organiser = try? ControlSession(role: .organiser, person: nil, name: "console")

    // MARK: Documents

    /// The document of a run; nil for a run that the gateway does not know. Blocks for some seconds at most.
    func edition(of run: RunID, for audience: Audience) throws -> Edition? {
        let key = DocumentKey(run: run, audience: audience)
        if let known = current(key) { return known }
        return try asking.withLock { _ in
            if let known = current(key) { return known }
            let begin = clock()
            guard let document = try ask(run, for: audience) else { return nil }
            let now = clock()
            let lasts = max(Self.fresh, begin.duration(to: now) * Self.share)
            return state.withLock { state in
                state.number += 1
                let edition = Edition(document: document, number: state.number, at: now, lasts: lasts)
                if state.editions.count >= Self.mostEditions, state.editions[key] == nil {
                    state.editions = [:]
                }
                state.editions[key] = edition
                return edition
            }
        }
    }

    private func current(_ key: DocumentKey) -> Edition? {
        let now = clock()
        return state.withLock { state in
            state.editions[key].flatMap { $0.at.duration(to: now) < $0.lasts ? $0 : nil }
        }
    }

    /// After a correction: the next page shows it.
    func forget(_ run: RunID) {
        state.withLock { state in state.editions = state.editions.filter { $0.key.run != run } }
    }

    private func ask(_ run: RunID, for audience: Audience) throws -> RaceDocument? {
        guard let session = audience == .spectators ? Self.session : Self.organiser else { return nil }
        var document: RaceDocument?
        var next: Int? = 0
        for _ in 0..<Self.mostParts {
            guard let first = next else { break }
            let reply = try house.ask(Verb.Race(run, from: first), for: session)
            guard reply.isDone, let part = reply.document else { return nil }
            if document == nil { document = part } else { document?.join(part) }
            next = part.next
        }
        return document
    }

    // MARK: Pages

    /// The bytes of a page; nil where the reader may not see it, or there is no such run or runner.
    func page(_ key: Key, in calendar: LocalCalendar) throws -> [UInt8]? {
        guard let edition = try edition(of: key.choice.run, for: key.audience) else { return nil }
        if let known = rendering(key, of: edition)?.page { return known }
        guard let page = pages(key, edition, calendar).page()?.bytes else { return nil }
        keep(key, of: edition) { $0.page = page }
        return page
    }

    private func event(_ key: Key, _ edition: Edition, _ calendar: LocalCalendar) -> [UInt8]? {
        if let known = rendering(key, of: edition)?.event { return known }
        guard let content = pages(key, edition, calendar).content()?.source,
            // A text always encodes; as JSON it has no line break.
            let data = try? JSONEncoder().encode(content)
        else { return nil }
        let event = Array("event: page\ndata: ".utf8) + Array(data) + Array("\n\n".utf8)
        keep(key, of: edition) { $0.event = event }
        return event
    }

    private func pages(_ key: Key, _ edition: Edition, _ calendar: LocalCalendar) -> RacePages {
        RacePages(
            edition.document, key.choice, key.language, in: calendar,
            // A page that is shared has no form: a form has the token of its session.
            token: key.audience == .organisers ? "" : nil)
    }

    private func rendering(_ key: Key, of edition: Edition) -> Rendering? {
        state.withLock { state in state.renderings[key].flatMap { $0.edition == edition.number ? $0 : nil } }
    }

    private func keep(_ key: Key, of edition: Edition, _ change: (inout Rendering) -> Void) {
        state.withLock { state in
            if state.renderings.count >= Self.mostRenderings { state.renderings = [:] }
            var rendering = state.renderings[key] ?? Rendering(edition: edition.number)
            if rendering.edition != edition.number { rendering = Rendering(edition: edition.number) }
            change(&rendering)
            state.renderings[key] = rendering
        }
    }

    // MARK: Streams

    /// Returns a stream of a live page; nil where there is no room, or no such page.
    ///
    /// - Parameter session: id of a paired device; nil for a spectator.
    func open(_ key: Key, for session: String?, in calendar: LocalCalendar) throws -> WebSubscription? {
        guard key.choice.view.isLive, let edition = try edition(of: key.choice.run, for: key.audience),
            let event = event(key, edition, calendar)
        else { return nil }
        let subscription = WebSubscription()
        subscription.send(event)
        return state.withLock { state in
            state.streams.removeAll(where: \.subscription.isClosed)
            guard state.streams.count < Self.mostStreams else { return nil }
            state.streams.append(Stream(subscription: subscription, key: key, session: session, last: event))
            return subscription
        }
    }

    /// Seconds between two pages of a stream: many spectators share the air of one radio.
    private static func rhythm(_ streams: Int) -> Int { streams <= 100 ? 2 : 5 }

    /// Sends the pages of all streams; once a second, on one thread.
    ///
    /// - Parameter sessions: ids of the paired devices; the streams of others end.
    func send(to sessions: Set<String>, in calendar: LocalCalendar) {
        let (keys, isTurn) = state.withLock { state -> (Set<Key>, Bool) in
            for stream in state.streams {
                if let session = stream.session, !sessions.contains(session) { stream.subscription.close() }
            }
            state.streams.removeAll(where: \.subscription.isClosed)
            state.turn += 1
            return (Set(state.streams.map(\.key)), state.turn % Self.rhythm(state.streams.count) == 0)
        }
        // A page that hears nothing says that the box does not answer.
        guard !keys.isEmpty, house.house(at: Clock.boot()) != nil else { return }
        var events: [Key: [UInt8]] = [:]
        for key in keys where isTurn {
            guard let edition = try? edition(of: key.choice.run, for: key.audience) else { continue }
            events[key] = event(key, edition, calendar)
        }
        state.withLock { state in
            for index in state.streams.indices {
                let event = events[state.streams[index].key]
                if let event, event != state.streams[index].last {
                    state.streams[index].last = event
                    state.streams[index].subscription.send(event)
                } else {
                    state.streams[index].subscription.sendIfIdle(Self.alive)
                }
            }
        }
    }
}
