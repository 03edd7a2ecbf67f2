import Contract
import GatewayModel

/// Newest value of a displayed entity, with the times that decide when it is sent and how long it may be shown.
struct DashboardLine: Hashable, Sendable {
    let value: DashboardValue
    /// Time at which the value was measured, or at which a fact began to hold.
    let measured: BootInstant
    /// Whether the value expires as those of a stream do. Nil for a fact.
    let sampling: Reading.Sampling?
    /// Time after which the value must not be shown; nil for one that is shown until the next one.
    private let expiry: Duration?
    /// Arrival of the last value of a stream.
    private let streamed: BootInstant?
    /// Time at which a value of the entity was last queued for its own sake.
    var queued: BootInstant?
    /// Time at which this value was last sent.
    var sent: BootInstant?
    /// Times at which the value is sent again.
    var repeats: [BootInstant] = []

    /// A value that is sent later than this after its measurement would outlive its expiry at Home Assistant, which counts from
    /// the message. Below it is the ordinary way from the wearable to the broker.
    private static let ordinaryDelay = Duration.seconds(1)

    /// - Parameter earlier: the present line of the entity.
    init(_ entity: DashboardEntity, _ reading: Reading, after earlier: DashboardLine?) {
        let now = reading.arrival.boot
        let age = reading.arrival.wall.millisecondsSince1970 - reading.measured.millisecondsSince1970
        value = .reading(reading)
        measured = now.advanced(by: .milliseconds(-max(0, age)))
        streamed = reading.sampling == .stream ? now : earlier?.streamed
        // A single measurement beside a running stream is one of its values: the next one follows within seconds.
        let runs = streamed.map { $0.duration(to: now) < entity.expiry(.stream) ?? .zero } ?? false
        sampling = runs ? .stream : .spot
        expiry = entity.expiry(sampling)
        (queued, repeats) = (earlier?.queued, earlier?.repeats ?? [])
        sent = nil
    }

    init(_ fact: DashboardFact, at now: BootInstant, after earlier: DashboardLine?) {
        value = .fact(fact)
        measured = now
        (sampling, expiry, streamed, queued, sent) = (nil, nil, nil, nil, nil)
        repeats = earlier?.repeats ?? []
    }

    func isExpired(at now: BootInstant) -> Bool {
        expiry.map { measured.duration(to: now) >= $0 } ?? false
    }

    /// Whether Home Assistant would show the value after its expiry.
    var isSentLate: Bool { sent.map { measured.duration(to: $0) > Self.ordinaryDelay } ?? false }

    /// Whether a message about the value is to be sent now, although there is no new value.
    func isDue(at now: BootInstant) -> Bool {
        repeats.contains { $0 <= now } || isSentLate && isExpired(at: now)
    }

    /// Begins the repeated sending anew.
    mutating func `repeat`(from now: BootInstant) {
        repeats = DashboardBoard.repeats.map { now.advanced(by: $0) }
    }
}
