import CloudCommands
import Foundation
import GatewayModel
import Houses
import Intake
import Logging
import MQTTBridge
import Store
import StoreSamples
import Synchronization
import TestSupport
import Testing

/// One house that sends more than the server takes, between a real broker and another house that calls for help.
@Suite(.enabled(if: MosquittoProcess.isInstalled)) struct FloodTests {
    private static let noon = WallTime(millisecondsSince1970: 1_772_366_400_000)
    private static let count = 3_000

    /// A gate that the first batch of readings waits at, as behind a disk that is late.
    private final class Gate: Sendable {
        private let isOpen = Mutex(false)
        let waiting = Recorder<Void>()

        func open() { isOpen.withLock { $0 = true } }

        /// Blocks the thread of a session until the gate is open.
        func pass() {
            guard !isOpen.withLock({ $0 }) else { return }
            waiting.add(())
            while !isOpen.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.002) }
        }
    }

    private func sample(_ number: Int) -> String {
        let id = "019caa1b-3c40-7d10-8a01-" + String(format: "%012d", number)
        return
            #"{"contact":"detected","device":"strap","id":"\#(id)","kind":"heart-rate","loinc":"8867-4","person":"maria","#
            + #""received":"2026-03-01T11:59:59.000Z","time":"2026-03-01T11:59:59.000Z","unit":"/min","value":72}"#
    }

    @Test func `delays no call of another house, and none of its messages is lost or kept twice`() async throws
    {
        // Mosquitto keeps 1,000 messages for a slow reader otherwise, and drops the rest.
        let broker = try MosquittoProcess("allow_anonymous true\nmax_queued_messages 0")
        try await broker.start()
        let database = try TestDatabase(migrations: Stores.migrations)
        let calls = Recorder<GatewayID>()
        let stores = Stores(
            in: try database.open()
        ) { report, _ in calls.add(report.gateway) }
        let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        let directory = HouseDirectory(store: stores.houses, logger: logger)
        let intake = Intake(
            store: stores.intake, houses: directory, hub: LiveHub { BootInstant(nanoseconds: 0) },
            sealer: .sample, logger: logger, clock: { Self.noon })
        for house in ["house-12", "house-13"] {
            let id = try #require(GatewayID(house))
            let key = GatewayIdentity(makingOneFor: id).publicJWK
            try await stores.houses.register(House(gateway: id, key: key, added: Self.noon))
        }
        try await directory.refresh()
        let (gate, events) = (Gate(), Recorder<BrokerEvent>())
        func settings(_ id: String) -> BrokerSettings {
            BrokerSettings(
                brokers: [BrokerEndpoint(host: "127.0.0.1", port: broker.port)], clientID: id,
                sessionExpiry: .seconds(3_600), security: .plain)
        }
        let service = try IntakeService(settings: settings("trackme")) { batch in
            if batch.contains(where: { $0.topic.contains("/samples/") }) { gate.pass() }
            try intake.commit(batch)
        } onEvent: { event, _ in
            events.add(event)
        }
        let houses = try ConsumerSession(
            settings: settings("houses"), filters: ["nothing"], commit: { _ in }, onEvent: { _ in })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            group.addTask { try await houses.run() }
            defer {
                gate.open()
                for session in [service.calls, service.others, houses] { session.stop(drain: .seconds(5)) }
            }
            let filters = MessageReader.filters + MessageReader.callFilters
            #expect(
                await events.wait { seen in
                    filters.allSatisfy { seen.contains(.subscribed(topic: $0)) }
                })
            for number in 0..<Self.count {
                try await houses.publish(
                    Array(sample(number).utf8), to: "trackme/v1/house-12/samples/maria/heart-rate")
            }
            #expect(await gate.waiting.wait { !$0.isEmpty })
            // Behind the flood at the broker, and while the server keeps nothing of it.
            let call = try Data(
                contentsOf: Repository.root.appending(path: "docs/contract/examples/sos/confirmed.json"))
            try await houses.publish([UInt8](call), to: "trackme/v1/house-13/sos/maria")
            #expect(await calls.wait { !$0.isEmpty })
            #expect(calls.values.map(\.text) == ["house-13"])
            #expect(intake.counts.samples == 0, "the call was first")
            gate.open()
            #expect(await eventually(within: .seconds(60)) { intake.counts.samples >= Self.count })
            // The call is the last in the queue of the flood.
            #expect(await eventually(within: .seconds(60)) { intake.counts.messages >= Self.count + 2 })
        }
        #expect(
            calls.values.map(\.text) == ["house-13", "house-13"],
            "by both sessions; the desk keeps one of an ID")
        #expect(intake.counts.samples == Self.count && intake.counts.setAside.isEmpty)
    }

    /// As at a broker that gives no rights to the client ID of the calls.
    @Test func `takes calls without the session that is for them`() async throws {
        let broker = try MosquittoProcess()
        try await broker.start()
        func settings(_ id: String) -> BrokerSettings {
            BrokerSettings(
                brokers: [BrokerEndpoint(host: "127.0.0.1", port: broker.port)], clientID: id,
                sessionExpiry: .seconds(3_600), security: .plain)
        }
        let house = try ConsumerSession(
            settings: settings("house-12"), filters: ["nothing"], commit: { _ in }, onEvent: { _ in })
        let (taken, events) = (Recorder<String>(), Recorder<BrokerEvent>())
        let service = try IntakeService(settings: settings("trackme")) { batch in
            for message in batch { taken.add(String(decoding: message.payload, as: UTF8.self)) }
        } onEvent: { event, isOfCalls in
            if !isOfCalls { events.add(event) }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await house.run() }
            group.addTask { try await service.others.run() }
            defer { for session in [house, service.others] { session.stop(drain: .seconds(5)) } }
            #expect(await events.wait { $0.contains(.subscribed(topic: MessageReader.callFilters[0])) })
            try await house.publish(Array("call".utf8), to: "trackme/v1/house-12/sos/maria")
            #expect(await taken.wait { $0 == ["call"] })
        }
    }

    /// As while the server that receives everything is replaced.
    @Test func `takes calls by a session of each server, of which the broker keeps nothing`() async throws {
        let broker = try MosquittoProcess()
        try await broker.start()
        let settings = BrokerSettings(
            brokers: [BrokerEndpoint(host: "127.0.0.1", port: broker.port)], clientID: "trackme",
            sessionExpiry: .seconds(3_600), security: .plain)
        let (taken, events) = (Recorder<String>(), Recorder<BrokerEvent>())
        func watch() throws -> CallWatch {
            try CallWatch(settings: settings) { batch in
                for message in batch { taken.add(String(decoding: message.payload, as: UTF8.self)) }
            } onEvent: { event, _ in
                events.add(event)
            }
        }
        var house = settings
        house.clientID = "house-12"
        let caller = try ConsumerSession(
            settings: house, filters: ["nothing"], commit: { _ in }, onEvent: { _ in })
        let topic = "trackme/v1/house-12/sos/maria"
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await caller.run() }
            defer { caller.stop(drain: .seconds(5)) }
            let watches = [try watch(), try watch()]
            func subscriptions() -> Int {
                events.values.count { $0 == .subscribed(topic: MessageReader.callFilters[0]) }
            }
            try await withThrowingTaskGroup(of: Void.self) { servers in
                for watch in watches { servers.addTask { try await watch.run() } }
                #expect(await eventually { subscriptions() == 2 })
                try await caller.publish(Array("first".utf8), to: topic)
                #expect(await taken.wait { $0 == ["first", "first"] })
                servers.cancelAll()
                try await servers.waitForAll()
            }
            try await caller.publish(Array("nobody is there".utf8), to: topic)
            let next = try watch()
            try await withThrowingTaskGroup(of: Void.self) { servers in
                servers.addTask { try await next.run() }
                #expect(await eventually { subscriptions() == 3 })
                try await caller.publish(Array("second".utf8), to: topic)
                #expect(await taken.wait { $0.last == "second" })
                servers.cancelAll()
                try await servers.waitForAll()
            }
            #expect(taken.values == ["first", "first", "second"])
        }
    }

    /// As while one of several brokers dies.
    @Test func `takes calls of two brokers at the same time`() async throws {
        let brokers = [try MosquittoProcess(), try MosquittoProcess()]
        for broker in brokers { try await broker.start() }
        func settings(_ id: String, _ brokers: [MosquittoProcess]) -> BrokerSettings {
            BrokerSettings(
                brokers: brokers.map { BrokerEndpoint(host: "127.0.0.1", port: $0.port) }, clientID: id,
                sessionExpiry: .seconds(3_600), security: .plain)
        }
        let (taken, events) = (Recorder<String>(), Recorder<BrokerEvent>())
        let watch = try CallWatch(settings: settings("trackme", brokers)) { batch in
            for message in batch { taken.add(String(decoding: message.payload, as: UTF8.self)) }
        } onEvent: { event, _ in
            events.add(event)
        }
        let houses = try brokers.map { broker in
            try ConsumerSession(
                settings: settings("house-12", [broker]), filters: ["nothing"], commit: { _ in },
                onEvent: { _ in })
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await watch.run() }
            for house in houses { group.addTask { try await house.run() } }
            #expect(
                await events.wait { seen in
                    seen.count { $0 == .subscribed(topic: MessageReader.callFilters[0]) } == 2
                })
            for (number, house) in houses.enumerated() {
                try await house.publish(Array("call \(number)".utf8), to: "trackme/v1/house-12/sos/maria")
                #expect(await taken.wait { $0.contains("call \(number)") })
            }
            group.cancelAll()
        }
        #expect(taken.values.sorted() == ["call 0", "call 1"])
    }
}
