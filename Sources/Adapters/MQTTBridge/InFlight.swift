import GatewayModel

/// The messages that were sent to the broker and are not acknowledged, within the window.
///
/// libmosquitto queues messages beyond its own window; staying within ours keeps that queue empty, so the outbox is the
/// only one.
struct InFlight: Sendable {
    /// Mosquitto's default limit, and enough: at 20 in flight one gateway was measured to publish tens of thousands a
    /// second on one machine, 200/s over a 100 ms line.
    static let ownLimit = 20

    private struct Entry {
        let id: MessageID
        let sentAt: BootInstant
    }

    private let limit: Int
    /// Entries by packet identifier (MQTT 5 section 2.2.1).
    private var entries: [Int32: Entry] = [:]

    /// - Parameter receiveMaximum: the broker's limit (CONNACK). The window is the lower of this and our own limit.
    init(receiveMaximum: Int) {
        limit = Self.limit(receiveMaximum: receiveMaximum)
    }

    static func limit(receiveMaximum: Int) -> Int { max(1, min(ownLimit, receiveMaximum)) }

    var hasRoom: Bool { entries.count < limit }
    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }

    mutating func sent(_ id: MessageID, as packet: Int32, at now: BootInstant) {
        entries[packet] = Entry(id: id, sentAt: now)
    }

    /// Removes the message of `packet` and returns it; nil for a packet that is not in flight (a duplicate
    /// acknowledgement).
    mutating func answered(_ packet: Int32) -> MessageID? {
        entries.removeValue(forKey: packet)?.id
    }

    /// Returns whether the oldest message has waited for `limit` or longer.
    func isOverdue(at now: BootInstant, limit: Duration) -> Bool {
        entries.values.contains { $0.sentAt.duration(to: now) >= limit }
    }
}
