/// What libmosquitto's callbacks saw, kept until the loop asks.
///
/// A callback copies and returns: it runs inside the library, with its locks held, where a publish
/// would only be queued.
enum Notice {
    case connected(Greeting)
    case connectionRefused(ReasonCode, String?)
    /// A DISCONNECT packet from the broker (version 5 only).
    case dismissed(ReasonCode)
    case answered(packet: Int32, ReasonCode, String?)
    case subscribed(packet: Int32, ReasonCode)
    case message(topic: String, payload: [UInt8], isRetained: Bool)
}

/// The properties of a CONNACK (MQTT 5 section 3.2.2.3) this session acts on.
struct Greeting {
    /// 65535 where the broker does not say.
    let receiveMaximum: Int
    /// 0 where the broker takes nothing it would have to acknowledge.
    let maximumQoS: Int
}

/// Where the callbacks of one connection put what they saw. Used on the mqtt thread alone: that is
/// where libmosquitto calls back under an outside loop.
final class NoticeBoard {
    var notices: [Notice] = []
    /// The errors libmosquitto logged, which is all it says about a failed TLS handshake.
    var errorLines: [String] = []

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
