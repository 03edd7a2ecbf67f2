import Accounts
import CloudCommands
import Foundation
import GatewayModel
import Houses
import Intake
import Logging
import MQTTBridge
import Store
import StoreSamples
import TestSupport
import Testing

/// Rules for the messages beside plain readings, held to the examples of the contract.
struct RecordIntakeTests {
    private let now = WallTime(rfc3339: "2026-03-03T09:00:00.000Z")!
    private let house = HousePerson.maria.gateway

    private struct Trial {
        let database: TestDatabase
        let stores: Stores
        let intake: Intake

        init(at now: WallTime) async throws {
            database = try TestDatabase(migrations: Stores.migrations)
            stores = Stores(
                in: try database.open())
            let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
            let directory = HouseDirectory(store: stores.houses, logger: logger)
            intake = Intake(
                store: stores.intake, houses: directory, hub: LiveHub { BootInstant(nanoseconds: 0) },
                sealer: .sample, logger: logger, clock: { now })
            let key = GatewayIdentity(makingOneFor: HousePerson.maria.gateway).publicJWK
            try await stores.houses.register(House(gateway: HousePerson.maria.gateway, key: key, added: now))
            try await directory.refresh()
        }

        /// Receives a message twice, as after a lost acknowledgement.
        func receive(_ topic: String, _ payload: String, from house: String = "house-12") throws {
            let message = InboundMessage(
                topic: "trackme/v1/\(house)/\(topic)", payload: Array(payload.utf8), isRetained: false)
            try intake.commit([message])
            try intake.commit([message])
        }

        func receive(_ topic: String, example: String) throws {
            let file = Repository.root.appending(path: "docs/contract/examples/\(example).json")
            try receive(topic, try String(contentsOf: file, encoding: .utf8))
        }
    }

    @Test func `a gap and a notice of a house are kept once`() async throws {
        let trial = try await Trial(at: now)
        let gap = try FileManager.default.contentsOfDirectory(
            atPath: Repository.root.appending(path: "docs/contract/examples/gap").path)[0]
        try trial.receive("samples/maria/heart-rate/gap", example: "gap/\(gap.dropLast(5))")
        try trial.receive("notices/maria", example: "notice/began")
        try trial.receive("notices/maria", example: "notice/ended")
        #expect(trial.intake.counts.repeated == 3)
        let gaps = try await trial.stores.records.gaps(
            of: .maria, .heartRate, from: now.later(-3 * 86_400), to: now, most: 5)
        #expect(gaps.map(\.dropped) == [3_240])
        #expect(gaps.map(\.reason) == [.quota])
        let notices = try await trial.stores.records.notices(of: .maria, before: nil, most: 5)
        #expect(notices.map(\.phase) == [.ended, .began])
        #expect(notices.map(\.matter) == ["unwatched strap", "unwatched strap"])
    }

    @Test func `status and heartbeat tell the state of a house`() async throws {
        let trial = try await Trial(at: now)
        try trial.receive("status", example: "status/online")
        try trial.receive("heartbeat", example: "heartbeat/on-battery")
        let state = try #require(try await trial.stores.records.state(of: house))
        #expect(state.lastSeen == WallTime(rfc3339: "2026-03-01T08:31:00.000Z"))
        #expect(state.isOnline)
        #expect(state.unsent == 7)
        #expect(state.conditions.map(\.code) == ["wearable-silent", "realtime-unavailable"])
    }

    @Test func `the status of a house that nobody registered leaves no trace`() async throws {
        let trial = try await Trial(at: now)
        let file = Repository.root.appending(path: "docs/contract/examples/status/online.json")
        try trial.receive("status", try String(contentsOf: file, encoding: .utf8), from: "house-99")
        #expect(trial.intake.counts.setAside.isEmpty)
        #expect(try await trial.stores.records.state(of: GatewayID("house-99")!) == nil)
    }

    @Test func `the intervals of a sample and of an Observation are the same`() async throws {
        let trial = try await Trial(at: now)
        try trial.receive(
            "samples/maria/heart-rate", example: "observation/heart-rate-with-its-intervals")
        let samples = try await trial.stores.samples.samples(of: .maria, .heartRate, after: nil, most: 5)
        #expect(samples.map(\.value) == [72])
        #expect(samples.map(\.device.text) == ["strap"])
        #expect(samples.first?.beatIntervals == [827.1])
        let beats = try await trial.stores.samples.summaries(
            of: .maria, .rrInterval, from: now.later(-4 * 86_400), to: now, minutes: 60)
        #expect(beats.map(\.count) == [1])
    }

    @Test(arguments: [
        ("oxygen-saturation-of-an-oximeter", QuantityKind.oxygenSaturation, 1),
        ("running-cadence-without-a-code", .runningCadence, 1), ("systolic-pressure", .systolicPressure, 1),
        ("weight-that-an-app-handed-over", .bodyWeight, 1),
    ])
    func `an Observation with a value is a reading`(
        _ example: String, _ kind: QuantityKind, _ count: Int
    ) async throws {
        let trial = try await Trial(at: now)
        try trial.receive("samples/maria/\(kind.rawValue)", example: "observation/\(example)")
        let samples = try await trial.stores.samples.samples(of: .maria, nil, after: nil, most: 5)
        #expect(samples.map(\.kind) == [kind])
        #expect(samples.first?.flags.contains(.app) == (kind == .bodyWeight))
        #expect(try await trial.stores.records.documents(of: .maria, after: nil, most: 5).isEmpty)
        #expect(trial.intake.counts.setAside.isEmpty)
    }

    @Test func `each Observation of a Bundle is a reading`() async throws {
        let trial = try await Trial(at: now)
        try trial.receive("samples/maria", example: "observations/a-strap-and-an-oximeter")
        let kinds = Set(
            try await trial.stores.samples.samples(of: .maria, nil, after: nil, most: 50).map(\.kind))
        #expect(kinds == [.heartRate, .oxygenSaturation])
        #expect(trial.intake.counts.setAside.isEmpty)
    }

    @Test(arguments: [
        #""code":{"text":"Mood"},"valueString":"good","status":"final""#,
        #""code":{"coding":[{"system":"http://loinc.org","code":"8867-4"}]},"status":"preliminary","#
            + #""valueQuantity":{"value":72,"code":"/min","system":"http://unitsofmeasure.org"}"#,
        #""code":{"coding":[{"system":"http://loinc.org","code":"8867-4"}]},"status":"final","#
            + #""valueQuantity":{"value":72,"unit":"bpm"}"#,
    ])
    func `a resource without a settled value of a known kind is kept as it came`(
        _ members: String
    ) async throws {
        let trial = try await Trial(at: now)
        let resource =
            #"{\#(members),"device":{"reference":"Device/strap"},"effectiveDateTime":"2026-03-01T08:30:07.000Z","#
            + #""id":"019caa1b-3c40-7d10-8a01-5f0c3a9e0019","resourceType":"Observation","subject":{"reference":"Patient/maria"}}"#
        try trial.receive("samples/maria/heart-rate", resource)
        let documents = try await trial.stores.records.documents(of: .maria, after: nil, most: 5)
        #expect(documents.map { String(decoding: $0.resource, as: UTF8.self) } == [resource])
        #expect(try await trial.stores.samples.samples(of: .maria, nil, after: nil, most: 5).isEmpty)

        let bundle = #"{"resourceType":"Bundle","type":"batch","entry":[{"resource":\#(resource)}]}"#
        try trial.receive("samples/maria", bundle.replacing("9e0019", with: "9e0020"))
        #expect(try await trial.stores.records.documents(of: .maria, after: nil, most: 5).count == 2)
    }

    @Test func `an Observation about another person is refused`() async throws {
        let trial = try await Trial(at: now)
        try trial.receive("samples/paolo/heart-rate", example: "observation/heart-rate-with-its-intervals")
        #expect(trial.intake.counts.setAside == [.unreadable: 2])
    }

    @Test func `an ID that names a time ahead is refused: it would never be removed`() async throws {
        let trial = try await Trial(at: now)
        try trial.receive(
            "samples/maria/heart-rate",
            #"{"device":"strap","id":"f19caa1b-3c40-7d10-8a01-5f0c3a9e0001","kind":"heart-rate","person":"maria","#
                + #""received":"2026-03-01T11:59:59.000Z","time":"2026-03-01T11:59:59.000Z","unit":"/min","value":72}"#
        )
        #expect(trial.intake.counts.setAside == [.future: 2])
    }
}
