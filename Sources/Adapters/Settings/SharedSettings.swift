import SettingsReading

/// A settings file as it may leave the house in a support bundle: its structure, and the values of the keys that are
/// listed here. Everything else is replaced by its kind: names, addresses, hosts, paths, numbers of a person.
///
/// A list of allowed keys, never of forbidden ones: a new key is hidden until somebody adds it here.
public struct SharedSettings: Sendable {
    /// File with its declaration and its keys that may be shown, by the title of their section; "" is the file itself.
    public struct File: Sendable {
        let root: Section
        let shown: [String: Set<String>]

        public static let gateway = File(root: RootSection.section, shown: keysOfTheBox)
        public static let devices = File(root: DevicesRootSection.section, shown: keysOfTheBox)
        public static let console = File(
            root: ConsoleSection.section, shown: ["": [ConsoleSection.tls.name, ConsoleSection.racePages.name]])
    }

    /// One line for each section and each key: the line of the file, then the text.
    public let lines: [String]

    /// - Parameter bytes: of any content; a file that is no TOML is one line that says so.
    public init(_ bytes: [UInt8], as file: File) {
        var text = Redaction(shown: file.shown)
        do {
            let root = try TOMLDocument(parsing: bytes).root
            text.add(root, of: file.root)
        } catch {
            text.lines = ["\(error.position.line) is not TOML"]
        }
        lines = text.lines
    }

    /// Keys of parts of the box. None says anything of a person, of a place, or of the name of anything.
    static let keysOfTheBox: [String: Set<String>] = [
        "gateway": ["log_level", "heartbeat_seconds"],
        "bluetooth": ["may_restart_bluetooth"],
        "gpsd": ["enabled", "port"],
        "broker": [
            "port", "tls", "keep_alive_seconds", "session_expiry_seconds", "readings", "gather_milliseconds",
            "unsigned_acceptances",
        ],
        "outbox": ["sync_milliseconds", "quota_megabytes", "keep_days"],
        "history": ["enabled", "raw_days", "keep_days"],
        "location": ["sample_seconds"],
        "house": ["sound", "voice", "voice_speed", "loudness_start", "loudness_max", "screen"],
        "house.lamp": ["line", "active_low"],
        "house.button": ["line", "active_low"],
        "home_assistant": ["enabled", "states", "port", "tls"],
        "sos": ["test_channels_hours", "test_buttons_days", "notice_after_seconds"],
        "sos.drill": ["every_days"],
        "commands": ["clock"],
        "commands.issuers": ["may", "may_accept", "desk"],
        "race": ["silent_after_minutes", "carried_by_command"],
        "wearable": ["heard_by", "silence_seconds", "sleeps", "link_loss_alert", "alarm_alert"],
        "wearable.signals": ["button", "double_press", "long_press", "vibration", "motion", "moving"],
        "source": ["sos"],
        "channel": [
            "type", "format", "test", "port", "transport", "via", "timeout_seconds", "repeat_seconds",
            "ring_seconds", "heartbeat_seconds", "answer_is_acceptance", "replies_accept", "keys_accept",
        ],
    ]
}

/// Walk along the declarations: names of sections and keys come from there, never from the file.
private struct Redaction {
    let shown: [String: Set<String>]
    var lines: [String] = []

    /// The declarations bound the depth.
    mutating func add(_ table: TOMLTable, of section: Section) {
        for entry in table.entries.sorted(by: { $0.node.position < $1.node.position }) {
            let line = entry.node.position.line
            if let key = section.keys.first(where: { $0.name == entry.key }) {
                lines.append("\(line)   \(key.name) = \(value(of: key, entry.node.value, in: section))")
            } else if section.children.contains(where: { $0.name == entry.key }) {
                addSections(entry.node.value, section.children.filter { $0.name == entry.key }, line)
            } else if section.refused[entry.key] != nil || section.outdated[entry.key] != nil {
                // A refused key is most often a password that somebody wrote there.
                lines.append("\(line)   \(entry.key) = <secret>")
            } else {
                lines.append("\(line)   <unknown key> = <personal>")
            }
        }
    }

    /// - Parameter sections: the variants of one section.
    private mutating func addSections(_ value: TOMLValue, _ sections: [Section], _ line: Int) {
        let tables: [(line: Int, table: TOMLTable)]
        switch value {
        case .table(let table): tables = [(line, table)]
        case .array(let nodes):
            tables = nodes.compactMap { node in
                if case .table(let table) = node.value { (node.position.line, table) } else { nil }
            }
        default: tables = []
        }
        guard !tables.isEmpty else {
            lines.append("\(line) \(sections[0].header) <no section>")
            return
        }
        for (number, written) in tables.enumerated() {
            let section = sections.first { $0.isVariant(written.table) } ?? sections[0]
            lines.append("\(written.line) \(section.header)" + (section.repeats ? " #\(number + 1)" : ""))
            add(written.table, of: section)
        }
    }

    /// The value, if the key may be shown and takes it: a value in the wrong place may be anything.
    private func value(of key: any DeclaredKey, _ value: TOMLValue, in section: Section) -> String {
        guard !key.isPersonal else { return "<personal>" }
        switch key.content {
        case .file: return "<file>"
        case .free: return "<text>"
        case .plain where shown[section.title]?.contains(key.name) == true:
            return key.accepts(value) ? key.shown(value) : "<not accepted>"
        case .plain: return "<personal>"
        }
    }
}

extension SharedSettings.File {
    /// Whether the declarations have this key, as messages name it: `broker.port`.
    public func declares(_ key: String) -> Bool {
        root.all.contains { section in section.keys.contains { section.full($0.name) == key } }
    }
}
