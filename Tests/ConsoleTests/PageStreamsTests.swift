import ControlContract
import GatewayModel
import HTML
import Synchronization
import Testing

@testable import Console
@testable import Web

@Suite struct `The streams of pages` {
    private static let family = PageStreams.Kind(
        role: .family, person: PersonID("maria"), content: "today", session: nil)
    private static let room = PageStreams.Kind(role: .room, person: nil, content: "room", session: nil)

    private static func house(_ time: Int64 = 1) -> HouseSnapshot {
        HouseSnapshot(
            version: "1", gateway: GatewayID("box")!,
            at: Moment(boot: BootInstant(nanoseconds: time), wall: WallTime(millisecondsSince1970: time)),
            summary: "", unsent: 0, alarms: [], conditions: [])
    }

    /// Renders the text of a state and a kind, and counts.
    private final class Renderer: Sendable {
        private let counted = Mutex(0)

        var count: Int { counted.withLock(\.self) }

        func content(_ house: HouseSnapshot?, _ kind: PageStreams.Kind) -> HTML? {
            counted.withLock { $0 += 1 }
            return HTML(.p, text: "\(kind.role.rawValue) at \(house.map { "\($0.time)" } ?? "no state")")
        }
    }

    /// The event that waits in a stream. Nothing may be read where none waits: that would suspend a connection.
    private func taken(_ stream: WebSubscription) -> String {
        var buffer = [CChar](repeating: 0, count: 4_096)
        let count = stream.read(into: &buffer, buffer.count, for: OpaquePointer(bitPattern: 8)!) ?? 0
        return String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    @Test func `are rendered once for a thousand streams of a kind, and send the same bytes`() throws {
        let (streams, renderer) = (PageStreams(), Renderer())
        let open = try (0..<PageStreams.most).map { number in
            try #require(
                streams.open(
                    number % 2 == 0 ? Self.family : Self.room, for: "\(number)", at: Self.house(),
                    render: renderer.content))
        }
        #expect(renderer.count == 2)
        let sessions = Set((0..<PageStreams.most).map(String.init))
        #expect(Set(open.map(taken)).count == 2)
        streams.send(Self.house(2), to: sessions, render: renderer.content)
        #expect(renderer.count == 4)
        #expect(
            Set(open.map(taken)) == [
                "event: page\ndata: \"<p>family at 2<\\/p>\"\n\n",
                "event: page\ndata: \"<p>room at 2<\\/p>\"\n\n",
            ])
        // The same content again is a sign of life alone.
        streams.send(Self.house(2), to: sessions, render: renderer.content)
        #expect(Set(open.map(taken)) == ["event: alive\ndata: 1\n\n"])
        #expect(
            streams.open(Self.room, for: "one more", at: Self.house(2), render: renderer.content) == nil)
    }

    @Test func `of a session that was revoked end with the next state`() throws {
        let (streams, renderer) = (PageStreams(), Renderer())
        let (kept, revoked) = (
            try #require(streams.open(Self.room, for: "kept", at: Self.house(), render: renderer.content)),
            try #require(streams.open(Self.room, for: "revoked", at: Self.house(), render: renderer.content))
        )
        streams.send(Self.house(2), to: ["kept"], render: renderer.content)
        #expect(revoked.isClosed && !kept.isClosed)
        #expect(taken(kept).contains("room at 2"))
    }

    @Test func `give way to a third stream of the same session, and to none of another`() throws {
        let (streams, renderer) = (PageStreams(), Renderer())
        let open = try ["a", "b", "a", "a"].map {
            try #require(streams.open(Self.room, for: $0, at: nil, render: renderer.content))
        }
        #expect(open.map(\.isClosed) == [true, false, false, false])
    }

    @Test func `begin with the present state, also where the last stream of the kind ended long ago`() throws {
        let (streams, renderer) = (PageStreams(), Renderer())
        let first = try #require(
            streams.open(Self.room, for: "a", at: Self.house(1), render: renderer.content))
        first.close()
        let second = try #require(
            streams.open(Self.room, for: "a", at: Self.house(7), render: renderer.content))
        #expect(taken(second).contains("room at 7"))
    }

    @Test func `begin with a new content after an act, beside a stream of the same kind`() throws {
        let (streams, renderer) = (PageStreams(), Renderer())
        _ = try #require(streams.open(Self.room, for: "a", at: Self.house(1), render: renderer.content))
        let before = try #require(
            streams.open(Self.room, for: "b", at: Self.house(2), render: renderer.content))
        #expect(taken(before).contains("room at 1"))
        streams.expire()
        let after = try #require(streams.open(Self.room, for: "c", at: Self.house(2), render: renderer.content))
        #expect(taken(after).contains("room at 2"))
    }

    @Test
    func `tell a page that the gateway does not answer, that the console lives, and the state on its return`()
        throws
    {
        let (streams, renderer) = (PageStreams(), Renderer())
        let open = try #require(streams.open(Self.room, for: "a", at: Self.house(1), render: renderer.content))
        #expect(taken(open).contains("room at 1"))
        streams.send(nil, to: ["a"], render: renderer.content)
        #expect(taken(open).contains("room at no state"))
        streams.send(nil, to: ["a"], render: renderer.content)
        #expect(taken(open) == "event: alive\ndata: 1\n\n")
        let late = try #require(streams.open(Self.room, for: "b", at: nil, render: renderer.content))
        #expect(taken(late).contains("room at no state"))
        streams.send(Self.house(9), to: ["a", "b"], render: renderer.content)
        #expect(taken(open).contains("room at 9") && taken(late).contains("room at 9"))
    }

    @Test func `put no sign of life in the place of a page that waits`() throws {
        let (streams, renderer) = (PageStreams(), Renderer())
        let open = try #require(streams.open(Self.room, for: "a", at: Self.house(1), render: renderer.content))
        streams.keepAlive()
        #expect(taken(open).contains("room at 1"))
        streams.keepAlive()
        #expect(taken(open) == "event: alive\ndata: 1\n\n")
    }
}
