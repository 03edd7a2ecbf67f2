/// Reads the keys that the other side of a call presses, from bytes that anybody may have sent. Pure.
struct PressedKeys {
    /// RTP time at which the last event began: the packets of one event share it (RFC 4733 section 2.3).
    private var last: UInt32?

    /// Takes the payload of a telephone event of RFC 4733: event, flags and volume, duration.
    /// - Returns: the key, once for each press; nil for other events and for bytes that are none.
    mutating func received(_ payload: [UInt8], at timestamp: UInt32) -> Character? {
        guard payload.count >= 4, let key = Self.key(payload[0]), timestamp != last else { return nil }
        last = timestamp
        return key
    }

    /// Takes the body of a SIP INFO: `Signal=1` of application/dtmf-relay, or the bare key of application/dtmf.
    static func key(inInfo body: [UInt8], mediaType: String) -> Character? {
        let text = String(decoding: body.prefix(256), as: UTF8.self)
        switch mediaType {
        case "application/dtmf-relay":
            for line in text.split(whereSeparator: \.isNewline) {
                let parts = line.split(separator: "=", maxSplits: 1)
                guard parts.count == 2, bare(parts[0]).lowercased() == "signal" else { continue }
                return key(named: bare(parts[1]))
            }
            return nil
        case "application/dtmf": return key(named: bare(text[...]))
        default: return nil
        }
    }

    private static func bare(_ text: Substring) -> String {
        String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }

    private static func key(named text: String) -> Character? {
        guard text.count == 1, let key = text.first, keys.contains(key) else { return nil }
        return key
    }

    /// By the number of the event.
    private static let keys = Array("0123456789*#")

    private static func key(_ event: UInt8) -> Character? {
        Int(event) < keys.count ? keys[Int(event)] : nil
    }
}
