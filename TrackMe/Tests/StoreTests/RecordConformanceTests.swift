import Accounts
import GatewayModel
import Store
import StoreSamples
import TestSupport
import Testing

/// Rules of every store for the records beside the readings.
struct RecordConformanceTests {
    private let noon = WallTime(millisecondsSince1970: 1_772_366_400_000)

    private func gap(_ number: Int, from: Int, to: Int, kind: QuantityKind = .heartRate) -> StoredGap {
        StoredGap(
            subject: .maria, kind: kind, id: .sample(number, at: noon), from: noon.later(from),
            to: noon.later(to), dropped: 10, kept: 0, reason: .quota)
    }

    private func notice(_ number: Int, _ phase: StoredNotice.Phase) -> StoredNotice {
        StoredNotice(
            subject: .maria, id: .sample(number, at: noon.later(number)), time: noon.later(number),
            phase: phase,
            matter: "unwatched strap", topic: "supervision", text: Text(en: "Away.", it: "Lontano."))
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a gap is kept once, and found by each time that it touches`(_ kind: StoreUnderTest) async throws {
        try await kind.withStores { stores in
            let (first, other) = (gap(1, from: 0, to: 600), gap(2, from: 0, to: 600, kind: .glucose))
            let result = try stores.intake.keep([.gap(first), .gap(other), .gap(first)], at: noon)
            #expect(result.repeated == 1)
            func found(_ from: Int, _ to: Int) async throws -> [StoredGap] {
                try await stores.records.gaps(
                    of: .maria, .heartRate, from: noon.later(from), to: noon.later(to), most: 10)
            }
            #expect(try await found(-100, 0).isEmpty)
            #expect(try await found(-100, 1) == [first])
            #expect(try await found(600, 700) == [first])
            #expect(try await found(601, 700).isEmpty)
            let all = try await stores.records.gaps(
                of: .maria, nil, from: noon, to: noon.later(1), most: 10)
            #expect(Set(all) == [first, other])
            let others = try await stores.records.gaps(
                of: .paolo, nil, from: noon, to: noon.later(1), most: 10)
            #expect(others.isEmpty)
            #expect(try await stores.records.gaps(of: .maria, after: nil, most: 1) == [first])
            #expect(try await stores.records.gaps(of: .maria, after: first.id, most: 5) == [other])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `notices and documents are kept once, and read by pages`(_ kind: StoreUnderTest) async throws {
        try await kind.withStores { stores in
            let notices = [notice(1, .began), notice(2, .ended), notice(3, .news)]
            let documents = (1...3).map { number in
                StoredDocument(
                    subject: .maria, id: .sample(number, at: noon.later(number)), time: noon,
                    resource: Array("{\"n\":\(number)}".utf8))
            }
            let items = notices.map { IntakeItem.notice($0) } + documents.map { .document($0) }
            _ = try stores.intake.keep(items, at: noon)
            #expect(try stores.intake.keep(items, at: noon).repeated == 6)
            let newest = try await stores.records.notices(of: .maria, before: nil, most: 2)
            #expect(newest == [notices[2], notices[1]])
            let older = try await stores.records.notices(of: .maria, before: notices[1].id, most: 2)
            #expect(older == [notices[0]])
            let page = try await stores.records.documents(of: .maria, after: documents[0].id, most: 1)
            #expect(page == [documents[1]])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `beat intervals come back with their heart rate, and fill minutes of their own`(
        _ kind: StoreUnderTest
    ) async throws {
        try await kind.withStores { stores in
            let sample = StoredSample(
                subject: .maria, kind: .heartRate, device: DeviceID("strap")!, id: .sample(1, at: noon),
                time: noon.later(1), value: 72, beatIntervals: [827.1, 819.3, 800])
            _ = try stores.intake.keep([.sample(sample), .sample(sample)], at: noon)
            #expect(try await stores.samples.samples(of: .maria, nil, after: nil, most: 5) == [sample])
            // 1 s after the minute: the last two intervals end within it, the first before.
            let minutes = try await stores.samples.summaries(
                of: .maria, .rrInterval, from: noon.later(-60), to: noon.later(60), minutes: 1)
            #expect(minutes.map(\.count) == [1, 2])
            #expect(minutes.map(\.max) == [827.1, 819.3])
            let series = try await stores.samples.series(of: .maria)
            #expect(series.map(\.kind) == [.heartRate, .rrInterval])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `nothing beside the readings is kept after a withdrawn policy`(_ kind: StoreUnderTest) async throws {
        try await kind.withStores { stores in
            let withdrawal = DecisionRecord(
                subject: .maria, matter: .policy("data-policy"), verdict: .withdrawn, at: noon, entry: 1)
            let result = try stores.intake.keep(
                [.decision(withdrawal), .gap(gap(1, from: 0, to: 1)), .notice(notice(2, .news))], at: noon)
            #expect(result.setAside == [.policyWithdrawn: 2])
            #expect(try await stores.records.notices(of: .maria, before: nil, most: 5).isEmpty)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a house is present from its heartbeats, and a repeated status is no sign of life`(
        _ kind: StoreUnderTest
    ) async throws {
        try await kind.withStores { stores in
            let house = HousePerson.maria.gateway
            let online = HouseStatus(
                id: .sample(1, at: noon), time: noon, isOnline: true, version: "1.0",
                conditions: [.init(code: "battery-low", severity: "degraded", subject: "strap")])
            func beat(_ number: Int, at seconds: Int, strap: Int) -> IntakeItem {
                .house(
                    house,
                    .heartbeat(
                        HouseHeartbeat(
                            id: .sample(number, at: noon.later(seconds)), time: noon.later(seconds),
                            version: "1.0", interval: .seconds(60), openAlarms: 1, unsent: 7, hasMains: false,
                            batteryPercent: 41,
                            wearables: [DeviceID("strap")!: noon.later(strap), DeviceID("cuff")!: nil])))
            }
            func state() async throws -> HouseState? { try await stores.records.state(of: house) }
            #expect(try await state() == nil)
            _ = try stores.intake.keep(
                [.house(house, .status(online)), beat(2, at: 60, strap: 58)], at: noon.later(61))
            // An older heartbeat that waited somewhere, and the status again at a new session.
            _ = try stores.intake.keep(
                [beat(3, at: 1, strap: 0), .house(house, .status(online))], at: noon.later(500))
            let found = try #require(try await state())
            #expect(found.lastSeen == noon.later(60))
            #expect(found.conditions == online.conditions)
            #expect(found.batteryPercent == 41)
            #expect(found.isPresent(at: noon.later(60 + 187)))
            #expect(!found.isPresent(at: noon.later(60 + 188)))

            _ = try stores.intake.keep(
                [.sample(.heartRate(70, at: noon.later(30), number: 9))], at: noon.later(61))
            #expect(
                try await stores.records.devices(of: .maria) == [
                    SeenDevice(device: DeviceID("strap")!, kinds: [.heartRate], lastReading: noon.later(58))
                ])
            let offline = HouseStatus(
                id: .sample(4, at: noon), time: noon, isOnline: false, version: "1.0", conditions: [])
            _ = try stores.intake.keep([.house(house, .status(offline))], at: noon.later(62))
            #expect(try await state()?.isPresent(at: noon.later(63)) == false)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a person to whom nobody is linked leaves no gap, notice, document or view`(
        _ kind: StoreUnderTest
    ) async throws {
        try await kind.withStores { stores in
            let anna = try await stores.accounts.add(.sample("anna", at: noon))
            _ = try await stores.link(anna, to: .maria, as: "link-a", at: noon)
            let document = StoredDocument(
                subject: .maria, id: .sample(1, at: noon), time: noon, resource: Array("{}".utf8))
            _ = try stores.intake.keep(
                [.gap(gap(1, from: 0, to: 1)), .notice(notice(2, .news)), .document(document)], at: noon)
            try await stores.views.record(.page, by: anna, of: .maria, at: noon)
            try await stores.remove(anna, at: noon)
            #expect(
                try await stores.records.gaps(of: .maria, nil, from: noon, to: noon.later(9), most: 5).isEmpty)
            #expect(try await stores.records.notices(of: .maria, before: nil, most: 5).isEmpty)
            #expect(try await stores.records.documents(of: .maria, after: nil, most: 5).isEmpty)
            #expect(try await stores.views.views(of: .maria, after: nil, most: 5).isEmpty)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `looks are counted by day, account and manner`(_ kind: StoreUnderTest) async throws {
        try await kind.withStores { stores in
            let anna = try await stores.accounts.add(.sample("anna", at: noon))
            let paolo = try await stores.accounts.add(.sample("paolo", at: noon))
            _ = try await stores.link(anna, to: .maria, as: "link-a", at: noon)
            _ = try await stores.link(paolo, to: .maria, as: "link-b", at: noon)
            for (account, manner, seconds) in [
                (anna, DataView.Manner.page, 1), (anna, .page, 2), (paolo, .export, 3), (anna, .page, 86_400),
            ] {
                try await stores.views.record(manner, by: account, of: .maria, at: noon.later(seconds))
            }
            try await stores.remove(paolo, at: noon)
            let views = try await stores.views.views(of: .maria, after: nil, most: 10)
            #expect(views.map(\.user?.text) == ["anna", nil, "anna"])
            #expect(views.map(\.count) == [1, 1, 2])
            #expect(views.map(\.last) == [noon.later(86_400), noon.later(3), noon.later(2)])
            #expect(try await stores.views.views(of: .maria, after: nil, most: 1) == [views[0]])
            #expect(try await stores.views.views(of: .maria, after: views[0], most: 5) == [views[1], views[2]])
        }
    }

    // MARK: Intervals and removal

    @Test(arguments: StoreUnderTest.allCases)
    func `an interval is set by a linked account alone, and shows the answer of the house`(
        _ kind: StoreUnderTest
    ) async throws {
        try await kind.withStores { stores in
            let anna = try await stores.accounts.add(.sample("anna", at: noon))
            func set(_ id: String) async throws {
                try await stores.intervals.set(10, for: .heartRate, of: .maria, by: anna, at: noon) { _ in
                    .sample(id, about: "link-a", at: noon)
                }
            }
            await #expect(throws: StoreFault.notLinked) { try await set("one") }
            _ = try await stores.link(anna, to: .maria, as: "link-a", at: noon)
            for id in ["one", "two", "three"] { try await set(id) }
            func answer(_ command: String, _ refusal: String?) -> IntakeItem {
                .answer(
                    CommandAnswer(
                        gateway: HousePerson.maria.gateway, command: command, refusal: refusal,
                        at: noon.later(2)))
            }
            _ = try stores.intake.keep([answer("one", nil), answer("two", "not-allowed")], at: noon)
            try await stores.links.expireCommands(at: noon.later(3_600))
            let states = try await stores.intervals.intervals(of: .maria, most: 10)
            let byID = Dictionary(uniqueKeysWithValues: states.map { ($0.id, $0) })
            #expect(byID["one"]?.state == .done)
            #expect(byID["two"]?.state == .refused)
            #expect(byID["two"]?.reason == "not-allowed")
            #expect(byID["three"]?.state == .noAnswer)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `an account that looks sets no interval, and neither asks for limits nor ends them`(
        _ kind: StoreUnderTest
    ) async throws {
        try await kind.withStores { stores in
            let anna = try await stores.accounts.add(.sample("anna", at: noon))
            let bruno = try await stores.accounts.add(.sample("bruno", at: noon))
            _ = try await stores.link(anna, to: .maria, as: "link-a", at: noon)
            _ = try await stores.link(bruno, to: .maria, as: "link-b", role: .looks, at: noon)
            func set(_ id: String, by account: AccountID) async throws {
                try await stores.intervals.set(10, for: .heartRate, of: .maria, by: account, at: noon) { _ in
                    .sample(id, about: "link-a", at: noon)
                }
            }
            func ask(_ id: String, by account: AccountID) async throws {
                try await stores.facts.ask(RequestID(id)!, about: .limits, of: .maria, by: account, at: noon) {
                    _ in
                    .sample("ask-\(id)", about: id, at: noon)
                }
            }
            func end(by account: AccountID?) async throws -> Bool {
                try await stores.facts.end(.limits, of: .maria, by: account, at: noon) { request, _ in
                    .sample("end", about: request.text, at: noon)
                }
            }
            await #expect(throws: StoreFault.notLinked) { try await set("one", by: bruno) }
            await #expect(throws: StoreFault.notLinked) { try await ask("limit-1", by: bruno) }
            try await set("one", by: anna)
            try await ask("limit-1", by: anna)
            await #expect(throws: StoreFault.notLinked) { try await end(by: bruno) }
            #expect(try await stores.facts.sharing(.limits, of: .maria)?.state == .asked)
            #expect(try await end(by: anna))
            #expect(try await stores.links.links(of: bruno).map(\.mayAct) == [false])
            #expect(try await stores.links.links(of: anna).map(\.mayAct) == [true])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `the outbox of a removed account has its withdrawals alone`(_ kind: StoreUnderTest) async throws {
        try await kind.withStores { stores in
            let anna = try await stores.accounts.add(.sample("anna", at: noon))
            _ = try await stores.link(anna, to: .maria, as: "link-a", at: noon)
            _ = try await stores.ask(anna, for: .paolo, as: "link-1", at: noon)
            try await stores.intervals.set(10, for: .heartRate, of: .maria, by: anna, at: noon) { _ in
                .sample("interval", about: "link-a", at: noon)
            }
            try await stores.remove(anna, at: noon)
            let due = try await stores.links.due(at: noon.later(1), most: 10)
            #expect(Set(due.compactMap(\.request?.text)) == ["link-a", "link-1"])
            #expect(due.allSatisfy { $0.id.hasPrefix("withdrawal") })
            _ = try stores.intake.keep(
                due.map { .answer(CommandAnswer(gateway: $0.gateway, command: $0.id, refusal: nil, at: noon)) },
                at: noon)
            #expect(try await stores.links.openCommandCount() == 0)
        }
    }
}
