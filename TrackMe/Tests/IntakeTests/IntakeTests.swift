import Accounts
import CloudCommands
import Foundation
import GatewayModel
import Houses
import Intake
import Logging
import MQTTBridge
import RealTime
import SQLDatabase
import Store
import StoreSamples
import Synchronization
import TestSupport
import Testing

/// Rules of the way from a message of the broker to the store.
struct IntakeTests {
    private let noon = WallTime(millisecondsSince1970: 1_772_366_400_000)

    /// An intake on an empty store, with one registered house.
    private struct Trial {
        let database: TestDatabase
        let file: DatabasePool
        let stores: Stores
        let identity: GatewayIdentity
        let hub = LiveHub { BootInstant(nanoseconds: 0) }
        let intake: Intake
        let directory: HouseDirectory

        init(
            at now: WallTime,
            onRun: @escaping @Sendable (RunEvent, Database) throws -> DeadLetter.Reason? = { _, _ in .noRun }
        ) async throws {
            database = try TestDatabase(migrations: Stores.migrations)
            file = try database.open()
            stores = Stores(in: file, onRun: onRun)
            identity = GatewayIdentity(makingOneFor: HousePerson.maria.gateway)
            let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
            directory = HouseDirectory(store: stores.houses, logger: logger)
            intake = Intake(
                store: stores.intake, houses: directory, hub: hub, sealer: .sample, logger: logger,
                clock: { now })
            try await stores.houses.register(
                House(gateway: HousePerson.maria.gateway, key: identity.publicJWK, added: now))
            try await directory.refresh()
        }

        func ask(_ request: String, about kind: FactKind, by account: AccountID, at time: WallTime) async throws
        {
            try await stores.facts.ask(RequestID(request)!, about: kind, of: .maria, by: account, at: time) {
                _ in
                .sample("jti-\(request)", about: request, at: time)
            }
        }

        func receive(_ topic: String, _ payload: String) throws {
            try intake.commit([InboundMessage(topic: topic, payload: Array(payload.utf8), isRetained: false)])
        }

        func receipt(_ claims: String, by signer: GatewayIdentity? = nil) throws {
            try intake.commit([
                InboundMessage(
                    topic: "trackme/v1/house-12/receipts",
                    payload: try (signer ?? identity).sign(claims: Array(claims.utf8)), isRetained: false)
            ])
        }
    }

    private func sample(_ id: String, value: String = "72", time: String = "2026-03-01T11:59:59.000Z") -> String
    {
        #"{"contact":"detected","device":"strap","id":"\#(id)","kind":"heart-rate","loinc":"8867-4","person":"maria","#
            + #""received":"2026-03-01T11:59:59.000Z","time":"\#(time)","unit":"/min","value":\#(value)}"#
    }

    private let topic = "trackme/v1/house-12/samples/maria/heart-rate"

    private func decided(_ request: String, _ verdict: String, entry: Int, party: String = "trackme-account")
        -> String
    {
        #"{"decision":{"at":"2026-03-01T11:59:59.000Z","entry":\#(entry),"kinds":[],"party":"\#(party)","#
            + #""person":"maria","request":"\#(request)","verdict":"\#(verdict)"},"event":"decided","iat":1772366399,"#
            + #""iss":"house-12","jti":"019caa1b-3c40-7d10-8a01-5f0c3a9e00\#(10 + entry)"}"#
    }

    @Test func `each reading of a message is kept once, however often it comes`() async throws {
        let trial = try await Trial(at: noon)
        let message = sample("019caa1b-3c40-7d10-8a01-5f0c3a9e0001")
        try trial.receive(topic, message)
        try trial.receive(topic, message)
        #expect(trial.intake.counts.samples == 1)
        #expect(trial.intake.counts.repeated == 1)
        #expect(try await trial.stores.samples.latest(of: .maria).map(\.value) == [72])
    }

    @Test func `a doubtful reading is kept as one`() async throws {
        let trial = try await Trial(at: noon)
        let doubts = [#"["poor-signal","of-a-newer-gateway"]"#, #"["irregular-pulse"]"#, "[]"]
        for (number, doubt) in doubts.enumerated() {
            let message = sample("019caa1b-3c40-7d10-8a01-5f0c3a9e000\(number)")
            try trial.receive(topic, message.replacing(#""device""#, with: #""doubt":\#(doubt),"device""#))
        }
        let kept = try await trial.stores.samples.samples(of: .maria, nil, after: nil, most: 9)
        #expect(kept.map(\.flags.doubts) == [.questionable, .irregularPulse, []])
    }

    @Test func `bad messages are set aside with their reason, and never block the good ones`() async throws {
        let trial = try await Trial(at: noon)
        let good = sample("019caa1b-3c40-7d10-8a01-5f0c3a9e0001")
        func message(_ topic: String, _ payload: String) -> InboundMessage {
            InboundMessage(topic: topic, payload: Array(payload.utf8), isRetained: false)
        }
        let bad: [(DeadLetter.Reason, InboundMessage)] = [
            (.unreadable, message(topic, "garbage \u{0}")),
            (.unreadable, message(topic, "{}")),
            (.unreadable, message(topic, String(repeating: "[", count: 60_000))),
            (.unreadable, message(topic, sample("no uuid"))),
            (.unreadable, message(topic, sample("019caa1b-3c40-7d10-8a01-5f0c3a9e0002", value: "1e999"))),
            (.unreadable, message(topic, good.replacing("/min", with: "/h"))),
            (.unreadable, message("trackme/v1/house-12/samples/paolo/heart-rate", good)),
            (.unknownTopic, message("trackme/v2/house-12/samples/maria/heart-rate", good)),
            (.unknownTopic, message("trackme/v1/house-12", good)),
            (.unknownHouse, message("trackme/v1/house-99/samples/maria/heart-rate", good)),
            (
                .unknownKind,
                message("trackme/v1/house-12/samples/maria/mood", good.replacing("heart-rate", with: "mood"))
            ),
            (
                .future,
                message(topic, sample("019caa1b-3c40-7d10-8a01-5f0c3a9e0003", time: "2026-03-01T13:00:01.000Z"))
            ),
            (.tooLarge, message(topic, good + String(repeating: " ", count: 65_536))),
            (.badSignature, message("trackme/v1/house-12/receipts", "a.b.c")),
        ]
        var batch: [InboundMessage] = []
        for (number, (_, message)) in bad.enumerated() {
            let id = "019caa1b-3c40-7d10-8a01-5f0c3a9e1\(100 + number)"
            batch += [
                message, InboundMessage(topic: topic, payload: Array(sample(id).utf8), isRetained: false),
            ]
        }
        try trial.intake.commit(batch)
        #expect(trial.intake.counts.samples == bad.count)
        let expected = Dictionary(grouping: bad, by: \.0).mapValues(\.count)
        #expect(trial.intake.counts.setAside == expected)
        let letters = try await trial.stores.intake.deadLetters(most: 100)
        #expect(letters.map(\.reason).reversed() == bad.map(\.0))
    }

    @Test func `limits are kept and shown while the person shares them`() async throws {
        let trial = try await Trial(at: noon)
        let anna = try await trial.stores.accounts.add(.sample("anna", at: noon))
        _ = try await trial.stores.link(anna, to: .maria, as: "link-a", at: noon)
        func tell(_ high: Int, at second: Int) throws {
            try trial.receive(
                "trackme/v1/house-12/parties/trackme-limits/maria/limits",
                #"{"grant":4,"id":"019caa1b-3c40-7d10-8a01-5f0c3a9e0026","kind":"limits","party":"trackme-limits","#
                    + #""person":"maria","time":"2026-03-01T08:30:0\#(second).000Z","value":[{"high":\#(high),"#
                    + #""kind":"heart-rate","unit":"/min","warning_low":45.5},{"high":1,"kind":"mood","unit":"1"}]}"#
            )
        }
        func sharing() async throws -> FactSharing? {
            try await trial.stores.facts.sharing(.limits, of: .maria)
        }
        func ask(_ request: String, at time: WallTime) async throws {
            try await trial.ask(request, about: .limits, by: anna, at: time)
        }
        // Nobody has asked for them.
        try tell(131, at: 1)
        #expect(trial.intake.counts.setAside == [.noGrant: 1])
        try await ask("limits-a", at: noon)
        await #expect(throws: StoreFault.factAsked) { try await ask("limits-b", at: noon) }
        // The copy may come before the receipt.
        try tell(131, at: 2)
        #expect(try await sharing()?.limits == [])
        try trial.receipt(decided("limits-a", "accepted", entry: 1, party: "trackme-limits"))
        var expected = AlarmLimits(.heartRate)
        (expected.high, expected.warningLow) = (131, 45.5)
        #expect(try await sharing()?.state == .shared)
        #expect(try await sharing()?.limits == [expected])
        try tell(150, at: 4)
        try tell(140, at: 3)
        #expect(try await sharing()?.limits.map(\.high) == [150])
        try trial.receipt(decided("limits-a", "withdrawn", entry: 2, party: "trackme-limits"))
        #expect(try await sharing()?.state == .ended)
        #expect(try await sharing()?.limits == [])
        try tell(160, at: 5)
        #expect(trial.intake.counts.setAside == [.noGrant: 2])
        // Not until the day is over.
        for number in 1..<FactSharing.mostInADay {
            try await ask("limits-c\(number)", at: noon.later(number))
            let answer = CommandAnswer(
                gateway: HousePerson.maria.gateway, command: "jti-limits-c\(number)", refusal: "wrong-value",
                at: noon.later(number))
            _ = try trial.stores.intake.keep([.answer(answer)], at: noon)
        }
        #expect(try await sharing()?.reason == "wrong-value")
        await #expect(throws: StoreFault.tooManyFactRequests) { try await ask("limits-d", at: noon.later(9)) }
        try await ask("limits-e", at: noon.later(86_500))
        #expect(try await trial.stores.facts.unlinked(most: 9).isEmpty)
        try await trial.stores.remove(anna, at: noon)
        #expect(try await trial.stores.facts.unlinked(most: 9).map(\.subject) == [.maria])
    }

    private static let code = "MRTMTT25D09F205Z"

    /// Copy of the fiscal code as the contract has it.
    private func copy(
        _ value: String, second: Int = 1, request: String = #","request":"code-a""#, day: Int = 1
    ) -> String {
        #"{"grant":4,"id":"019caa1b-3c40-7d10-8a01-5f0c3a9e0026","kind":"profile-fiscal-code","party":"trackme-identity","#
            + #""person":"maria"\#(request),"time":"2026-03-0\#(day)T08:30:0\#(second).000Z"\#(value)}"#
    }

    @Test func `the fiscal code of a house is kept as a look-up value, and only by its own request`()
        async throws
    {
        let trial = try await Trial(at: noon)
        let anna = try await trial.stores.accounts.add(.sample("anna", at: noon))
        _ = try await trial.stores.link(anna, to: .maria, as: "link-a", at: noon)
        let topic = "trackme/v1/house-12/parties/trackme-identity/maria/profile-fiscal-code"
        func tell(_ value: String?, second: Int) throws {
            try trial.receive(topic, copy(#","value":\#(value.map { "\"\($0)\"" } ?? "null")"#, second: second))
        }
        func value() async throws -> FactValue? {
            try await trial.stores.facts.sharing(.fiscalCode, of: .maria)?.value
        }
        let known = FactValue.fiscalCode(lookUp: IdentitySealer.sample.lookUp(try FiscalCode(Self.code)))
        // A yes to the limits is none to the code.
        try await trial.ask("limits-a", about: .limits, by: anna, at: noon)
        try trial.receipt(decided("limits-a", "accepted", entry: 1, party: "trackme-limits"))
        try tell(Self.code, second: 1)
        #expect(trial.intake.counts.setAside == [.noGrant: 1])
        try await trial.ask("code-a", about: .fiscalCode, by: anna, at: noon)
        await #expect(throws: StoreFault.factAsked) {
            try await trial.ask("code-b", about: .fiscalCode, by: anna, at: noon)
        }
        try tell(Self.code, second: 2)
        #expect(try await value() == nil, "the copy came before the receipt")
        try trial.receipt(decided("code-a", "accepted", entry: 2, party: "trackme-identity"))
        #expect(try await value() == known)
        #expect(try !trial.file.allRows().contains { $0.contains(Self.code) })
        try tell(nil, second: 4)
        #expect(try await value() == .fiscalCode(lookUp: nil))
        try tell(Self.code, second: 3)
        #expect(try await value() == .fiscalCode(lookUp: nil), "an older message")
        try tell(Self.code, second: 5)
        #expect(try await value() == known)

        let counts = trial.intake.counts.setAside
        try trial.receive(topic, copy(#","value":null"#, second: 9, request: #","request":"code-old""#))
        #expect(trial.intake.counts.setAside[.noGrant] == 2, "of an earlier request")
        // Without a request, without a value, of another form, no fiscal code, of tomorrow, of another person.
        for bad in [
            copy(#","value":null"#, second: 9, request: ""), copy("", second: 9),
            copy(#","value":7"#, second: 9),
            copy(#","value":"MRTMTT25D09F205A""#, second: 9), copy(#","value":null"#, day: 2),
            copy(#","value":null"#, second: 9).replacing("\"maria\"", with: "\"paolo\""),
        ] { try trial.receive(topic, bad) }
        #expect(trial.intake.counts.setAside[.unreadable, default: 0] == counts[.unreadable, default: 0] + 5)
        #expect(trial.intake.counts.setAside[.future] == 1)
        #expect(try await value() == known)
        #expect(try !trial.file.allRows().contains { $0.contains("MRTMTT25D09F205") })
        try trial.receipt(decided("code-a", "withdrawn", entry: 3, party: "trackme-identity"))
        #expect(try await value() == nil)
        #expect(try await trial.stores.facts.sharing(.limits, of: .maria)?.state == .shared)
    }

    @Test func `a yes to an earlier question changes nothing while a newer one is open`() async throws {
        let trial = try await Trial(at: noon)
        let anna = try await trial.stores.accounts.add(.sample("anna", at: noon))
        _ = try await trial.stores.link(anna, to: .maria, as: "link-a", at: noon)
        func state() async throws -> FactSharing.State? {
            try await trial.stores.facts.sharing(.fiscalCode, of: .maria)?.state
        }
        try await trial.ask("code-a", about: .fiscalCode, by: anna, at: noon)
        try trial.receipt(decided("code-a", "refused", entry: 1, party: "trackme-identity"))
        try await trial.ask("code-b", about: .fiscalCode, by: anna, at: noon.later(1))
        // A person may change their mind about a request that was refused.
        try trial.receipt(decided("code-a", "accepted", entry: 2, party: "trackme-identity"))
        #expect(try await state() == .asked)
        try trial.receipt(decided("code-b", "refused", entry: 3, party: "trackme-identity"))
        #expect(try await state() == .refused)
    }

    @Test func `a link follows the signed receipts of its house alone`() async throws {
        let trial = try await Trial(at: noon)
        let anna = try await trial.stores.accounts.add(.sample("anna", at: noon))
        let id = try await trial.stores.ask(anna, for: .maria, as: "link-a", at: noon)
        func state() async throws -> Link.State? { try await trial.stores.links.link(id, of: anna)?.state }

        // The key of another house, under the topic of this one.
        try trial.receipt(
            decided("link-a", "accepted", entry: 1),
            by: GatewayIdentity(makingOneFor: HousePerson.maria.gateway))
        #expect(try await state() == .asked)
        #expect(trial.intake.counts.setAside == [.badSignature: 1])
        // A request of a third party that happens to have the name.
        try trial.receipt(decided("link-a", "accepted", entry: 2, party: "uni-milano"))
        #expect(try await state() == .asked)
        try trial.receipt(decided("link-a", "accepted", entry: 3))
        #expect(try await state() == .linked)
        try trial.receipt(decided("link-a", "withdrawn", entry: 4))
        #expect(try await state() == .ended)
    }

    @Test func `a yes to an earlier question for a link changes nothing while a newer one is open`()
        async throws
    {
        let trial = try await Trial(at: noon)
        let anna = try await trial.stores.accounts.add(.sample("anna", at: noon))
        let first = try await trial.stores.ask(anna, for: .maria, as: "link-a", at: noon)
        try trial.receipt(decided("link-a", "refused", entry: 1))
        let second = try await trial.stores.ask(anna, for: .maria, as: "link-b", at: noon)
        func states() async throws -> [Link.State?] {
            [
                try await trial.stores.links.link(first, of: anna)?.state,
                try await trial.stores.links.link(second, of: anna)?.state,
            ]
        }
        // A person may change their mind about a request that was refused.
        try trial.receipt(decided("link-a", "accepted", entry: 2))
        #expect(try await states() == [.refused, .asked])
        try trial.receipt(decided("link-b", "accepted", entry: 3))
        #expect(try await states() == [.refused, .linked])
    }

    @Test func `a withdrawal ends the open streams of the person at once`() async throws {
        let trial = try await Trial(at: noon)
        let (stream, readings) = AsyncStream.makeStream(of: LatestValue.self)
        let opened = trial.hub.open(.maria, put: { readings.yield($0) }, end: { readings.finish() })
        let page = try #require(opened)
        try trial.receive(topic, sample("019caa1b-3c40-7d10-8a01-5f0c3a9e0001"))
        try trial.receipt(decided("link-a", "withdrawn", entry: 1))
        var values: [Double] = []
        for await reading in stream { values.append(reading.value) }
        #expect(values == [72])
        page.close()
        #expect(trial.hub.pageCount == 0)
    }

    /// As at a server that does not receive the readings itself.
    @Test func `a poll hands the newest reading to the open pages, once`() async throws {
        let trial = try await Trial(at: noon)
        // Each look at this clock is a second after the one before.
        let seconds = Mutex<Int64>(0)
        let other = LiveHub {
            seconds.withLock {
                $0 += 1
                return BootInstant(nanoseconds: $0 * 1_000_000_000)
            }
        }
        let poller = LivePoller(
            hub: other, samples: trial.stores.samples,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        let shown = Recorder<LatestValue>()
        let opened = [
            other.open(.maria, put: { shown.add($0) }, end: {}),
            other.open(.paolo, put: { _ in Issue.record("a reading of another person") }, end: {}),
        ]
        let pages = opened.compactMap { $0 }
        #expect(pages.count == 2)
        try await poller.poll()
        #expect(shown.values.isEmpty)
        try trial.receive(topic, sample("019caa1b-3c40-7d10-8a01-5f0c3a9e0001"))
        try await poller.poll()
        try await poller.poll()
        #expect(shown.values.map(\.value) == [72])
        try trial.receive(
            topic,
            sample(
                "019caa1b-3c40-7d10-8a01-5f0c3a9e0002", value: "74", time: "2026-03-01T11:59:59.900Z"))
        try await poller.poll()
        #expect(shown.values.map(\.value) == [72, 74])
        for page in pages { page.close() }
        try await poller.poll()
        #expect(shown.values.count == 2)
    }

    @Test func `readings for the spectators of a run come out of the copies of their grant`() async throws {
        let vitals = Recorder<SharedVital>()
        let trial = try await Trial(at: noon) { event, _ in
            if case .vital(let vital) = event { vitals.add(vital) }
            return nil
        }
        let topic = "trackme/v1/house-12/parties/trackme-spectators/maria/heart-rate"
        func copy(_ id: Int, _ members: String = #""grant":4"#, value: Int = 72, unit: String = "/min")
            -> String
        {
            #"{"device":"strap",\#(members),"id":"019caa1b-3c40-7d10-8a01-5f0c3a9e000\#(id)","kind":"heart-rate","#
                + #""party":"trackme-spectators","person":"maria","received":"2026-03-01T11:59:59.000Z","#
                + #""time":"2026-03-01T11:59:59.000Z","unit":"\#(unit)","value":\#(value)}"#
        }
        try trial.receive(topic, copy(1))
        let expected = SharedVital(
            subject: .maria, grant: 4, kind: .heartRate, value: 72,
            time: WallTime(rfc3339: "2026-03-01T11:59:59Z")!)
        #expect(vitals.values == [expected])
        // Without contact, in another unit, without a grant, for another party or person.
        try trial.receive(topic, copy(2, #""grant":4,"contact":"lost""#))
        try trial.receive(topic, copy(3, unit: "/h"))
        try trial.receive(topic, copy(4, #""flag":4"#))
        try trial.receive(topic.replacing("maria", with: "paolo"), copy(5))
        #expect(vitals.values.count == 1)
        let counts = trial.intake.counts
        #expect(counts.setAside[.unreadable] == 2)
        // They are in no chart.
        #expect(try await trial.stores.samples.latest(of: .maria).isEmpty)
    }

    @Test func `an answer of the house takes the command out of the outbox`() async throws {
        let trial = try await Trial(at: noon)
        let anna = try await trial.stores.accounts.add(.sample("anna", at: noon))
        let id = try await trial.stores.ask(anna, for: .maria, as: "link-a", at: noon)
        try trial.receipt(
            #"{"event":"command","iat":1772366399,"iss":"house-12","jti":"019caa1b-3c40-7d10-8a01-5f0c3a9e0031","#
                + #""message":"x","re":"command of link-a","reason":"not-allowed","result":"refused","seq":1,"to":"trackme"}"#
        )
        #expect(try await trial.stores.links.openCommandCount() == 0)
        #expect(try await trial.stores.links.link(id, of: anna)?.state == .failed)
        #expect(try await trial.stores.links.link(id, of: anna)?.reason == "not-allowed")
    }

    /// On PostgreSQL such a batch is two transactions at the same time.
    @Test func `a batch of several houses is kept whole, each reading once, in the order of its house`()
        async throws
    {
        let trial = try await Trial(at: noon)
        let houses = ["house-12", "house-13", "house-14", "house-15"]
        for house in houses.dropFirst() {
            let id = try #require(GatewayID(house))
            try await trial.stores.houses.register(
                House(gateway: id, key: GatewayIdentity(makingOneFor: id).publicJWK, added: noon))
        }
        try await trial.directory.refresh()
        func batch(of count: Int) -> [InboundMessage] {
            (0..<count).flatMap { number in
                houses.map { house in
                    let id = "019caa1b-3c40-7d10-8a01-" + String(format: "%012d", number)
                    return InboundMessage(
                        topic: "trackme/v1/\(house)/samples/maria/heart-rate",
                        payload: Array(sample(id, value: "\(50 + number)").utf8), isRetained: false)
                }
            }
        }
        try trial.intake.commit(batch(of: 50))
        // It comes again with more behind it, as after a connection that ended, and each of its messages twice.
        let more = batch(of: 60)
        try trial.intake.commit(more + more)
        #expect(trial.intake.counts.samples == 240)
        #expect(trial.intake.counts.repeated == 200 + 240)
        #expect(trial.intake.counts.setAside.isEmpty)
        for house in houses {
            let maria = HousePerson(try #require(GatewayID(house)), HousePerson.maria.person)
            #expect(try await trial.stores.samples.latest(of: maria).map(\.value) == [109], "\(house)")
        }
        // The key of the last house is not read yet: the whole batch fails, and is kept when it comes again.
        let unknown = try #require(GatewayID("house-16"))
        try await trial.stores.houses.register(
            House(gateway: unknown, key: GatewayIdentity(makingOneFor: unknown).publicJWK, added: noon))
        let last = InboundMessage(
            topic: "trackme/v1/house-16/samples/maria/heart-rate",
            payload: Array(sample("019caa1b-3c40-7d10-8a01-000000000001").utf8), isRetained: false)
        let late = batch(of: 70) + [last]
        #expect(throws: (any Error).self) { try trial.intake.commit(late) }
        try await trial.directory.refresh()
        try trial.intake.commit(late)
        #expect(trial.intake.counts.samples == 281)
        #expect(trial.intake.counts.repeated >= 440 + 240)
    }

    @Test func `a batch of a house whose key is not read yet comes again`() async throws {
        let trial = try await Trial(at: noon)
        let key = GatewayIdentity(makingOneFor: HousePerson.paolo.gateway).publicJWK
        try await trial.stores.houses.register(
            House(gateway: HousePerson.paolo.gateway, key: key, added: noon))
        let message = sample("019caa1b-3c40-7d10-8a01-5f0c3a9e0001").replacing("maria", with: "paolo")
        #expect(throws: (any Error).self) {
            try trial.receive("trackme/v1/house-13/samples/paolo/heart-rate", message)
        }
        #expect(try await trial.stores.samples.latest(of: .paolo).isEmpty)
        try await trial.directory.refresh()
        try trial.receive("trackme/v1/house-13/samples/paolo/heart-rate", message)
        #expect(try await trial.stores.samples.latest(of: .paolo).map(\.value) == [72])
    }
}
