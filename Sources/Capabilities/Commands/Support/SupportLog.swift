import GatewayModel
import Hub

/// The log, reduced to events of the box and to their numbers.
enum SupportLog {
    /// Messages that may be shown. They tell of the box: none is about an alarm, a consent or an act of a person. Every
    /// other message is only counted.
    static let messages: Set<String> = [
        "a key of the gateway's own was made: homegateway contract keys shows its public part",
        "a part of the alarm in the house does not work", "a power cut took the last changes",
        "a run file is not taken", "a way to help does not work", "a way to help was tested",
        "adverts are heard again", "adverts came faster than they were read",
        "adverts cannot be heard directly",
        "adverts cannot be listened to", "all of the history is sealed with the new key",
        "an input that ends the gateway will not be set aside", "bluetooth", "bluetooth call failed",
        "bluetooth is suspect", "broker connected", "command refused", "condition cleared", "condition raised",
        "dashboard connected", "dashboard not connected", "devices not reloaded", "devices reloaded",
        "gpsd answers", "listening for adverts", "no advert of anybody for half a minute", "no position",
        "no session with the broker can be made", "no session with the dashboard can be made",
        "passings cannot be written down", "readings are missing in the history",
        "readings are not kept for the console", "runs reloaded", "settings", "settings reloaded", "started",
        "stopped", "subscribed", "subscription refused", "the broker does not take a message",
        "the broker sends what it must not", "the console's pages have no socket",
        "the disk does not keep runs",
        "the disk fails", "the gateway cannot run", "the outbox was damaged, and another one is begun",
        "the outbox's disk fails", "the settings that work are not kept",
        "the state of an earlier version cannot be read",
        "the state of an earlier version was taken over into state.sqlite", "trying to recover bluetooth",
        "unsent messages are lost", "unsent messages of an earlier run",
        "unsent readings were given up",
    ]
    /// Fields that are shown if their value is a whole number.
    static let numbers: Set<String> = [
        "changes", "count", "limit_ms", "lost", "maximum_packet_bytes", "messages_saved",
        "receive_maximum", "retry_in_ms", "session_expiry_s", "unsent_deleted", "unsent_kept",
    ]
    static let levels: Set<String> = ["trace", "debug", "info", "notice", "warning", "error", "critical"]
    /// The newest lines that are shown.
    static let most = 5_000

    static func lines(_ journal: [String]?) -> [String] {
        guard let journal else { return [SupportText.unread] }
        var counts: [HealthCode: Int] = [:]
        var shown: [String] = []
        for line in journal {
            guard let start = line.firstRange(of: "level=") else { continue }
            let fields = fields(line[start.lowerBound...])
            guard let message = fields["message"], messages.contains(message) else { continue }
            if let code = fields["code"].flatMap(HealthCode.init), code.isOfAWearable {
                counts[code, default: 0] += message == "condition raised" ? 1 : 0
            } else {
                shown.append(event(line, message, fields))
            }
        }
        // Times of these would tell when somebody was at home.
        let wearables = counts.sorted { $0.key.rawValue < $1.key.rawValue }.map {
            "raised \($0.key.rawValue) \($0.value) times"
        }
        return ["lines \(journal.count), shown \(min(shown.count, most))"] + wearables + shown.suffix(most)
    }

    private static func event(_ line: String, _ message: String, _ fields: [String: String]) -> String {
        let seconds = line.prefix { $0 != "." && $0 != " " }
        var words = [SupportText.number(seconds).map(String.init) ?? "-"]
        words.append(fields["level"].flatMap { levels.contains($0) ? $0 : nil } ?? "-")
        words.append("\"\(message)\"")
        if let code = fields["code"].flatMap(HealthCode.init) { words.append("code=\(code.rawValue)") }
        for name in numbers.sorted() {
            if let number = fields[name].flatMap({ SupportText.number($0) }) {
                words.append("\(name)=\(number)")
            }
        }
        return words.joined(separator: " ")
    }

    /// Fields of a line in logfmt, the first of each name: `key=value key="a \"quoted\" value"`.
    static func fields(_ line: Substring) -> [String: String] {
        var fields: [String: String] = [:]
        var rest = line
        while let equals = rest.firstIndex(of: "=") {
            let name = String(rest[..<equals].drop { $0 == " " })
            rest = rest[rest.index(after: equals)...]
            var value = ""
            if rest.first == "\"" {
                rest = rest.dropFirst()
                while let character = rest.popFirst(), character != "\"" {
                    value.append(character == "\\" ? rest.popFirst() ?? "\\" : character)
                }
            } else {
                value = String(rest.prefix { $0 != " " })
                rest = rest.dropFirst(value.count)
            }
            if fields[name] == nil { fields[name] = value }
        }
        return fields
    }
}
