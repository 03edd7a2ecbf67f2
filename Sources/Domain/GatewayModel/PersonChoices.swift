/// Choices of a person about a channel that the settings leave to them.
public struct ChannelChoice: Hashable, Codable, Sendable {
    /// Whether it is called in an emergency; nil as in the settings.
    public var emergency: Bool?
    /// Whether it is told of a warning; nil as in the settings.
    public var warnings: Bool?
    public let author: OwnProfile.Author

    public init(emergency: Bool?, warnings: Bool?, author: OwnProfile.Author) {
        (self.emergency, self.warnings, self.author) = (emergency, warnings, author)
    }
}

/// Values of one person that belong to the person, and not to the installer.
public struct PersonChoices: Hashable, Codable, Sendable {
    /// Entry of the record of changes: no values.
    public struct Change: Hashable, Codable, Sendable {
        public let author: OwnProfile.Author
        /// `command-line`, `command`.
        public let means: String
        /// Names of the items: `telephone`, `heart-rate high`, `family-sms`.
        public let items: [String]

        public init(_ items: [String], by author: OwnProfile.Author, means: String) {
            (self.items, self.author, self.means) = (items, author, means)
        }
    }

    /// Changes that are remembered: some years of a household.
    static let mostChanges = 100

    public var profile = OwnProfile()
    /// By the ID of the channel.
    private var channels: [String: ChannelChoice] = [:]
    /// The oldest first.
    public private(set) var changes: [Change] = []

    public init() {}

    public subscript(channel: ChannelID) -> ChannelChoice? {
        get { channels[channel.text] }
        set { channels[channel.text] = newValue }
    }

    /// Choices in the order of the channels' IDs.
    public var channelChoices: [(id: String, choice: ChannelChoice)] {
        channels.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    public mutating func record(_ change: Change) {
        changes = (changes + [change]).suffix(Self.mostChanges)
    }
}
