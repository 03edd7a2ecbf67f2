import GatewayModel
import HelpLine
import Hub

/// When each way to help is tried by itself, and whether it works as far as anybody knows. Pure.
struct ChannelWatch: Sendable {
    /// State of one channel.
    struct State: Hashable, Sendable {
        /// The last fault; nil while the channel works, or before its first result.
        var fault: String?
        /// It last worked, in a test or for a call.
        var worked: WallTime?
        /// Whether its lasting session stands; nil for a channel that has none.
        fileprivate(set) var hasSession: Bool?
        fileprivate var nextTest: BootInstant
        /// Times the interval: houses that were switched on together after a power cut do not stay in step.
        fileprivate let pace: Double
    }

    /// From the start until the first test, at most: time to connect first.
    static let firstTest = Duration.seconds(10)
    /// After a test that failed, or gave no answer.
    static let retry = Duration.seconds(60)
    static let paces = 0.9...1.1

    private let interval: Duration
    private(set) var states: [ChannelID: State] = [:]

    init(
        _ channels: [ChannelID], every interval: Duration, startingAt now: BootInstant,
        using random: inout some RandomNumberGenerator
    ) {
        self.interval = interval
        for channel in channels {
            let part = Double.random(in: 0.5...1, using: &random)
            states[channel] = State(
                nextTest: now.advanced(by: Self.firstTest * part),
                pace: Double.random(in: Self.paces, using: &random))
        }
    }

    /// Returns this watch with the states that an earlier watch has of these channels.
    func knowing(_ earlier: ChannelWatch?, of channels: [ChannelID]) -> ChannelWatch {
        var watch = self
        for channel in channels { watch.states[channel] = earlier?.states[channel] ?? states[channel] }
        return watch
    }

    /// Those to be tested now.
    mutating func due(at now: BootInstant) -> [ChannelID] {
        let due = states.filter { $0.value.nextTest <= now }.keys.sorted { $0.text < $1.text }
        // Until it answers: a test that hangs is made again.
        for channel in due { states[channel]?.nextTest = now.advanced(by: Self.retry) }
        return due
    }

    /// Whether nothing is known to be wrong with it: a call to it is waited for before the next one is called.
    func isLive(_ channel: ChannelID) -> Bool {
        guard let state = states[channel] else { return true }
        return state.fault == nil && state.hasSession ?? true
    }

    /// Its lasting session stands, or has ended. One that stands is as good as a test.
    mutating func session(_ channel: ChannelID, isUp: Bool, at now: Moment) -> [HealthChange] {
        guard states[channel] != nil else { return [] }
        states[channel]?.hasSession = isUp
        return isUp ? worked(channel, at: now) : []
    }

    /// A test has ended.
    mutating func tested(_ channel: ChannelID, _ test: ChannelTest, at now: Moment) -> [HealthChange] {
        guard let state = states[channel] else { return [] }
        switch test {
        case .works:
            states[channel]?.nextTest = now.boot.advanced(by: interval * state.pace)
            return worked(channel, at: now)
        case .fails(let reason):
            states[channel]?.nextTest = now.boot.advanced(by: Self.retry)
            return failed(channel, reason)
        }
    }

    /// A call went through.
    mutating func worked(_ channel: ChannelID, at now: Moment) -> [HealthChange] {
        guard states[channel] != nil else { return [] }
        states[channel]?.fault = nil
        states[channel]?.worked = now.wall
        return [change(channel, false)]
    }

    /// A call did not.
    mutating func failed(_ channel: ChannelID, _ reason: String) -> [HealthChange] {
        guard states[channel] != nil else { return [] }
        states[channel]?.fault = reason
        return [change(channel, true)]
    }

    private func change(_ channel: ChannelID, _ holds: Bool) -> HealthChange {
        HealthChange(condition: HealthCondition(.channelFailing, subject: channel.text), holds: holds)
    }
}
