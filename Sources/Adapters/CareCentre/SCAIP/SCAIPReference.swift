import GatewayModel
public import SOSLocal

/// `ref`: ties an answer of the centre to a message of ours; 1 to 16 characters out of `0-9a-zA-Z`.
///
/// Derived, not drawn: eleven characters of the alarm, one of the message's kind, four of the round. A second
/// try of the same word has the same reference, also after a restart, and every other word another one. The
/// alarm's part is 64 bits out of all of its id. Without the message a stranger has to guess the number and the
/// millisecond of the reading.
public struct SCAIPReference: Hashable, Sendable, CustomStringConvertible {
    public let description: String

    /// Nil where `text` is none.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard (1...16).contains(bytes.count), bytes.allSatisfy(Base62.digits.contains) else { return nil }
        description = text
    }

    public init(call order: DispatchOrder) {
        let stage = order.stage == .pending ? "P" : "C"
        self.init(order.alarm, stage, round: order.round)
    }

    public init(retraction: Retraction) {
        let ending =
            switch retraction.ending {
            case .aborted: "A"
            case .accepted: "T"
            case .resolved: "S"
            case .lapsed: "L"
            }
        self.init(retraction.alarm, ending, round: 0)
    }

    /// - Parameter notice: ID of the notice, of which 64 bits remain.
    init(notice: MessageID) {
        description = "NT" + Base62.text(notice.bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }, width: 11)
    }

    /// - Parameter number: another one for each heartbeat, also after a restart: milliseconds of the wall
    ///   clock are.
    init(heartbeat number: UInt64) {
        description = "PI" + Base62.text(number, width: 11)
    }

    private init(_ alarm: AlarmID, _ word: String, round: Int) {
        // Both halves of the id. The second one can be calculated from an earlier reading; the first one is the time.
        var time = alarm.message.high
        time = (time ^ time >> 31) &* 0xBF58_476D_1CE4_E5B9
        let rounds = UInt64(14_776_336)
        description =
            Base62.text(alarm.message.low ^ time ^ time >> 29, width: 11) + word
            + Base62.text(UInt64(max(round, 0)) % rounds, width: 4)
    }
}

/// Numbers in the digits that a reference may have.
private enum Base62 {
    static let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

    /// - Parameter width: 11 holds every 64-bit number (62^11 > 2^65), 4 all below 62^4 = 14,776,336.
    static func text(_ number: UInt64, width: Int) -> String {
        var rest = number
        var bytes: [UInt8] = []
        for _ in 0..<width {
            bytes.append(digits[Int(rest % 62)])
            rest /= 62
        }
        return String(decoding: bytes.reversed(), as: UTF8.self)
    }
}
