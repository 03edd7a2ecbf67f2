import Contract
import Hub
import Logging
import RealTime

/// Structured lines (logfmt): `time=… level=… area=… message="…" key=value`.
///
/// Under systemd each begins with `<n>`, the syslog priority by which journald files it (sd-daemon(3)),
/// and carries no time of its own.
struct LogfmtHandler: LogHandler {
    let area: String
    let thread: LogThread
    let isJournal: Bool
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let pairs = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
        let fields = pairs.map { " \($0.key)=\(Self.quoted($0.value.description))" }.joined()
        let stamp = isJournal ? "<\(Self.priority(event.level))>" : "time=\(Clock.wall().rfc3339) "
        thread.write(
            "\(stamp)level=\(event.level) area=\(area) message=\(Self.quoted(event.message.description))\(fields)"
        )
    }

    /// Quotes where a reader of logfmt would need it, and keeps an entry on its line.
    static func quoted(_ text: String) -> String {
        let isPlain =
            !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x3D && $0 != 0x5C }
        guard !isPlain else { return text }
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            case "\n": "\\n"
            case _ where scalar.value < 0x20: " "
            default: String(scalar)
            }
        }
        return "\"\(escaped.joined())\""
    }

    private static func priority(_ level: Logger.Level) -> Int {
        switch level {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }
}
