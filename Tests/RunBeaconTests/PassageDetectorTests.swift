import GatewayModel
import RaceSimulation
import RealModule
import RunBeacon
import Testing

@Suite struct `The detector of passages` {
    private static let tag = TagNumber(7)

    private func instant(_ seconds: Double) -> BootInstant {
        BootInstant(nanoseconds: Int64((1_000 + seconds) * 1e9))
    }

    /// A tag that goes past at 3 m, with 3 m/s, at each of `peaks`; heard ten times a second.
    private func passages(peaks: [Double], from start: Double, to end: Double) -> [Passage] {
        var detector = PassageDetector()
        var found: [Passage] = []
        for time in stride(from: start, to: end, by: 0.1) {
            let along = 3 * (peaks.map { abs(time - $0) }.min() ?? 0)
            let rssi = -59 - 12 * Double.log10(along * along + 9)
            found += [detector.hear(TagHit(tag: Self.tag, rssi: Int8(rssi), arrival: instant(time)))]
                .compactMap(\.self)
            found += detector.elapse(to: instant(time))
        }
        return found + detector.elapse(to: instant(end + 60))
    }

    private func play(_ scenario: Scenario) -> (race: Race, passages: [Passage]) {
        let race = Race(scenario)
        var detector = PassageDetector()
        var passages: [Passage] = []
        for hit in race.hits {
            passages += detector.elapse(to: hit.arrival)
            if let passage = detector.hear(hit) { passages.append(passage) }
        }
        guard let last = race.hits.last else { return (race, []) }
        return (race, passages + detector.elapse(to: last.arrival.advanced(by: .seconds(300))))
    }

    @Test func `tells once of who comes and goes, however long they are heard`() {
        let found = passages(peaks: [30], from: 0, to: 80)
        #expect(found.count == 1)
        #expect(found.first.map { abs($0.nearest.nanoseconds - instant(30).nanoseconds) < 300_000_000 } == true)
        #expect(found.first?.flags.isEmpty == true)
    }

    @Test func `tells twice of who comes back on a loop without ever being out of range`() {
        let found = passages(peaks: [30, 90], from: 0, to: 120)
        #expect(found.count == 2)
    }

    @Test func `tells of who was only heard while coming, and marks it`() throws {
        let found = passages(peaks: [30], from: 10, to: 30)
        #expect(found.count == 1)
        #expect(try #require(found.first).flags.contains(.oneSided))
    }

    @Test func `is as unsure of a single hit as one has to be`() throws {
        var detector = PassageDetector()
        #expect(detector.hear(TagHit(tag: Self.tag, rssi: -70, arrival: instant(0))) == nil)
        let passage = try #require(detector.elapse(to: instant(10)).first)
        #expect(passage.flags.contains(.fewHits) && passage.hits == 1 && passage.bound >= .seconds(10))
    }

    @Test func `takes no notice of what is too weak to be here, and keeps nothing of it`() {
        var detector = PassageDetector()
        #expect(detector.hear(TagHit(tag: Self.tag, rssi: -94, arrival: instant(0))) == nil)
        #expect(detector.known == 0)
    }

    @Test func `marks who stands near the box, and tells of them when they stay and when they go`() {
        var scenario = Scenario("bystanders")
        (scenario.runners, scenario.bystanders) = (40, 5)
        let (race, passages) = play(scenario)
        let runners = Set(race.truths.map(\.tag))
        let strangers = passages.filter { !runners.contains($0.tag) }
        let times = Dictionary(grouping: strangers, by: \.tag).mapValues(\.count)
        #expect(times.count == 5 && times.values.allSatisfy { $0 == 2 })
        #expect(strangers.allSatisfy { $0.flags.contains(.lingered) })
    }

    @Test func `forgets who has gone`() {
        var scenario = Scenario("a few")
        scenario.runners = 20
        var detector = PassageDetector()
        let race = Race(scenario)
        for hit in race.hits { _ = detector.hear(hit) }
        _ = detector.elapse(to: instant(1e6))
        _ = detector.elapse(to: instant(2e6))
        #expect(detector.known == 0)
    }

    /// The same seed gives the same race, so these are no matter of luck.
    @Test(arguments: Scenario.all.prefix(3))
    func `times each runner once, better than the strongest read, and within its bounds`(scenario: Scenario) {
        var scenario = scenario
        scenario.runners = 150
        let (race, passages) = play(scenario)
        let strongest = Dictionary(grouping: race.hits, by: \.tag).compactMapValues { hits in
            hits.max { $0.rssi < $1.rssi }?.arrival
        }
        // A runner who is hidden for long in a pack may be told of twice; the second time is the nearer one.
        #expect(passages.count - race.truths.count <= 3)
        let byTag = Dictionary(grouping: passages, by: \.tag)
        var (sum, simple, within) = (Duration.zero, Duration.zero, 0)
        for truth in race.truths {
            let own = (byTag[truth.tag] ?? []).map { ($0, magnitude(truth.nearest.duration(to: $0.nearest))) }
            guard let (passage, error) = own.min(by: { $0.1 < $1.1 }), let read = strongest[truth.tag] else {
                continue
            }
            sum += error
            simple += magnitude(truth.nearest.duration(to: read))
            if error <= passage.bound { within += 1 }
        }
        #expect(sum < simple * 0.9, "\(sum) of \(simple)")
        #expect(Double(within) >= 0.93 * Double(race.truths.count), "\(within) of \(race.truths.count)")
    }

    private func magnitude(_ duration: Duration) -> Duration { duration < .zero ? .zero - duration : duration }
}
