import ControlContract
import Foundation
import GatewayModel
import HTML
import Pages
import Synchronization
import Web

/// Open streams of pages. Each gets a page when its content has changed, and a sign of life else. From any thread.
final class PageStreams: Sendable {
    /// Streams of one session: a browser opens six connections to a server in all.
    private static let perSession = 2
    private static let most = 1_000

    private struct Stream {
        let subscription: WebSubscription
        let session: String
        let render: @Sendable (HouseSnapshot) -> HTML
        var last: String?

        private static let alive = Array("event: alive\ndata: 1\n\n".utf8)

        mutating func send(_ house: HouseSnapshot) {
            let content = render(house).source
            guard content != last else { return subscription.send(Self.alive) }
            last = content
            // A text always encodes; as JSON it has no line break.
            let data = (try? JSONEncoder().encode(content)) ?? Data()
            subscription.send(Array("event: page\ndata: ".utf8) + Array(data) + Array("\n\n".utf8))
        }
    }

    private let streams = Mutex<[Stream]>([])

    /// Returns a stream; nil where there is no room. The oldest stream of the same session gives way.
    func open(
        for session: String, at house: HouseSnapshot?, render: @escaping @Sendable (HouseSnapshot) -> HTML
    ) -> WebSubscription? {
        let subscription = WebSubscription()
        var stream = Stream(subscription: subscription, session: session, render: render)
        if let house { stream.send(house) }
        return streams.withLock { streams in
            streams.removeAll(where: \.subscription.isClosed)
            let own = streams.filter { $0.session == session }
            if own.count >= Self.perSession { own[0].subscription.close() }
            guard streams.count < Self.most else { return nil }
            streams.append(stream)
            return subscription
        }
    }

    /// - Parameter sessions: ids of the paired devices; the streams of others end.
    func send(_ house: HouseSnapshot, to sessions: Set<String>) {
        streams.withLock { streams in
            for stream in streams where !sessions.contains(stream.session) { stream.subscription.close() }
            streams.removeAll(where: \.subscription.isClosed)
            for index in streams.indices { streams[index].send(house) }
        }
    }
}
