import Accounts
import GatewayModel
import SeededRandom
import Store
import StoreSamples
import TestSupport
import Testing

/// Rules of every store for the removal of old readings.
struct RetentionConformanceTests {
    private let noon = WallTime(millisecondsSince1970: 1_772_366_400_000)
    private let retention = Retention(
        raw: .seconds(7 * 86_400), minutes: .seconds(90 * 86_400), hours: .seconds(400 * 86_400),
        late: .seconds(100 * 86_400))

    private func removeAll(_ stores: Stores, at time: WallTime, most: Int = 100) async throws {
        try await stores.retention.raise(retention.limits(at: time))
        while try await stores.retention.removeSome(most: most) > 0 {}
    }

    private func days(_ count: Int) -> Int { count * 86_400 }

    @Test(arguments: StoreUnderTest.allCases)
    func `readings, minutes and hours go one after the other, and the figures stay`(
        _ kind: StoreUnderTest
    ) async throws {
        try await kind.withStores { stores in
            let samples = (0..<120).map {
                StoredSample.heartRate(Double(60 + $0), at: noon.later($0 * 60), number: $0)
            }
            _ = try stores.intake.keep(samples.map { .sample($0) }, at: noon)
            func counts(_ minutes: Int) async throws -> [Int] {
                try await stores.samples.summaries(
                    of: .maria, .heartRate, from: noon, to: noon.later(7_200), minutes: minutes
                ).map(\.count)
            }
            try await removeAll(stores, at: noon.later(days(6)))
            #expect(try await stores.samples.samples(of: .maria, nil, after: nil, most: 200).count == 120)

            try await removeAll(stores, at: noon.later(days(8)))
            #expect(try await stores.samples.samples(of: .maria, nil, after: nil, most: 200).isEmpty)
            #expect(try await counts(1) == Array(repeating: 1, count: 120))

            try await removeAll(stores, at: noon.later(days(92)))
            #expect(try await counts(1) == [60, 60])
            #expect(
                try await stores.samples.summaries(
                    of: .maria, .heartRate, from: noon, to: noon.later(7_200), minutes: 120)
                    == [Summary(begin: noon, count: 120, min: 60, mean: 119.5, max: 179)])

            try await removeAll(stores, at: noon.later(days(402)))
            #expect(try await counts(1).isEmpty)
            #expect(try await counts(60).isEmpty)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a step removes no more rows than it may`(_ kind: StoreUnderTest) async throws {
        try await kind.withStores { stores in
            let samples = (0..<25).map { StoredSample.heartRate(70, at: noon.later($0), number: $0) }
            _ = try stores.intake.keep(samples.map { .sample($0) }, at: noon)
            try await stores.retention.raise(retention.limits(at: noon.later(days(8))))
            var steps: [Int] = []
            while case let count = try await stores.retention.removeSome(most: 10), count > 0 {
                steps.append(count)
            }
            #expect(steps == [10, 10, 5])
        }
    }

    /// A round of the server has 1,000 steps, and each minute readings of all series come to their end.
    @Test(arguments: StoreUnderTest.allCases)
    func `a round of 1,000 steps removes the old readings of each of 3,000 series`(
        _ kind: StoreUnderTest
    ) async throws {
        try await kind.withStores { stores in
            let subjects = (0..<3_000).map { number in
                HousePerson(GatewayID("house-\(number / 1_000)")!, PersonID("person-\(number)")!)
            }
            let times = (0..<3).map { noon.later($0 * 3_600) }
            for (number, time) in times.enumerated() {
                let readings = subjects.map {
                    StoredSample.heartRate(70, at: time, number: number, of: $0)
                }
                _ = try stores.intake.keep(readings.map { .sample($0) }, at: time)
            }
            for (number, time) in times.enumerated() {
                let now = time.later(days(7) + 3_600)
                try await stores.retention.raise(retention.limits(at: now))
                for _ in 0..<1_000 {
                    guard try await stores.retention.removeSome(most: 1_000) > 0 else { break }
                }
                let left = times[(number + 1)...].first
                #expect(try await stores.retention.oldest().raw == left, "round \(number)")
                for subject in subjects {
                    let found = try await stores.samples.samples(of: subject, nil, after: nil, most: 3)
                    guard found.first?.time == left else {
                        Issue.record("round \(number) left a reading of \(subject.person)")
                        break
                    }
                }
            }
        }
    }

    /// A series with a backlog does not hold up the series behind it.
    @Test(arguments: StoreUnderTest.allCases)
    func `each series has its turn before a large one has its second turn`(
        _ kind: StoreUnderTest
    ) async throws {
        try await kind.withStores { stores in
            let large = (0..<50).map { StoredSample.heartRate(70, at: noon.later($0), number: $0) }
            let small = StoredSample.heartRate(70, at: noon, number: 1, of: .paolo)
            _ = try stores.intake.keep((large + [small]).map { .sample($0) }, at: noon)
            try await stores.retention.raise(retention.limits(at: noon.later(days(8))))
            for _ in 1...2 { #expect(try await stores.retention.removeSome(most: 10) > 0) }
            #expect(try await stores.samples.samples(of: .paolo, nil, after: nil, most: 9).isEmpty)
            while try await stores.retention.removeSome(most: 10) > 0 {}
            #expect(try await stores.samples.samples(of: .maria, nil, after: nil, most: 9).isEmpty)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a removal that is more than a day behind is a finding, and one that has ended is none`(
        _ kind: StoreUnderTest
    ) async throws {
        try await kind.withStores { stores in
            func ages(_ day: Int) async throws -> [RetentionAge] {
                retention.ages(of: try await stores.retention.oldest(), at: noon.later(days(day)))
            }
            #expect(try await ages(9).map(\.age) == [nil, nil, nil])
            _ = try stores.intake.keep([.sample(.heartRate(70, at: noon, number: 1))], at: noon)
            #expect(try await ages(8).compactMap(\.finding).isEmpty)
            let late = try await ages(10)
            #expect(late[0].description == "oldest readings: 10.0 days, kept for 7 (raw_days)")
            #expect(late.compactMap(\.finding).count == 1)
            #expect(late[0].finding?.contains("3.0 days behind raw_days of [retention]") == true)
            #expect(try await ages(92).compactMap(\.finding).count == 2)
            try await removeAll(stores, at: noon.later(days(10)))
            let after = try await ages(10)
            #expect(after.map(\.age) == [nil, .seconds(days(10)), .seconds(days(10))])
            #expect(after.compactMap(\.finding).isEmpty)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a reading that comes weeks late counts once, also after readings and minutes are gone`(
        _ kind: StoreUnderTest
    ) async throws {
        try await kind.withStores { stores in
            let early = StoredSample.heartRate(60, at: noon, number: 1)
            let late = StoredSample.heartRate(80, at: noon.later(1), number: 2)
            _ = try stores.intake.keep([.sample(early)], at: noon)
            for day in [20, 95] {
                try await removeAll(stores, at: noon.later(days(day)))
                for _ in 1...3 {
                    _ = try stores.intake.keep([.sample(late), .sample(early)], at: noon.later(days(day)))
                }
                let hour = try await stores.samples.summaries(
                    of: .maria, .heartRate, from: noon, to: noon.later(3_600), minutes: 60)
                #expect(hour == [Summary(begin: noon, count: 2, min: 60, mean: 70, max: 80)])
            }
            // Nobody knows any more whether it came before.
            try await removeAll(stores, at: noon.later(days(101)))
            let result = try stores.intake.keep([.sample(late)], at: noon.later(days(101)))
            #expect(result.setAside == [.tooLate: 1])
            let hour = try await stores.samples.summaries(
                of: .maria, .heartRate, from: noon, to: noon.later(3_600), minutes: 60)
            #expect(hour.map(\.count) == [2])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a record that a device had stored may come as late as hours are kept`(
        _ kind: StoreUnderTest
    ) async throws {
        try await kind.withStores { stores in
            let plain = StoredSample.heartRate(60, at: noon, number: 1)
            let stored = StoredSample(
                subject: .maria, kind: .systolicPressure, device: DeviceID("cuff")!, id: plain.id, time: noon,
                value: 140, flags: .history)
            try await removeAll(stores, at: noon.later(days(300)))
            for _ in 1...2 {
                _ = try stores.intake.keep([.sample(stored), .sample(plain)], at: noon.later(days(300)))
                try await removeAll(stores, at: noon.later(days(300)))
            }
            let hours = try await stores.samples.summaries(
                of: .maria, .systolicPressure, from: noon, to: noon.later(3_600), minutes: 60)
            #expect(hours.map(\.count) == [1])
            let refused = try await stores.samples.summaries(
                of: .maria, .heartRate, from: noon, to: noon.later(3_600), minutes: 60)
            #expect(refused.isEmpty)
        }
    }

    /// A reference model beside the store: readings come in any order, late and repeatedly, and the removal goes on between
    /// them by steps of any size.
    @Test(arguments: StoreUnderTest.allCases, 1...6)
    func `hours are exact in any order of readings, repetitions and steps`(
        _ kind: StoreUnderTest, seed: Int
    ) async throws {
        try await kind.withStores { stores in
            var chance = SeededGenerator(seed: UInt64(seed))
            let span = days(90)
            let samples = (0..<400).map { number in
                StoredSample.heartRate(
                    Double(Int.random(in: 40...180, using: &chance)),
                    at: noon.later(Int.random(in: 0..<span, using: &chance)), number: number)
            }
            var came: Set<StoredSample> = []
            var now = 0
            while now < span {
                now += days(1)
                let ready = samples.filter { $0.time < noon.later(now) }
                let batch = (0..<12).compactMap { _ in ready.randomElement(using: &chance) }
                came.formUnion(batch)
                _ = try stores.intake.keep(batch.map { .sample($0) }, at: noon.later(now))
                try await stores.retention.raise(retention.limits(at: noon.later(now)))
                for _ in 0..<Int.random(in: 0...3, using: &chance) {
                    _ = try await stores.retention.removeSome(most: Int.random(in: 1...9, using: &chance))
                }
            }
            let expected = Dictionary(grouping: came) { $0.time.millisecondsSince1970 / 3_600_000 }.map {
                hour, samples in
                let values = samples.map(\.value)
                return Summary(
                    begin: WallTime(millisecondsSince1970: hour * 3_600_000), count: values.count,
                    min: values.min()!, mean: values.reduce(0, +) / Double(values.count), max: values.max()!)
            }.sorted { $0.begin < $1.begin }
            let found = try await stores.samples.summaries(
                of: .maria, .heartRate, from: noon, to: noon.later(span), minutes: 60)
            #expect(found == expected)
            #expect(came.count > 200)
            let fine = try await stores.samples.summaries(
                of: .maria, .heartRate, from: noon, to: noon.later(span), minutes: 7)
            #expect(fine.reduce(0) { $0 + $1.count } == came.count)
        }
    }
}
