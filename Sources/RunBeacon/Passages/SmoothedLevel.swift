import GatewayModel
import RealModule

/// How strongly a tag is heard at the moment: dBm, an exponential mean by time.
struct SmoothedLevel: Sendable {
    /// Seconds: a few hits at 100 ms, less than the second that a runner takes past the box.
    private static let smoothing = 0.4

    private(set) var value: Double
    private var at: BootInstant

    init(_ hit: TagHit) {
        (value, at) = (Double(hit.rssi), hit.arrival)
    }

    mutating func add(_ hit: TagHit) {
        let seconds = Double(at.duration(to: hit.arrival).wholeNanoseconds) / 1e9
        let share = 1 - Double.exp(-max(0, seconds) / Self.smoothing)
        value += share * (Double(hit.rssi) - value)
        at = max(at, hit.arrival)
    }
}
