import GatewayModel
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
