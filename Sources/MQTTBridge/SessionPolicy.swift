import GatewayModel

/// How one connection, or the attempt at one, ended.
enum Ending: Hashable, Sendable {
    case stopped
    case lost(String)
    case refused(ReasonCode, String)
}

/// When to try again, and with which version of MQTT. Decisions only: told the instant and the chance.
struct SessionPolicy: Sendable {
    /// The first wait; also the least there is between two attempts, however urgent.
    static let firstWait = Duration.milliseconds(500)
    /// The longest wait for what passes by itself: an alarm's path is retried within half a minute.
    static let longestWait = Duration.seconds(30)
    /// The wait for what only a person can change (a password, a right, a second gateway with our id).
    /// Long enough to be no nuisance at the broker, short enough that the repair needs no restart here.
    static let refusedWait = Duration.seconds(60)
    /// A connection that held this long clears the back-off; one that is dropped sooner does not, or a
    /// broker that takes and drops us would be asked twice a second.
    static let lasting = Duration.seconds(10)
    /// From connect() to CONNACK. Several round trips and a TLS handshake on a bad mobile link.
    static let connectLimit = Duration.seconds(10)
    /// A message unacknowledged for this long means the connection is dead, whatever TCP says: MQTT 5
    /// (section 4.4) allows a repeat only on a new connection. Sooner than twice the keep-alive, because
    /// a call for help may be what waits.
    static let acknowledgementLimit = Duration.seconds(10)

    private(set) var protocolVersion = ProtocolVersion.v5
    private var failures = 0
    private var connectedAt: BootInstant?

    mutating func connected(at now: BootInstant) {
        connectedAt = now
    }

    /// How long to wait after `ending`.
    /// - Parameter chance: 0...1, spreads the waits by ±25 %, so that a street of gateways does not come
    ///   back to a restarted broker in one instant.
    mutating func wait(after ending: Ending, at now: BootInstant, chance: Double) -> Duration {
        let hadConnected = connectedAt
        connectedAt = nil
        if let hadConnected {
            if hadConnected.duration(to: now) >= Self.lasting { failures = 0 }
            // The next broker may be a newer one: version 5 is asked for again.
            protocolVersion = .v5
        }
        if case .refused(.unsupportedProtocolVersion, _) = ending, protocolVersion == .v5 {
            protocolVersion = .v311
            return .zero
        }
        return Self.spread(nextWait(after: ending), chance)
    }

    private mutating func nextWait(after ending: Ending) -> Duration {
        if case .refused(let code, _) = ending, !code.retryHelps {
            // Both versions were refused, or something else a person must mend: from the start.
            protocolVersion = .v5
            return Self.refusedWait
        }
        // 2^6 times the first wait is already above the longest.
        let wait = min(Self.firstWait * (1 << min(failures, 6)), Self.longestWait)
        failures += 1
        return wait
    }

    private static func spread(_ wait: Duration, _ chance: Double) -> Duration {
        .nanoseconds(Int64(Double(wait.wholeNanoseconds) * (0.75 + 0.5 * chance)))
    }
}
