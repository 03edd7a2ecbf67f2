import CloudCommands
import ContractReading
import Desk
import Foundation
import GatewayModel
import Logging
import MQTTBridge
import SQLDatabase
import Store
import Synchronization
import TestSupport
import Testing

/// The desk between a real broker and the contract's own messages, with the gateway's own check of the acceptance.
@Suite(.enabled(if: MosquittoProcess.isInstalled)) struct `A call over the broker` {
    private static func session(
        _ port: UInt16, _ id: String, _ filters: [String],
        commit: @escaping @Sendable ([InboundMessage]) throws -> Void
    ) throws -> (ConsumerSession, Recorder<BrokerEvent>) {
        let events = Recorder<BrokerEvent>()
        let settings = BrokerSettings(
            brokers: [BrokerEndpoint(host: "127.0.0.1", port: port)], clientID: id,
            sessionExpiry: .seconds(3_600),
            security: .plain)
        return (
            try ConsumerSession(settings: settings, filters: filters, commit: commit, onEvent: events.add),
            events
        )
    }

    private func running(_ sessions: [ConsumerSession], _ body: @Sendable () async throws -> Void) async throws
    {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for session in sessions { group.addTask { try await session.run() } }
            defer { for session in sessions { session.stop(drain: .seconds(5)) } }
            try await body()
        }
    }

    @Test func `reaches the board, and its taking reaches the house signed`() async throws {
        let broker = try MosquittoProcess()
        try await broker.start()
        let desk = try DeskSample()
        let (signer, pinned) = try await DeskSample.issuer()
        let hub = DeskHub { BootInstant(nanoseconds: 0) }
        let (server, events) = try Self.session(broker.port, "trackme", ["trackme/v1/+/sos/+"]) { messages in
            try desk.file.writeBlocking { db in
                for message in messages {
                    let topic = try ContractTopic(message.topic)
                    guard case .emergency(let emergency) = try ContractMessage(message.payload, on: topic)
                    else {
                        continue
                    }
                    let alerts = try DeskStore.receive(
                        emergency, from: topic.gateway, at: DeskSample.at(0), sealer: DeskSample.sealer, db)
                    db.afterCommit { hub.changed(alerts) }
                }
            }
        }
        // The house: it publishes the contract's examples, and hears acceptances.
        let accepted = Recorder<InboundMessage>()
        let topic = "trackme/v1/house-12/sos/maria"
        let (house, houseEvents) = try Self.session(broker.port, "house-12", ["\(topic)/accepted"]) {
            messages in
            for message in messages { accepted.add(message) }
        }
        let service = AcceptanceService(
            store: desk.store, hub: hub, signer: signer, issuer: try #require(IssuerID("trackme")),
            logger: Logger(label: "test"), clock: { DeskSample.at(5) },
            publish: { payload, topic async throws(PublishFailure) in
                try await server.publish(payload, to: topic)
            })
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self)
        let opened = hub.open(by: DeskSample.anna) { wake.yield(()) }
        let page = try #require(opened)
        #expect(page.news()?.alert == nil)
        try await running([server, house]) {
            #expect(await events.wait { $0.contains(.subscribed(topic: "trackme/v1/+/sos/+")) })
            #expect(await houseEvents.wait { $0.contains(.subscribed(topic: "\(topic)/accepted")) })
            for _ in 0..<2 {
                try await house.publish(DeskSample.example("confirmed"), to: topic)
            }
            for await _ in wakes {
                if let news = page.news(), news.alert == .newCall { break }
            }
            let call = try #require(try await desk.store.openCalls().first)
            #expect(call.newest?.cause?.rule == "heart-rate-high")
            // Killed after the commit: another process sends what the first one left.
            _ = try await desk.store.carryOut(.take, on: call.id, by: DeskSample.anna, at: DeskSample.at(3))
            #expect(accepted.values.isEmpty)
            try await service.sendDue()
            #expect(await accepted.wait { $0.count == 1 })
            let acceptance = try SignedAcceptance(
                accepted.values[0].payload, of: DeskSample.maria, to: DeskSample.house, from: [pinned])
            #expect(acceptance.alarm == call.id.alarm)
            #expect(acceptance.by == "Anna, desk 1")
            // Nothing is left to send.
            try await service.sendDue()
            #expect(try await desk.store.dueAcceptances(at: DeskSample.at(99), most: 9).isEmpty)
            // The house says that it is over while Anna works on it.
            try await house.publish(DeskSample.example("cancelled"), to: topic)
            for await _ in wakes {
                if page.news()?.alert == .overWhileTaken { break }
            }
            #expect(try await desk.store.call(call.id)?.isOver == true)
        }
        page.close()
        #expect(!hub.isAttended || hub.present == 0)
    }

    @Test func `is accepted when the broker comes back`() async throws {
        let broker = try MosquittoProcess()
        let desk = try DeskSample()
        let (signer, _) = try await DeskSample.issuer()
        let hub = DeskHub { BootInstant(nanoseconds: 0) }
        try desk.receive(DeskSample.message())
        _ = try await desk.store.carryOut(.take, on: DeskSample.id(), by: DeskSample.anna, at: DeskSample.at(3))
        let (server, events) = try Self.session(broker.port, "trackme", ["trackme/v1/+/sos/+"]) { _ in }
        let service = AcceptanceService(
            store: desk.store, hub: hub, signer: signer, issuer: try #require(IssuerID("trackme")),
            logger: Logger(label: "test"), clock: { DeskSample.at(5) },
            publish: { payload, topic async throws(PublishFailure) in
                try await server.publish(payload, to: topic)
            })
        try await running([server]) {
            #expect(await events.wait { !$0.isEmpty })
            async let round: Void = service.sendDue()
            try await broker.start()
            try await round
            #expect(broker.log.contains("Received PUBLISH from trackme"))
        }
        #expect(try await desk.store.dueAcceptances(at: DeskSample.at(99), most: 9).isEmpty)
    }

    @Test func `whose acceptance the broker refuses says so in its log`() async throws {
        let desk = try DeskSample()
        let (signer, _) = try await DeskSample.issuer()
        try desk.receive(DeskSample.message())
        _ = try await desk.store.carryOut(.take, on: DeskSample.id(), by: DeskSample.anna, at: DeskSample.at(3))
        let service = AcceptanceService(
            store: desk.store, hub: DeskHub { BootInstant(nanoseconds: 0) }, signer: signer,
            issuer: try #require(IssuerID("trackme")),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            clock: { DeskSample.at(5) },
            publish: { _, _ async throws(PublishFailure) in throw .refused(reason: "not authorized (0x87)") })
        try await service.sendDue()
        #expect(
            try await desk.store.log(of: DeskSample.id()).last?.entry
                == .acceptanceRefused("not authorized (0x87)"))
        #expect(try await desk.store.dueAcceptances(at: DeskSample.at(14), most: 9).isEmpty)
        #expect(try await desk.store.dueAcceptances(at: DeskSample.at(15), most: 9).count == 1)
    }
}

@Suite struct `The pages of the desk` {
    @Test func `get the most urgent alert of the changes that they have not taken`() throws {
        let hub = DeskHub { BootInstant(nanoseconds: 0) }
        let opened = hub.open(by: DeskSample.anna) {}
        let page = try #require(opened)
        #expect(page.news()?.alert == nil)
        #expect(page.news() == nil)
        hub.changed([.overWhileTaken])
        hub.changed([.newCall])
        hub.changed([.repeated])
        #expect(page.news()?.alert == .newCall)
        #expect(page.news() == nil)
    }

    @Test func `are attendance until they are closed`() throws {
        let now = Mutex<Int64>(0)
        let hub = DeskHub { BootInstant(nanoseconds: now.withLock { $0 } * 1_000_000_000) }
        let opened = hub.open(by: DeskSample.anna) {}
        let page = try #require(opened)
        now.withLock { $0 = 1_000 }
        #expect(hub.isAttended)
        page.close()
        page.close()
        #expect(hub.present == 0)
        now.withLock { $0 = 1_030 }
        #expect(!hub.isAttended)
    }
}
