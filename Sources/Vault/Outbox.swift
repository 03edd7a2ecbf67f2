public import Consent
public import Contract
import DequeModule
public import GatewayModel

/// What waits for the broker: the only queue there is. In memory; `Spool` keeps it over a stop.
///
/// Three lanes, the lower first: alarms, live, backlog. A message stays until the broker acknowledged
/// it. Whatever waited while there was no connection becomes backlog, so that live data never stands
/// behind it. Pure: what may leave is decided by the caller, at the instant it leaves.
public struct Outbox: Sendable {
    /// Readings kept while nothing can be sent: five wearables at 1 Hz for more than half an hour,
    /// some 10 MB. Alarms do not count against it and are never dropped.
    public static let defaultCapacity = 10_000

    private var lanes: [Envelope.Lane: Deque<Envelope>] = [:]
    /// Offered to the broker, in the order offered.
    private var inFlight: Deque<Envelope> = []
    private let capacity: Int
    /// Readings dropped because the outbox was full, since the start.
    public private(set) var droppedCount = 0

    public init(capacity: Int = Outbox.defaultCapacity) {
        self.capacity = capacity
    }

    /// All that is not acknowledged.
    public var count: Int { inFlight.count + lanes.values.reduce(0) { $0 + $1.count } }
    public var isEmpty: Bool { count == 0 }
    /// An alarm that was not offered yet, or has to be offered again.
    public var isAlarmWaiting: Bool { !(lanes[.alarm]?.isEmpty ?? true) }

    /// Whether the end of an emergency is not acknowledged yet.
    public var owesLastWord: Bool {
        func isLastWord(_ envelope: Envelope) -> Bool {
            if case .emergencyOver = envelope.disclosure { true } else { false }
        }
        return inFlight.contains(where: isLastWord) || lanes[.alarm]?.contains(where: isLastWord) == true
    }

    /// - Returns: whether an older reading had to be dropped for it.
    @discardableResult
    public mutating func enqueue(_ cleared: Cleared<Envelope>) -> Bool {
        let envelope = cleared.value
        if envelope.isRetained { supersede(envelope) }
        lanes[envelope.lane, default: []].append(envelope)
        return dropSurplus()
    }

    /// What an earlier run left behind: backlog, except alarms, which are never late.
    ///
    /// Not cleared: `next` asks about each when it leaves.
    public mutating func restore(_ envelopes: [Envelope]) {
        for envelope in envelopes {
            lanes[envelope.lane == .alarm ? .alarm : .backlog, default: []].append(envelope)
        }
    }

    /// The next message to offer; it counts as in flight from now on.
    ///
    /// - Parameters:
    ///   - last: lanes behind it are not asked.
    ///   - clear: the consent gate of this instant; nil for what may not leave any more.
    /// - Returns: also what was forgotten on the way, because it may not leave any more.
    public mutating func next(
        upTo last: Envelope.Lane = .backlog, clear: (Envelope) -> Cleared<Envelope>?
    ) -> (cleared: Cleared<Envelope>?, withheld: [Envelope]) {
        var withheld: [Envelope] = []
        for lane in Envelope.Lane.allCases where lane <= last {
            while let envelope = lanes[lane]?.popFirst() {
                if let cleared = clear(envelope) {
                    inFlight.append(envelope)
                    return (cleared, withheld)
                }
                withheld.append(envelope)
            }
        }
        return (nil, withheld)
    }

    /// The broker has it, or will never take it: either way it is done.
    /// - Returns: the message; nil where it was not in flight (a second acknowledgement).
    @discardableResult
    public mutating func settle(_ id: MessageID) -> Envelope? {
        guard let index = inFlight.firstIndex(where: { $0.id == id }) else { return nil }
        return inFlight.remove(at: index)
    }

    /// The broker does not take it now: it waits again, before the rest of the backlog.
    /// - Returns: nil for an alarm, and for what was not in flight: those are not put back.
    public mutating func postpone(_ id: MessageID) -> Envelope? {
        guard let index = inFlight.firstIndex(where: { $0.id == id }), inFlight[index].lane != .alarm else {
            return nil
        }
        let envelope = inFlight.remove(at: index)
        lanes[.backlog, default: []].prepend(envelope)
        return envelope
    }

    /// Nothing that was offered counts as received any more, and what is live now will be old news.
    public mutating func connectionLost() {
        let unacknowledged = inFlight
        inFlight = []
        for envelope in unacknowledged.reversed() {
            lanes[envelope.lane == .alarm ? .alarm : .backlog, default: []].prepend(envelope)
        }
        retireLive()
    }

    /// Live messages that wait become backlog, behind what is there already.
    public mutating func retireLive() {
        let waiting = lanes.removeValue(forKey: .live) ?? []
        lanes[.backlog, default: []].append(contentsOf: waiting)
    }

    /// Forgets what waits and may not leave any more.
    /// - Returns: what was forgotten.
    public mutating func purge(where isWithheld: (Envelope) -> Bool) -> [Envelope] {
        Envelope.Lane.allCases.flatMap { lane -> [Envelope] in
            let withheld = lanes[lane]?.filter(isWithheld) ?? []
            lanes[lane]?.removeAll(where: isWithheld)
            return Array(withheld)
        }
    }

    /// In the order in which they would leave; for the spool.
    public var unsent: [Envelope] {
        Array(inFlight) + Envelope.Lane.allCases.flatMap { lanes[$0].map(Array.init) ?? [] }
    }

    /// Of a retained topic only the newest word counts.
    private mutating func supersede(_ envelope: Envelope) {
        for lane in lanes.keys { lanes[lane]?.removeAll { $0.isRetained && $0.topic == envelope.topic } }
    }

    private mutating func dropSurplus() -> Bool {
        let waiting = (lanes[.live]?.count ?? 0) + (lanes[.backlog]?.count ?? 0)
        guard waiting > capacity else { return false }
        if lanes[.backlog]?.popFirst() == nil { _ = lanes[.live]?.popFirst() }
        droppedCount += 1
        return true
    }
}
