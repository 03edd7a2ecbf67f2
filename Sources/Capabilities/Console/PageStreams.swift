import ControlContract
import Foundation
import GatewayModel
import HTML
import Synchronization
import Web

/// Open streams of pages. Each gets a page when its content has changed, and a sign of life else. From any thread.
///
/// A content is rendered once for each state and kind of page, and all streams of the kind send the same bytes.
final class PageStreams: Sendable {
    /// Content that streams share. It has no token.
    struct Kind: Hashable, Sendable {
        let role: ControlSession.Role
        let person: PersonID?
        /// Name of the live content.
        let content: String
        /// Session that the gateway gives the document of the content to; nil for one of the house's state alone.
        let session: ControlSession?
    }

    /// Streams of one session: a browser opens six connections to a server in all.
    static let perSession = 2
    static let most = 1_000

    private struct Stream {
        let subscription: WebSubscription
        let session: String
        let kind: Kind
        /// Number of the rendering that was sent last.
        var sent: Int
    }

    /// The newest content of a kind.
    private struct Rendering {
        let content: String
        /// The whole event, shared by the streams.
        let event: [UInt8]
        let number: Int
    }

    private struct State {
        var streams: [Stream] = []
        var renderings: [Kind: Rendering] = [:]
        var count = 0
    }

    private static let alive = Array("event: alive\ndata: 1\n\n".utf8)

    private let state = Mutex(State())

    /// Content of `<main>` of a kind of page, without a token; nil where it is not known. The state is nil while the
    /// gateway does not answer. Called under a lock.
    typealias Renderer = (HouseSnapshot?, Kind) -> HTML?

    /// Returns a stream; nil where there is no room. The oldest stream of the same session gives way.
    func open(
        _ kind: Kind, for session: String, at house: HouseSnapshot?, render: Renderer
    ) -> WebSubscription? {
        let subscription = WebSubscription()
        return state.withLock { state in
            state.streams.removeAll(where: \.subscription.isClosed)
            let own = state.streams.filter { $0.session == session }
            if own.count >= Self.perSession { own[0].subscription.close() }
            guard state.streams.count < Self.most else { return nil }
            var stream = Stream(subscription: subscription, session: session, kind: kind, sent: 0)
            // Without another stream of the kind the content is of an earlier state.
            let isCurrent = house != nil && state.streams.contains { $0.kind == kind }
            let known = isCurrent ? state.renderings[kind] : nil
            if let rendering = known ?? Self.rendering(of: house, kind, &state, render) {
                subscription.send(rendering.event)
                stream.sent = rendering.number
            }
            state.streams.append(stream)
            return subscription
        }
    }

    /// Renders anew for the next stream that opens.
    func expire() { state.withLock { $0.renderings = [:] } }

    /// Tells all streams that the console lives, between two states.
    func keepAlive() {
        state.withLock { state in
            for stream in state.streams { stream.subscription.sendIfIdle(Self.alive) }
        }
    }

    /// - Parameters:
    ///   - house: nil while the gateway does not answer.
    ///   - sessions: ids of the paired devices; the streams of others end.
    func send(_ house: HouseSnapshot?, to sessions: Set<String>, render: Renderer) {
        state.withLock { state in
            for stream in state.streams where !sessions.contains(stream.session) { stream.subscription.close() }
            state.streams.removeAll(where: \.subscription.isClosed)
            let kinds = Set(state.streams.map(\.kind))
            state.renderings = state.renderings.filter { kinds.contains($0.key) }
            for kind in kinds { _ = Self.rendering(of: house, kind, &state, render) }
            for index in state.streams.indices {
                let stream = state.streams[index]
                guard let rendering = state.renderings[stream.kind], rendering.number != stream.sent else {
                    stream.subscription.sendIfIdle(Self.alive)
                    continue
                }
                stream.subscription.send(rendering.event)
                state.streams[index].sent = rendering.number
            }
        }
    }

    /// Renders a kind of page. It keeps the rendering before where nothing has changed, or nothing is known.
    private static func rendering(
        of house: HouseSnapshot?, _ kind: Kind, _ state: inout State, _ render: Renderer
    ) -> Rendering? {
        guard let content = render(house, kind)?.source else { return state.renderings[kind] }
        if let known = state.renderings[kind], known.content == content { return known }
        // A text always encodes; as JSON it has no line break.
        let data = (try? JSONEncoder().encode(content)) ?? Data()
        state.count += 1
        let rendering = Rendering(
            content: content, event: Array("event: page\ndata: ".utf8) + Array(data) + Array("\n\n".utf8),
            number: state.count)
        state.renderings[kind] = rendering
        return rendering
    }
}
