import GatewayModel
import RaceSimulation
import RunBeacon
import TagAdverts
import WireFormats

/// Two radios with one name: pairs of runners who follow each other and wear copies of one tag.
struct Clones {
    struct Marks {
        var marked = 0
        var all = 0
    }

    private static let pairs: UInt32 = 40
    /// Times of the copied tags, against both of the runners.
    let score: Score
    /// Passages of copied tags, and of all the others.
    let copied, single: Marks

    /// Runners are numbered in the order in which they pass.
    private static func name(_ runner: UInt32) -> UInt32 { runner < 2 * pairs ? runner / 2 * 2 : runner }

    private static func identity(_ runner: UInt32) -> TagIdentity {
        .iBeacon(.init(high: 1, low: 2), major: 1, minor: UInt16(name(runner)))
    }

    init() {
        var scenario = Scenario("clones, 40 pairs")
        scenario.runners = 400
        let race = Race(scenario)
        var table = TagTable(recogniser: AdvertRecogniser(cipher: NoCipher()))
        let owners = [Bib(1)].compactMap(\.self).map { Enrolment(run: RunID("bench")!, bib: $0) }
        table.enrol(
            Dictionary(
                race.truths.map { (Self.identity($0.tag.value), owners) },
                uniquingKeysWith: { first, _ in first }))
        let names = Dictionary(
            race.truths.map {
                (table.tag(of: Self.identity($0.tag.value)), TagNumber(Self.name($0.tag.value)))
            },
            uniquingKeysWith: { first, _ in first })
        var intake = AdvertIntake(AdvertFilter(table.rules))
        var detector = PassageDetector()
        var answers: [Score.Answer] = []
        var (copied, single) = (Marks(), Marks())
        func note(_ passages: [Passage]) {
            for passage in passages {
                let isMarked = table.isCloned(passage.tag, since: passage.first)
                guard let tag = names[passage.tag] else { continue }
                if tag.value < 2 * Self.pairs {
                    answers.append(
                        Score.Answer(tag: tag, nearest: passage.nearest, bound: passage.bound))
                    copied.all += 1
                    copied.marked += isMarked ? 1 : 0
                } else {
                    single.all += 1
                    single.marked += isMarked ? 1 : 0
                }
            }
        }
        var next: BootInstant?
        for hit in race.hits {
            let address = 0xC000_0000_0000 + UInt64(hit.tag.value)
            let event = Broadcast(Self.identity(hit.tag.value), address: address).event(rssi: hit.rssi)
            var adverts: [Advert] = []
            intake.take(event.span, arrival: hit.arrival, into: &adverts)
            if next.map({ $0 <= hit.arrival }) ?? true {
                note(detector.elapse(to: hit.arrival))
                next = hit.arrival.advanced(by: .milliseconds(200))
            }
            note(adverts.compactMap { table.hit($0) }.compactMap { detector.hear($0) })
        }
        if let last = race.hits.last { note(detector.elapse(to: last.arrival.advanced(by: .seconds(300)))) }
        (self.copied, self.single) = (copied, single)
        let truths = race.truths.filter { $0.tag.value < 2 * Self.pairs }
        score = Score(
            answers,
            truths.map {
                Race.Truth(tag: TagNumber(Self.name($0.tag.value)), nearest: $0.nearest, curve: $0.curve)
            })
    }
}
