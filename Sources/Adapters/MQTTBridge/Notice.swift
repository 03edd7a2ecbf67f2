/// An event seen by libmosquitto's callbacks, kept until the loop asks.
///
/// A callback copies and returns: it runs inside the library, with its locks held, where a publish would only be
/// queued.
enum Notice {
    case connected(Greeting)
    /// `reference`: the other broker in its answer (property 28), if any.
    case connectionRefused(ReasonCode, String?, reference: String?)
    /// A DISCONNECT packet from the broker (version 5 only).
    case dismissed(ReasonCode)
    case answered(packet: Int32, ReasonCode, String?)
    case subscribed(packet: Int32, ReasonCode)
    case message(InboundMessage)
}

/// The properties of a CONNACK (MQTT 5 section 3.2.2.3) that this session uses.
struct Greeting {
    /// 65535 if the broker sets none.
    let receiveMaximum: Int
    /// 0 if the broker accepts no message that it would have to acknowledge.
    let maximumQoS: Int
    let isSessionPresent: Bool
    /// Seconds; nil if the broker accepts the requested value.
    let sessionExpiry: UInt32?
    /// Bytes; nil if the broker sets no limit.
    let maximumPacketSize: UInt32?
    let keepsRetained: Bool
}

/// Buffer for the events of one connection's callbacks. Used on the mqtt thread alone: that is where libmosquitto calls
/// back under an outside loop.
final class NoticeBoard {
    var notices: [Notice] = []
    /// The errors that libmosquitto logged. They are the only information about a failed TLS handshake.
    var errorLines: [String] = []

    /// Removes and returns the first notice.
    func takeNotice() -> Notice? {
        notices.isEmpty ? nil : notices.removeFirst()
    }

    func takeNotices() -> [Notice] {
        guard !notices.isEmpty else { return [] }
        defer { notices.removeAll(keepingCapacity: true) }
        return notices
    }

    func takeErrorLines() -> [String] {
        defer { errorLines = [] }
        return errorLines
    }
}
