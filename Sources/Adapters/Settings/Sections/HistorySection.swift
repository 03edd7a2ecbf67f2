import SettingsReading

/// `[history]`: storage of the readings in the house itself.
enum HistorySection {
    static let isEnabled = Key(
        "enabled", .truth, .standard(true),
        "Whether readings are kept in the house, sealed, for the console. None of it is ever sent.")
    static let raw = Key(
        "raw_days", .wholeNumber(1...3_650), .standard(30), "How long each reading is kept.")
    static let rollUps = Key(
        "keep_days", .wholeNumber(1...3_650), .standard(400),
        "How long the least, mean and greatest of each minute and hour are kept; not less than `raw_days`.")
    static let keyFile = Key(
        "key_file", .filePath(), .optional("systemd's credential `history-key`, else one the gateway makes"),
        "A file with the key that seals it: 64 hexadecimal digits, readable by the gateway alone.")
    static let previousKeyFile = Key(
        "previous_key_file", .filePath(), .optional("none"),
        "The key before, while all is sealed anew with `key_file`. Only with it.")

    static let section = Section(
        ["history"], "What is kept of the readings in the house itself.",
        keys: [isEnabled, raw, rollUps, keyFile, previousKeyFile],
        refused: [
            "key": "a key is never written in the settings, which are copied and shown: put it into a file "
                + "that only the gateway can read and give its path as key_file"
        ],
        // Off: a default might delete readings that are to be kept.
        cost: .entry, substitutes: [isEnabled.name: false])

    static func read(_ reader: SectionReader) -> GatewaySettings.History? {
        let isEnabled = reader.value(isEnabled)
        let raw = reader.value(raw)
        let rollUps = reader.value(rollUps)
        let keyFile = reader.value(keyFile)
        let previousKeyFile = reader.value(previousKeyFile)
        guard let isEnabled, let raw, let rollUps else { return nil }
        if rollUps < raw {
            reader.report(
                "saw \(rollUps), expected at least raw_days, \(raw): choose one that is as long or longer",
                Self.rollUps.name)
        }
        if previousKeyFile != nil, !reader.isWritten(Self.keyFile) {
            reader.report(
                "saw no key_file, expected one beside it: give the new key as key_file",
                Self.previousKeyFile.name)
        }
        return GatewaySettings.History(
            isEnabled: isEnabled, raw: .seconds(raw * 86_400), rollUps: .seconds(rollUps * 86_400),
            keyFile: keyFile, previousKeyFile: previousKeyFile)
    }
}

extension GatewaySettings {
    /// Storage of the readings in the house itself.
    public struct History: Hashable, Sendable {
        public let isEnabled: Bool
        /// How long each reading is kept.
        public let raw: Duration
        /// How long roll-ups are kept; not less than `raw`.
        public let rollUps: Duration
        /// Absolute; read by the gateway, not with the settings: a key that is missing stops no alarm.
        public let keyFile: String?
        public let previousKeyFile: String?
    }
}
