import GatewayModel

/// Pauses between the tries of each thing that may fail at the radio.
extension Backoff {
    /// A connection to a wearable: after the fifth try a minute is as good as half of one, and the radio
    /// is free for the others meanwhile (back-off of the BlueZ facts: 1, 2, 4, 8 s).
    static let connect = Backoff(first: .seconds(1), limit: .seconds(60))
    /// A step on a link that is up: soon, since the person is unwatched, but not in a busy loop.
    static let subscribe = Backoff(first: .seconds(1), limit: .seconds(8))
    /// A link that was given up because its stream was silent: it is there, so it may not stay away long
    /// (a strap that is put on again), and trying costs the others little.
    static let silence = Backoff(first: .seconds(1), limit: .seconds(15))
    /// StartDiscovery: a refused one costs bluetoothd nothing.
    static let discovery = Backoff(first: .seconds(1), limit: .seconds(30))
    /// The bus and bluetoothd themselves: a local socket, cheap to try, and everything waits for it.
    static let service = Backoff(first: .milliseconds(500), limit: .seconds(5))
}
