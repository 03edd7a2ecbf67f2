/// Who did something about an alarm, and how: kept with the alarm for good.
public struct PersonAct: Hashable, Codable, Sendable {
    public enum Means: String, CaseIterable, Hashable, Codable, Sendable {
        /// `homegateway abort` or `resolve` in the house.
        case commandLine = "command-line"
        /// The pages of the house's screen.
        case console
        /// The big button of the box.
        case button
        /// A button of what the person wears.
        case wearable
        /// A signed command, as from the person's phone.
        case command
        /// The reply of a dispatch channel.
        case channel
        /// Nobody: the gateway itself, which ends a drill that was not answered.
        case gateway
    }

    /// As they named themselves; free text, for people.
    public let by: String
    public let means: Means

    public init(by: String, means: Means) {
        self.by = by
        self.means = means
    }
}
