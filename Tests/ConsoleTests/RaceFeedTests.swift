import ControlContract
import ControlLink
import Foundation
import GatewayModel
import Glibc
import ModelSamples
import Pages
import RealTime
import RunBeacon
import Synchronization
import TestSupport
import Testing
import Web

@testable import Console

@Suite struct `The feed of races` {
    private static let town = RunID(sample: "town")
    private static let calendar = LocalCalendar([LocalCalendar.Step(from: 0, offset: 0)])
    private let gateway: RaceGateway
    private let time = StoppedClock()
    private let feed: RaceFeed

    init() throws {
        gateway = try RaceGateway()
        feed = RaceFeed(HouseFeed(socket: gateway.path)) { [time] in time.now }
    }

    private static func key(
        _ view: RaceChoice.View = .list, of run: RunID = town, _ audience: RaceFeed.Audience = .spectators
    ) -> RaceFeed.Key {
        RaceFeed.Key(
            choice: RaceChoice(run: run, view: view), language: .english, audience: audience)
    }

    private func page(_ key: RaceFeed.Key) throws -> String? {
        try feed.page(key, in: Self.calendar).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `asks the gateway once for all visitors of a second, as each kind of reader`() async throws {
        gateway.show(try RaceGateway.race(runners: 3))
        let (feed, town) = (feed, Self.town)
        await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<50 {
                group.addTask { (try? feed.edition(of: town, for: .spectators))?.number }
            }
            for await number in group { #expect(number == 1) }
        }
        #expect(gateway.asked.map(\.role) == [.anyone])
        #expect(try feed.edition(of: Self.town, for: .organisers)?.number == 2)
        #expect(gateway.asked.map(\.role) == [.anyone, .organiser])
        time.advance(by: .milliseconds(999))
        #expect(try feed.edition(of: Self.town, for: .spectators)?.number == 1)
        time.advance(by: .milliseconds(1))
        #expect(try feed.edition(of: Self.town, for: .spectators)?.number == 3)
    }

    @Test func `joins the parts of a long start list, in their order`() throws {
        gateway.show(try RaceGateway.race(runners: 250))
        let document = try #require(try feed.edition(of: Self.town, for: .spectators)?.document)
        #expect(document.standings.rows.map(\.bib) == Array(1...250) && document.next == nil)
        #expect(gateway.asked.map(\.first) == [0, 100, 200])
    }

    @Test func `renders a page once, and anew after a correction`() throws {
        gateway.show(try RaceGateway.race(runners: 3))
        let first = try #require(try page(Self.key()))
        gateway.show(try RaceGateway.race(runners: 4))
        #expect(try page(Self.key()) == first, "the document of the same second")
        feed.forget(Self.town)
        let second = try #require(try page(Self.key()))
        #expect(second != first && gateway.asked.count == 2)
    }

    @Test func `has no page of a run that the gateway does not know, and none of organisers for spectators`()
        throws
    {
        #expect(try page(Self.key(of: RunID(sample: "rome"))) == nil)
        gateway.show(try RaceGateway.race(runners: 3))
        #expect(try page(Self.key(.boxes)) == nil)
        #expect(try page(Self.key(.results)) == nil)
        #expect(try page(Self.key(.results, .organisers)) != nil)
    }

    @Test func `throws while the gateway does not answer, and goes on after it`() throws {
        gateway.show(try RaceGateway.race(runners: 3))
        gateway.isSilent = true
        #expect(throws: (any Error).self) { try page(Self.key()) }
        gateway.isSilent = false
        #expect(try page(Self.key()) != nil)
    }

    @Test func `opens a stream of a live page alone, and ends those of sessions that are over`() throws {
        gateway.show(try RaceGateway.race(runners: 3))
        let spectator = try #require(try feed.open(Self.key(), for: nil, in: Self.calendar))
        #expect(try feed.open(Self.key(.results, .organisers), for: "a", in: Self.calendar) == nil)
        #expect(try feed.open(Self.key(of: RunID(sample: "rome")), for: nil, in: Self.calendar) == nil)
        let boxes = try ["a", "b"].map {
            try #require(try feed.open(Self.key(.boxes, .organisers), for: $0, in: Self.calendar))
        }
        feed.send(to: ["b"], in: Self.calendar)
        #expect([spectator, boxes[0], boxes[1]].map(\.isClosed) == [false, true, false])
    }
}

extension `The feed of races` {
    private static func key(_ view: RaceChoice.View, _ audience: RaceFeed.Audience) -> RaceFeed.Key {
        key(view, of: town, audience)
    }
}

private final class StoppedClock: Sendable {
    private let instant = Mutex(Clock.boot())

    var now: BootInstant { instant.withLock { $0 } }

    func advance(by time: Duration) { instant.withLock { $0 = $0.advanced(by: time) } }
}

/// A gateway that knows one race, at a socket of its own.
private final class RaceGateway: Sendable {
    struct Question: Sendable {
        let role: ControlSession.Role?
        let first: Int
    }

    private struct State {
        var race: RaceDocument?
        var asked: [Question] = []
        var isSilent = false
    }

    private let scratch: ScratchDirectory
    private let listener: Int32
    private let state = Mutex(State())

    var path: String { scratch.file("c.sock").path }
    var asked: [Question] { state.withLock(\.asked) }
    /// It ends each connection without an answer.
    var isSilent: Bool {
        get { state.withLock(\.isSilent) }
        set { state.withLock { $0.isSilent = newValue } }
    }

    init() throws {
        scratch = try ScratchDirectory()
        let listener = try UnixSocket.listen(at: scratch.file("c.sock").path)
        self.listener = listener
        Thread.detachNewThread { [weak self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0, let self else { break }
                self.answer(client)
                close(client)
            }
            close(listener)
        }
    }

    // Ends the wait of the thread, which closes it.
    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    func show(_ race: RaceDocument) { state.withLock { $0.race = race } }

    private func answer(_ client: Int32) {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(client, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
        guard let reply = reply(to: line), let bytes = try? ControlJSON.line(reply) + [UInt8(ascii: "\n")]
        else {
            return
        }
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    private func reply(to line: [UInt8]) -> ControlReply<RaceDocument>? {
        let asked = try? ControlJSON.request(from: line, limit: 4_096) { _ in Verb.Race.self }
        guard let asked, let race = asked.request as? Verb.Race else { return nil }
        return state.withLock { state in
            guard !state.isSilent else { return nil }
            state.asked.append(Question(role: asked.session?.role, first: race.first))
            guard let document = state.race, document.run == race.run.text else {
                return .refused("no such run")
            }
            return .done(with: document.part(from: race.first))
        }
    }

    /// A race that nobody has finished.
    static func race(runners: Int) throws -> RaceDocument {
        let start = WallTime(millisecondsSince1970: 1_790_000_000_000)
        let end = WallTime(millisecondsSince1970: 1_790_020_000_000)
        let wave = Wave(id: WaveID(sample: "all"), start: start)
        let run = try Run(
            id: RunID(sample: "town"), title: "Town run", end: end, waves: [wave],
            checkpoints: [
                try #require(
                    Checkpoint(id: CheckpointID(sample: "finish"), distances: [10_000], isFinish: true))
            ],
            participants: try (1...runners).map {
                Participant(bib: try #require(Bib($0)), name: "Runner \($0)", wave: wave.id, tags: [])
            })
        let standings = Standings(run)
        return RaceDocument(
            run, state: .underway, at: start,
            StandingsDocument(run.id, by: .gun, standings.table(), points: standings.points))
    }
}
