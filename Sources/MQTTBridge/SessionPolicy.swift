import GatewayModel

/// How one connection, or the attempt at one, ended.
enum Ending: Hashable, Sendable {
    case stopped
    case lost(String)
    case refused(ReasonCode, String)

    /// Whether it may pass with nobody changing anything.
    var retryHelps: Bool {
        if case .refused(let code, _) = self { code.retryHelps } else { true }
    }
}

/// When to try again, which broker, and how it is spoken to. Decisions only: told the instant and the chance.
///
/// The brokers are a ring: after every ending the next one is tried at once, and after a round without a
/// connection that lasted there is a wait. A connection that works is never given up for a broker further
/// ahead in the list: the change would cost seconds in which a call for help may be what waits.
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
    /// From the name look-up to CONNACK. Several round trips and a TLS handshake on a bad mobile link.
    static let connectLimit = Duration.seconds(10)
    /// For TCP to one address of several, the last one excepted: three of them fit into the limit above, and
    /// SYN is repeated after 1 s (RFC 6298), so one lost packet does not lose the address.
    static let addressLimit = Duration.seconds(3)
    /// A message unacknowledged for this long means the connection is dead, whatever TCP says: MQTT 5
    /// (section 4.4) allows a repeat only on a new connection. Sooner than twice the keep-alive, because
    /// a call for help may be what waits.
    static let acknowledgementLimit = Duration.seconds(10)

    private let brokers: Int
    /// Which one the next attempt goes to.
    private(set) var broker = 0
    private(set) var manner = BrokerConnection.Manner()
    /// Whether the next attempt goes to the same broker at once, asking for less: nothing to tell of.
    private(set) var hasConceded = false
    private var failures = 0
    private var connectedAt: BootInstant?
    /// Endings since the last wait, one for each broker.
    private var tried = 0
    /// Whether any of them may pass by itself.
    private var mayPass = false

    /// - Parameter brokers: how many there are, at least one.
    init(brokers: Int = 1) {
        self.brokers = max(1, brokers)
    }

    mutating func connected(at now: BootInstant) {
        connectedAt = now
    }

    /// How long to wait after `ending`.
    /// - Parameter chance: 0...1, spreads the waits by ±25 %, so that a street of gateways does not come
    ///   back to a restarted broker in one instant.
    mutating func wait(after ending: Ending, at now: BootInstant, chance: Double) -> Duration {
        hasConceded = concede(after: ending)
        if hasConceded {
            connectedAt = nil
            return .zero
        }
        if let hadConnected = connectedAt {
            connectedAt = nil
            if hadConnected.duration(to: now) >= Self.lasting { (failures, tried, mayPass) = (0, 0, false) }
            // The next broker may be a newer one: all is asked for again.
            manner = BrokerConnection.Manner()
        }
        tried += 1
        mayPass = mayPass || ending.retryHelps
        if brokers > 1 {
            broker = (broker + 1) % brokers
            manner = BrokerConnection.Manner()
        }
        guard tried >= brokers else { return .zero }
        defer { (tried, mayPass) = (0, false) }
        return Self.spread(nextWait(), chance)
    }

    /// Asks for less where it was that which the broker refused.
    private mutating func concede(after ending: Ending) -> Bool {
        guard case .refused(let code, _) = ending else { return false }
        switch code {
        case .unsupportedProtocolVersion where manner.version == .v5: manner.version = .v311
        case .retainNotSupported where manner.mayRetain: manner.mayRetain = false
        default: return false
        }
        return true
    }

    private mutating func nextWait() -> Duration {
        guard mayPass else {
            // Both versions were refused, or something else a person must mend: from the start.
            manner = BrokerConnection.Manner()
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
