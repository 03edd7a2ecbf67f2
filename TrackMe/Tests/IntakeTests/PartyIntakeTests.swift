import Accounts
import CloudCommands
import ContractReading
import Foundation
import GatewayModel
import Houses
import Intake
import Logging
import MQTTBridge
import Parties
import Store
import StoreSamples
import Synchronization
import TestSupport
import Testing

/// Rules of the way from a house's message about a third party to the store.
struct PartyIntakeTests {
    private let noon = WallTime(millisecondsSince1970: 1_772_366_400_000)
    private let topic = "trackme/v1/house-12/parties/uni-milano/maria/heart-rate"

    /// Events that reached the store.
    private final class Events: Sendable {
        private let events = Mutex<[PartyEvent]>([])

        var all: [PartyEvent] { events.withLock { $0 } }

        func add(_ event: PartyEvent) { events.withLock { $0.append(event) } }
    }

    private func received(
        _ messages: [(String, [UInt8])], registered: Bool = true, by identity: GatewayIdentity
    ) async throws -> (events: [PartyEvent], letters: [DeadLetter]) {
        let database = try TestDatabase(migrations: Stores.migrations)
        let events = Events()
        let stores = Stores(
            in: try database.open()
        ) { _, _ in
        } onParty: { event, _ in
            events.add(event)
            return nil
        }
        let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        let directory = HouseDirectory(store: stores.houses, logger: logger)
        let now = noon
        let intake = Intake(
            store: stores.intake, houses: directory, hub: LiveHub { BootInstant(nanoseconds: 0) },
            sealer: .sample, logger: logger, clock: { now })
        if registered {
            try await stores.houses.register(
                House(gateway: identity.gateway, key: identity.publicJWK, added: now))
            try await directory.refresh()
        }
        try intake.commit(
            messages.map { InboundMessage(topic: $0.0, payload: $0.1, isRetained: false) })
        return (events.all, try await stores.intake.deadLetters(most: 9))
    }

    private func example(_ path: String) throws -> [UInt8] {
        Array(
            try Data(contentsOf: Repository.root.appending(path: "docs/contract/examples/\(path).json")))
    }

    @Test func `decisions and ends of the contract's examples reach the store`() async throws {
        let identity = GatewayIdentity(makingOneFor: HousePerson.maria.gateway)
        let names = ["decided-request", "decided-refused", "grant-ended", "decided-account", "decided-policy"]
        let receipts = try names.map { name in
            ("trackme/v1/house-12/receipts", try identity.sign(claims: try example("receipt/\(name)")))
        }
        let (events, letters) = try await received(receipts, by: identity)
        let time = WallTime(millisecondsSince1970: 1_772_353_796_000)
        let uni = PartyID("uni-milano")!
        #expect(
            events == [
                .answer(
                    uni, RequestID("study-7")!, by: .maria, .decided(.accepted, entry: 4, grant: 4), at: time),
                .answer(
                    uni, RequestID("study-8")!, by: .maria, .decided(.refused, entry: 6, grant: nil), at: time),
                .answer(uni, RequestID("study-7")!, by: .maria, .grantEnded(.withdrawn, grant: 4), at: time),
            ])
        #expect(letters.isEmpty)
    }

    @Test func `copies come through byte for byte, in clear, gathered, sealed, as FHIR and as gaps`()
        async throws
    {
        let identity = GatewayIdentity(makingOneFor: HousePerson.maria.gateway)
        let sealed = Array(
            #"{"id":"019caa1b-3c40-7d10-8a01-5f0c3a9e0001","kid":"k","sealed":"AAAA"}  "#.utf8)
        let clear = Array(
            (#"{"grant":4,"id":"019caa1b-3c40-7d10-8a01-5f0c3a9e0002","kind":"heart-rate","#
                + #""party":"uni-milano","person":"maria","value":72}"#).utf8)
        let fhir = Array(#"{"resourceType":"Observation"}"#.utf8)
        let gap = Array(
            #"{"grant":4,"kind":"heart-rate","party":"uni-milano","person":"maria","dropped":3}"#.utf8)
        let (events, letters) = try await received(
            [(topic, sealed), (topic, clear), (topic, fhir), (topic + "/gap", gap)], by: identity)
        let copies = events.compactMap { event -> SharedCopy? in
            if case .copy(let copy) = event { copy } else { nil }
        }
        #expect(copies.map(\.payload) == [sealed, clear, fhir, gap])
        #expect(copies.map(\.grant) == [nil, 4, nil, 4])
        #expect(copies.map { $0.id != nil } == [true, true, false, false])
        // Of sealed and open ones by the ID, which is earlier than their arrival here; the others show no time.
        let made = try #require(copies.first?.id).wall
        #expect(copies.map(\.measured) == [min(made, noon), min(made, noon), noon, noon])
        #expect(copies.map(\.topic) == [topic, topic, topic, topic + "/gap"])
        #expect(copies.allSatisfy { $0.subject == .maria && $0.kind == "heart-rate" && $0.received == noon })
        #expect(letters.isEmpty)
    }

    @Test func `a copy that is not of its topic or of an unknown house is set aside without its bytes`()
        async throws
    {
        let identity = GatewayIdentity(makingOneFor: HousePerson.maria.gateway)
        let other = Array(
            #"{"grant":4,"kind":"heart-rate","party":"other","person":"maria","value":"secret"}"#.utf8)
        let bad = try await received([(topic, other), (topic, Array("secret".utf8))], by: identity)
        #expect(bad.events.isEmpty)
        #expect(bad.letters.map(\.reason) == [.unreadable, .unreadable])
        #expect(bad.letters.allSatisfy { $0.payload.isEmpty })
        let unknown = try await received([(topic, other)], registered: false, by: identity)
        #expect(unknown.events.isEmpty)
        #expect(unknown.letters.map(\.reason) == [.unknownHouse])
        #expect(unknown.letters.allSatisfy { $0.payload.isEmpty })
    }

    @Test func `a receipt of another key decides nothing`() async throws {
        let identity = GatewayIdentity(makingOneFor: HousePerson.maria.gateway)
        let forger = GatewayIdentity(makingOneFor: HousePerson.maria.gateway)
        let forged = try forger.sign(claims: try example("receipt/decided-request"))
        let (events, letters) = try await received([("trackme/v1/house-12/receipts", forged)], by: identity)
        #expect(events.isEmpty)
        #expect(letters.map(\.reason) == [.badSignature])
    }
}
