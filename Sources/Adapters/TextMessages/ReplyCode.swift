import GatewayModel

/// Number in the text of a call. A recipient who answers with it accepts the call.
///
/// The number of a sender can be forged. The code shows that the sender has read the text of this alarm.
struct ReplyCode: Hashable, Sendable {
    /// Four digits: a frightened person can type them.
    let digits: String
    /// Wrong tries of a number; after this many it accepts nothing of this alarm any more. With 10,000 codes a forger has a
    /// chance of 5 in 10,000 for each number of the list, in however many texts.
    static let mostWrong = 5

    /// - Parameter taken: codes of other alarms.
    init(besides taken: Set<ReplyCode>, using random: inout some RandomNumberGenerator) {
        while true {
            let code = ReplyCode(number: Int.random(in: 0...9_999, using: &random))
            // At most a few alarms are open at a time.
            guard taken.contains(code) else {
                self = code
                return
            }
        }
    }

    private init(number: Int) {
        let text = String(number)
        digits = String(repeating: "0", count: 4 - text.count) + text
    }

    /// Returns the tries that a text holds, `limit` at most: each group of digits is one, whatever is around it. `4821` and
    /// `ok 4821!` hold one, `4 8 2 1` four that are none. A text without digits is a try as well.
    static func tries(in text: String, limit: Int) -> [String] {
        let groups = text.unicodeScalars.split { !("0"..."9").contains($0) }.prefix(limit).map { String($0) }
        return groups.isEmpty ? [""] : groups
    }
}
