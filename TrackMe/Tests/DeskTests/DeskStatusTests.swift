import CloudCommands
import GatewayModel
import Logging
import MQTTBridge
import Synchronization
import TestSupport
import Testing

@testable import Desk

@Suite struct `The status of the desk` {
    /// Clocks that a test sets by hand.
    private final class HandClock: Sendable {
        private let seconds = Mutex<Int64>(0)
        func set(_ second: Int64) { seconds.withLock { $0 = second } }
        var boot: BootInstant { BootInstant(nanoseconds: seconds.withLock { $0 } * 1_000_000_000) }
        var wall: WallTime { DeskSample.at(seconds.withLock { $0 }) }
    }

    private struct Sent: Hashable, Sendable {
        let topic: String
        let payload: [UInt8]
    }

    private let clock = HandClock()

    private func service(
        _ hub: DeskHub, _ signer: IssuerSigner, every interval: Duration = .seconds(30),
        houses: [GatewayID] = [DeskSample.house],
        publish: @escaping @Sendable ([UInt8], String) async throws(PublishFailure) -> Void
    ) throws -> DeskStatusService {
        DeskStatusService(
            hub: hub, signer: signer, issuer: try #require(IssuerID("trackme")), every: interval,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, clock: { [clock] in clock.wall },
            houses: { houses }, publish: publish)
    }

    @Test func `is unknown until browsers could connect again, and then says who is there`() async throws {
        let (signer, _) = try await DeskSample.issuer()
        let hub = DeskHub { [clock] in clock.boot }
        let sent = Recorder<Sent>()
        let houses = try ["house-12", "house-13"].map { try #require(GatewayID($0)) }
        let service = try service(hub, signer, houses: houses) { payload, topic in
            sent.add(Sent(topic: topic, payload: payload))
        }
        clock.set(29)
        #expect(try await service.sendRound() == nil)
        #expect(sent.values.isEmpty)
        clock.set(30)
        #expect(try await service.sendRound() == nil)
        #expect(sent.values.map(\.topic) == ["trackme/v1/house-12/desk", "trackme/v1/house-13/desk"])
        #expect(sent.values[0].payload != sent.values[1].payload)
    }

    @Test func `goes to every house, also where the broker refuses that of one`() async throws {
        let (signer, _) = try await DeskSample.issuer()
        let hub = DeskHub { [clock] in clock.boot }
        let sent = Recorder<String>()
        let houses = try ["house-1", "house-2", "house-3"].map { try #require(GatewayID($0)) }
        let service = try service(hub, signer, houses: houses) { _, topic async throws(PublishFailure) in
            sent.add(topic)
            if topic.contains("house-2") { throw .refused(reason: "not authorized (0x87)") }
        }
        clock.set(31)
        #expect(try await service.sendRound() == "not authorized (0x87)")
        #expect(sent.values.count == 3)
    }

    /// Each state reaches the house within a period of it, signed, over a real broker.
    @Test(.enabled(if: MosquittoProcess.isInstalled))
    func `follows the dispatcher who leaves and comes back`() async throws {
        let broker = try MosquittoProcess()
        try await broker.start()
        let (signer, issuer) = try await DeskSample.issuer()
        let pinned = PinnedIssuer(id: issuer.id, keys: issuer.keys, may: [], hasDesk: true)
        let hub = DeskHub { [clock] in clock.boot }
        let heard = Recorder<SignedDeskStatus>()
        let events = Recorder<BrokerEvent>()
        func settings(_ id: String) -> BrokerSettings {
            BrokerSettings(
                brokers: [BrokerEndpoint(host: "127.0.0.1", port: broker.port)], clientID: id,
                sessionExpiry: .seconds(3_600), security: .plain)
        }
        let server = try ConsumerSession(
            settings: settings("trackme"), filters: ["trackme/v1/+/sos/+"], commit: { _ in }, onEvent: { _ in })
        let topic = "trackme/v1/house-12/desk"
        let house = try ConsumerSession(
            settings: settings("house-12"), filters: [topic],
            commit: { messages in
                for message in messages {
                    #expect(!message.isRetained)
                    heard.add(try SignedDeskStatus(message.payload, to: DeskSample.house, from: [pinned]))
                }
            }, onEvent: events.add)
        let service = try service(hub, signer, every: .milliseconds(20)) {
            payload, topic async throws(PublishFailure) in
            try await server.publish(payload, to: topic)
        }
        func state(_ state: SignedDeskStatus.State, since mark: Int) async -> Bool {
            await heard.wait { $0.dropFirst(mark).contains { $0.state == state } }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for session in [server, house] { group.addTask { try await session.run() } }
            group.addTask { try await service.run() }
            defer {
                group.cancelAll()
                for session in [server, house] { session.stop(drain: .seconds(5)) }
            }
            #expect(await events.wait { $0.contains(.subscribed(topic: topic)) })
            let firstOpened = hub.open(by: DeskSample.anna) {}
            let first = try #require(firstOpened)
            #expect(await state(.attended, since: 0))
            clock.set(100)
            first.close()
            // A reload of the page takes less than the patience of the attendance.
            clock.set(129)
            #expect(await heard.wait { $0.last?.issued == DeskSample.at(129) })
            #expect(!heard.values.contains { $0.state == .unattended })
            clock.set(130)
            #expect(await state(.unattended, since: 0))
            let mark = heard.mark
            clock.set(200)
            let secondOpened = hub.open(by: DeskSample.bruno) {}
            let second = try #require(secondOpened)
            #expect(await state(.attended, since: mark))
            second.close()
        }
        #expect(heard.values.allSatisfy { $0.issuer == issuer.id })
        #expect(heard.values.map(\.issued) == heard.values.map(\.issued).sorted())
    }
}
