import GatewayModel

/// End of one connection, or of the attempt at one.
enum Ending: Hashable, Sendable {
    case stopped
    case lost(String)
    /// The broker closed a connection that worked, with no unanswered packet on it.
    case closed(String)
    /// CONNECT was sent, and the connection closed instead of a CONNACK.
    case unanswered(String)
    /// CONNECT was sent, and neither a CONNACK nor an end came.
    case silent(String)
    /// The process of the session ended, or hung.
    case crashed(String)
    case refused(ReasonCode, String)

    /// Whether it is reported even if another version is tried at once: a silence has cost `connectLimit`.
    var isWorthTelling: Bool { if case .silent = self { true } else { false } }

    /// Whether it may pass without a change by a person.
    var retryHelps: Bool {
        if case .refused(let code, _) = self { code.retryHelps } else { true }
    }
}

/// Chooses the instant of the next attempt, the broker, and the options of CONNECT. Decisions only: the caller supplies
/// the instant and the randomness.
///
/// The brokers are a ring: after every ending the next one is tried at once, and after a round without a connection
/// that lasted there is a wait. A connection that works is never given up for a broker further ahead in the list: the
/// change would cost seconds during which a call for help may be waiting.
struct SessionPolicy: Sendable {
    /// The first wait; also the minimum interval between two attempts, however urgent.
    static let firstWait = Duration.milliseconds(500)
    /// The longest wait for a fault that passes by itself: an alarm's path is retried within half a minute.
    static let longestWait = Duration.seconds(30)
    /// The wait for a fault that only a person can repair (a password, a right, a second gateway with our id). Long
    /// enough to be no nuisance at the broker, short enough that the repair needs no restart here.
    static let refusedWait = Duration.seconds(60)
    /// A connection that held this long clears the back-off. A shorter one does not: a broker that accepts and drops
    /// the gateway would be asked twice a second.
    static let lasting = Duration.seconds(10)
    /// Time from the name look-up to CONNACK. Several round trips and a TLS handshake on a bad mobile link.
    static let connectLimit = Duration.seconds(10)
    /// Time for TCP to one address of several, except the last: three of them fit into the limit above, and SYN is
    /// repeated after 1 s (RFC 6298), so one lost packet does not lose the address.
    static let addressLimit = Duration.seconds(3)
    /// A message unacknowledged for this long means that the connection is dead, even if TCP is still open: MQTT 5
    /// (section 4.4) allows a repeat only on a new connection. Sooner than twice the keep-alive, because a call for
    /// help may be waiting.
    static let acknowledgementLimit = Duration.seconds(10)
    /// A connection that held this long has its client id to itself: another gateway of the same id would have come
    /// back by then, after `refusedWait` and its spread.
    static let undisputed = Duration.seconds(150)
    /// Number of consecutive connections that the broker closed soon and without a reason. From here on another client
    /// with the same id is the likely cause. MQTT 3.1.1 has no reason code for it, and Mosquitto 2.0 does not send that
    /// of MQTT 5 (0x8E).
    static let suspiciousCloses = 3
    /// Number of consecutive ends of the session's process before a broker is asked with 3.1.1, which has no
    /// properties: libmosquitto 2.0.11 aborts on some of them.
    static let toleratedCrashes = 2

    private let brokers: Int
    /// Index of the broker for the next attempt.
    private(set) var broker = 0
    private(set) var manner = BrokerConnection.Manner()
    /// Whether the next attempt goes to the same broker at once with fewer options. It is not reported.
    private(set) var hasConceded = false
    private var failures = 0
    private var connectedAt: BootInstant?
    /// Sign from which version 3.1.1 was guessed. It may have had another reason.
    private var guess: Guess?
    /// Brokers that accepted 3.1.1 after a guess with a long wait. They are asked with it first, until an attempt
    /// fails.
    private var oldBrokers: Set<Int> = []
    /// Ends of the session's process since the last connection that lasted, by broker.
    private var crashesOf: [Int: Int] = [:]
    private var closes = 0
    /// Endings since the last wait, one for each broker.
    private var tried = 0
    /// Whether any of these endings may pass by itself.
    private var mayPass = false

    private enum Guess {
        /// The connection was closed. The guess costs a moment, and is made again for each connection.
        case closed
        /// `connectLimit` went by.
        case silent
        /// The process of the session ended.
        case crashed
    }

    /// Number of crashes with all brokers.
    var crashes: Int { crashesOf.values.reduce(0, +) }
    /// Whether a crash is reported: the first, the first beyond the tolerance, and each tenfold. The back-off would
    /// repeat it twice a minute.
    static func isWorthTelling(crashes: Int) -> Bool {
        crashes == toleratedCrashes || sequence(first: 1) { $0 * 10 }.prefix { $0 <= crashes }.contains(crashes)
    }
    /// Whether another client seems to take the session over.
    var isSessionContested: Bool { closes >= Self.suspiciousCloses }

    /// - Parameter brokers: number of brokers, at least one.
    init(brokers: Int = 1) {
        self.brokers = max(1, brokers)
    }

    mutating func connected(at now: BootInstant) {
        connectedAt = now
        if manner.version == .v311, guess == .silent || guess == .crashed { oldBrokers.insert(broker) }
    }

    /// Returns the wait after `ending`.
    /// - Parameter chance: 0...1, spreads the waits by ±25 %, so that the gateways of a street do not come back to a
    ///   restarted broker in one instant.
    mutating func wait(after ending: Ending, at now: BootInstant, chance: Double) -> Duration {
        hasConceded = concede(after: ending)
        if hasConceded {
            connectedAt = nil
            return .zero
        }
        let hadLasted = connectedAt.map { $0.duration(to: now) >= Self.lasting } ?? false
        if hadLasted { (failures, tried, mayPass, crashesOf) = (0, 0, false, [:]) }
        count(ending, hadLasted: hadLasted)
        if connectedAt != nil {
            connectedAt = nil
            // The next broker may be a newer one: all options are requested again.
            manner = BrokerConnection.Manner()
        } else {
            oldBrokers.remove(broker)
            if guess != nil { manner.version = .v5 }
            manner.mayWill = true
        }
        guess = nil
        tried += 1
        mayPass = mayPass || ending.retryHelps
        if brokers > 1 {
            broker = (broker + 1) % brokers
            manner = BrokerConnection.Manner()
        }
        defer { preferOldVersion() }
        guard tried >= brokers else { return .zero }
        defer { (tried, mayPass) = (0, false) }
        return Self.spread(nextWait(), chance)
    }

    private mutating func count(_ ending: Ending, hadLasted: Bool) {
        if case .crashed = ending { crashesOf[broker, default: 0] += 1 }
        if case .closed = ending, !hadLasted { closes += 1 } else { closes = 0 }
    }

    /// Selects 3.1.1 for the start if it is the better version for `broker`.
    private mutating func preferOldVersion() {
        guard manner.version == .v5 else { return }
        let crashes = crashesOf[broker, default: 0]
        // Alternates the versions: the crashes may have another reason.
        if crashes >= Self.toleratedCrashes, crashes.isMultiple(of: 2) {
            manner.version = .v311
            guess = .crashed
        } else if oldBrokers.contains(broker) {
            manner.version = .v311
            guess = .silent
        }
    }

    /// Requests fewer options if the broker refused one, or may have done so. Brokers without version 5 should answer
    /// it with a CONNACK (MQTT 3.1.1 section 3.1.2.2), but RabbitMQ before 3.13 closes the connection. Some brokers do
    /// not answer at all.
    private mutating func concede(after ending: Ending) -> Bool {
        switch ending {
        case .unanswered where manner.version == .v5 && manner.mayWill:
            manner.version = .v311
            guess = .closed
        case .silent where manner.version == .v5:
            manner.version = .v311
            guess = .silent
        // Even the old version is not answered: the CONNECT may be too large.
        case .unanswered where guess == .closed && manner.mayWill:
            manner.version = .v5
            manner.mayWill = false
            guess = nil
        case .refused(.unsupportedProtocolVersion, _) where manner.version == .v5: manner.version = .v311
        case .refused(.retainNotSupported, _) where manner.mayRetain: manner.mayRetain = false
        default: return false
        }
        return true
    }

    private mutating func nextWait() -> Duration {
        guard mayPass else {
            // Both versions were refused, or a person must repair something else: from the start.
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
