import SettingsReading

/// `[outbox]`: storage of messages until the broker has them.
enum OutboxSection {
    // An SD card pays for each sync: below 50 ms it does nothing else. A power cut takes the readings since the
    // last sync.
    static let group = Key(
        "sync_milliseconds", .wholeNumber(50...10_000), .standard(500),
        "Readings that arrive within it share one sync of the disk: what a power cut may take.")
    // A reading takes some 450 bytes: at the least still ten hours of one wearable at 1 Hz.
    static let quota = Key(
        "quota_megabytes", .wholeNumber(16...1_000_000), .standard(2_048),
        "How much unsent readings may take of the disk; beyond it the oldest are thinned.")
    static let age = Key(
        "keep_days", .wholeNumber(1...3_650), .standard(90),
        "Unsent readings older than this are given up.")

    static let section = Section(
        ["outbox"], "What is kept on the disk until the broker has it.", keys: [group, quota, age],
        // A default may be less than was written: readings would be given up.
        cost: .grave(.key), costs: [group.name: .key])

    static func read(_ reader: SectionReader) -> GatewaySettings.Outbox? {
        let group = reader.value(group)
        let quota = reader.value(quota)
        let age = reader.value(age)
        guard let group, let quota, let age else { return nil }
        return GatewaySettings.Outbox(
            group: .milliseconds(group), quota: quota << 20, age: .seconds(age * 86_400))
    }
}

extension GatewaySettings {
    /// Storage of messages until the broker has them.
    public struct Outbox: Hashable, Sendable {
        /// The least there is between two syncs of the disk, alarms aside.
        public let group: Duration
        /// In bytes.
        public let quota: Int
        public let age: Duration
    }
}
