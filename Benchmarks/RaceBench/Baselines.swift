import GatewayModel
import RaceSimulation
import RunBeacon

/// What simpler boxes do, each with all of a runner's hits at once.
enum Baseline: String, CaseIterable {
    case firstSeen = "first seen"
    case strongest = "strongest read"
    case movingAverage = "moving average"

    func answers(_ hits: [TagNumber: [TagHit]]) -> [Score.Answer] {
        hits.compactMap { tag, hits in
            nearest(hits).map { Score.Answer(tag: tag, nearest: $0) }
        }
    }

    private func nearest(_ hits: [TagHit]) -> BootInstant? {
        switch self {
        case .firstSeen: hits.first?.arrival
        case .strongest: hits.max { $0.rssi < $1.rssi }?.arrival
        case .movingAverage:
            // Of five, the usual choice; its middle.
            if hits.count < 5 {
                hits.max { $0.rssi < $1.rssi }?.arrival
            } else {
                (0...(hits.count - 5)).max { sum(hits, $0) < sum(hits, $1) }.map { hits[$0 + 2].arrival }
            }
        }
    }

    private func sum(_ hits: [TagHit], _ start: Int) -> Int {
        hits[start..<(start + 5)].reduce(0) { $0 + Int($1.rssi) }
    }
}
