import GatewayModel
import ModelSamples
import RaceSimulation
import RunBeacon
import TagAdverts
import Testing
import WireFormats

@Suite struct `A tag that was copied` {
    private static let run = RunID(sample: "city-10k")
    private static let copied = 3

    private static func identity(_ number: Int) -> TagIdentity {
        .iBeacon(.init(high: 1, low: 2), major: 7, minor: UInt16(number))
    }

    private static func bib(_ number: Int) -> Bib { TimedTrack.bib(number + 1) }

    private static func enrolled(_ count: Int) -> TagTable<AdvertRecogniser> {
        var table = TagTable(recogniser: AdvertRecogniser(cipher: SampleCipher()))
        table.enrol(
            Dictionary(
                uniqueKeysWithValues: (0..<count).map {
                    (identity($0), [Enrolment(run: run, bib: bib($0))])
                }))
        return table
    }

    /// A field whose tag number `copied` lies in somebody's bag near the box a second time.
    private static func adverts(_ race: Race, _ table: TagTable<AdvertRecogniser>) -> [Advert] {
        var intake = AdvertIntake(AdvertFilter(table.rules))
        var adverts: [Advert] = []
        for hit in race.hits {
            let number = Int(hit.tag.value)
            let own = Broadcast(identity(number), address: 0xC000_0000_0000 + UInt64(number))
            intake.take(own.event(rssi: hit.rssi).span, arrival: hit.arrival, into: &adverts)
            guard number == copied else { continue }
            let copy = Broadcast(identity(number), address: 0xD000_0000_0000)
            intake.take(
                copy.event(rssi: -80).span, arrival: hit.arrival.advanced(by: .milliseconds(40)), into: &adverts
            )
        }
        return adverts
    }

    @Test func `marks the passings it had a part in, and no others, and none is left out`() throws {
        var scenario = Scenario("copied")
        scenario.runners = 12
        let race = Race(scenario)
        var table = Self.enrolled(scenario.runners)
        var detector = PassageDetector()
        var marked: [TagNumber: Bool] = [:]
        func note(_ passages: [Passage]) {
            for passage in passages {
                marked[passage.tag] =
                    marked[passage.tag] == true || table.isCloned(passage.tag, since: passage.first)
            }
        }
        for advert in Self.adverts(race, table) {
            guard let hit = table.hit(advert) else { continue }
            note(detector.elapse(to: advert.arrival))
            note([detector.hear(hit)].compactMap(\.self))
        }
        note(detector.elapse(to: BootInstant(nanoseconds: 1 << 50)))
        #expect(marked.count == scenario.runners)
        let copied = try #require(table.tag(of: Self.identity(Self.copied)))
        #expect(marked.filter(\.value).map(\.key) == [copied])
    }
}
