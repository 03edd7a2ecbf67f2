import GatewayModel
import RunBeacon

/// Payload of `runs/<run>/passings`: a runner at a checkpoint.
struct PassingPayload: Encodable {
    let id: String
    let run: String
    let checkpoint: String
    /// The gateway that heard the runner.
    let box: String
    let bib: Int
    /// Nil where it does not count.
    let order: Int?
    /// RFC 3339, as are `first` and `last`.
    let time: String
    let first: String
    let last: String
    /// Nil where nobody knows how wrong the clock is.
    let boundMs: Int64?
    /// `pps`, `gps`, `ntp` or `free-running`.
    let clock: String
    let clockBoundMs: Int64?
    let hits: Int
    /// dBm.
    let rssi: Int
    /// `ble-peak`, `gps-line` or `manual`.
    let method: String
    /// In the order of the alphabet.
    let flags: [String]

    init(_ passing: Passing) {
        id = passing.id.description
        (run, checkpoint, box) = (passing.run.text, passing.checkpoint.text, passing.gateway.text)
        (bib, order) = (passing.bib.number, passing.order)
        (time, first, last) = (passing.time.rfc3339, passing.first.rfc3339, passing.last.rfc3339)
        (boundMs, clockBoundMs) = (passing.bound?.boundMilliseconds, passing.clock.bound?.boundMilliseconds)
        (clock, method) = (passing.clock.source.rawValue, passing.method.rawValue)
        (hits, rssi) = (passing.hits, Int(passing.strongest))
        flags = passing.flags.map(\.rawValue).sorted()
    }
}

extension Duration {
    /// Whole milliseconds, rounded up: a bound that is written shorter than it is would not hold.
    public var boundMilliseconds: Int64 {
        let (milliseconds, rest) = wholeNanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return rest > 0 ? milliseconds + 1 : milliseconds
    }
}
