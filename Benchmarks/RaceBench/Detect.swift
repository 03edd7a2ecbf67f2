import GatewayModel
import Glibc
import RaceSimulation
import RunBeacon

/// As the box does it: each hit as it comes, and a look at who has gone five times a second.
func detect(_ hits: [TagHit]) -> [Passage] {
    var detector = PassageDetector()
    var passages: [Passage] = []
    guard var next = hits.first?.arrival else { return [] }
    for hit in hits {
        while next <= hit.arrival {
            passages += detector.elapse(to: next)
            next = next.advanced(by: .milliseconds(200))
        }
        if let passage = detector.hear(hit) { passages.append(passage) }
    }
    return passages + detector.elapse(to: next.advanced(by: .seconds(300)))
}

/// Hits a second of one core, estimate and all, in fields of several sizes: it has to grow with the hits alone.
func speed() {
    print("\nHits a second of processor time, median of five")
    for runners in [500, 1_500, 4_500] {
        var scenario = Scenario("5,000 an hour")
        (scenario.runners, scenario.rate) = (runners, 1.39)
        let hits = Race(scenario).hits
        let rates = (0..<5).map { _ in
            let began = processorSeconds()
            let passages = detect(hits)
            let taken = processorSeconds() - began
            precondition(!passages.isEmpty)
            return Double(hits.count) / taken
        }.sorted()
        print("  \(runners) runners, \(hits.count) hits: \(number(rates[2]))")
    }
}

/// Of this process: what else the machine does costs nothing.
private func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
