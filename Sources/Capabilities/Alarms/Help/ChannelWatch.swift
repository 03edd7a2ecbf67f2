import GatewayModel
import HelpLine
import Hub

/// Schedule of the tests of each help channel, and its last known state. Pure.
struct ChannelWatch: Sendable {
    /// State of one channel.
    struct State: Hashable, Sendable {
        /// The last fault; nil while the channel works, or before its first result.
        var fault: String?
        /// Time at which it last worked, in a test or for a call.
        var worked: WallTime?
        /// Whether its lasting session is up; nil for a channel without one.
        fileprivate(set) var hasSession: Bool?
        fileprivate var nextTest: BootInstant
        /// Begin of the last test; nil before the first.
        fileprivate var lastTest: BootInstant?
        /// Nil where the channel has no server to probe.
        fileprivate var nextProbe: BootInstant?
        /// A probe has not returned.
        fileprivate var isProbed = false
        /// Factor of the interval: houses that were switched on together after a power cut do not stay in step.
        fileprivate let pace: Double
    }

    /// Maximum time from the start until the first test: it leaves time to connect.
    static let firstTest = Duration.seconds(10)
    /// Interval after a test that failed, or gave no answer; minimum interval of the tests of a channel.
    static let retry = Duration.seconds(60)
    static let paces = 0.9...1.1
    /// Interval of the probes of a server, which cost it a TCP connection without a byte. With a test after a probe that
    /// failed, a lost link is known within two minutes.
    static let probeInterval = Duration.seconds(60)
    /// Time without its lasting session after which a channel is tested: a broker or a router that restarts is back by
    /// then. With `NoticeRule.helpPatience` carers hear of it within two minutes.
    static let sessionLimit = Duration.seconds(60)

    private let interval: Duration
    private(set) var states: [ChannelID: State] = [:]

    /// - Parameter probed: channels with a server to probe.
    init(
        _ channels: [ChannelID], probed: Set<ChannelID> = [], every interval: Duration,
        startingAt now: BootInstant, using random: inout some RandomNumberGenerator
    ) {
        self.interval = interval
        for channel in channels {
            let part = Double.random(in: 0.5...1, using: &random)
            states[channel] = State(
                nextTest: now.advanced(by: Self.firstTest * part),
                nextProbe: probed.contains(channel)
                    ? now.advanced(by: Self.firstTest + Self.probeInterval * part) : nil,
                pace: Double.random(in: Self.paces, using: &random))
        }
    }

    /// Returns this watch with the states that an earlier watch has of these channels.
    func knowing(_ earlier: ChannelWatch?, of channels: [ChannelID]) -> ChannelWatch {
        var watch = self
        for channel in channels { watch.states[channel] = earlier?.states[channel] ?? states[channel] }
        return watch
    }

    /// Returns the channels to be tested now.
    mutating func due(at now: BootInstant) -> [ChannelID] {
        let due = states.filter { $0.value.nextTest <= now }.keys.sorted { $0.text < $1.text }
        // Valid until its result: a hanging test is repeated.
        for channel in due {
            states[channel]?.nextTest = now.advanced(by: Self.retry)
            states[channel]?.lastTest = now
        }
        return due
    }

    /// Returns the channels with a server to be probed now. A channel with a known fault is tested instead.
    mutating func dueProbes(at now: BootInstant) -> [ChannelID] {
        let due = states.filter { _, state in
            state.fault == nil && !state.isProbed && state.nextProbe.map { $0 <= now } ?? false
        }.keys.sorted { $0.text < $1.text }
        for channel in due {
            states[channel]?.nextProbe = now.advanced(by: Self.probeInterval)
            states[channel]?.isProbed = true
        }
        return due
    }

    /// Records whether the server of a channel was reached. A probe that failed is no fault: the test that follows decides.
    mutating func probed(_ channel: ChannelID, isReached: Bool, at now: BootInstant) {
        states[channel]?.isProbed = false
        if !isReached { bringForwardTest(of: channel, at: now) }
    }

    /// Returns whether the channel has no known fault: a call to it is waited for before the next channel is called.
    func isLive(_ channel: ChannelID) -> Bool {
        guard let state = states[channel] else { return true }
        return state.fault == nil && state.hasSession ?? true
    }

    /// Records the start or the end of its lasting session. A session that is up counts as a successful test. One that
    /// has ended is tested after `sessionLimit`, unless it is up again before.
    mutating func session(_ channel: ChannelID, isUp: Bool, at now: Moment) -> [HealthChange] {
        guard let state = states[channel] else { return [] }
        states[channel]?.hasSession = isUp
        guard isUp else {
            if state.hasSession != false {
                states[channel]?.nextTest = min(state.nextTest, now.boot.advanced(by: Self.sessionLimit))
            }
            return []
        }
        states[channel]?.nextTest = now.boot.advanced(by: interval * state.pace)
        return worked(channel, at: now)
    }

    /// Records the result of a test.
    mutating func tested(_ channel: ChannelID, _ test: ChannelTest, at now: Moment) -> [HealthChange] {
        guard let state = states[channel] else { return [] }
        switch test {
        case .works:
            states[channel]?.nextTest = now.boot.advanced(by: interval * state.pace)
            return worked(channel, at: now)
        case .fails(let reason):
            states[channel]?.nextTest = now.boot.advanced(by: Self.retry)
            return failed(channel, reason, at: now.boot)
        }
    }

    /// Records a call that succeeded.
    mutating func worked(_ channel: ChannelID, at now: Moment) -> [HealthChange] {
        guard states[channel] != nil else { return [] }
        states[channel]?.fault = nil
        states[channel]?.worked = now.wall
        return [change(channel, false)]
    }

    /// Records a call that failed. With the first fault of a channel the others are tested.
    mutating func failed(_ channel: ChannelID, _ reason: String, at now: BootInstant) -> [HealthChange] {
        guard let state = states[channel] else { return [] }
        states[channel]?.fault = reason
        if state.fault == nil { bringForwardTests(at: now) }
        return [change(channel, true)]
    }

    /// Tests the channels without a known fault now: the link that all of them share may be lost.
    private mutating func bringForwardTests(at now: BootInstant) {
        for (channel, state) in states where state.fault == nil { bringForwardTest(of: channel, at: now) }
    }

    /// Tests a channel now, or `retry` after its last test.
    private mutating func bringForwardTest(of channel: ChannelID, at now: BootInstant) {
        guard let state = states[channel] else { return }
        let earliest = state.lastTest.map { max(now, $0.advanced(by: Self.retry)) } ?? now
        states[channel]?.nextTest = min(state.nextTest, earliest)
    }

    private func change(_ channel: ChannelID, _ holds: Bool) -> HealthChange {
        HealthChange(condition: HealthCondition(.channelFailing, subject: channel.text), holds: holds)
    }
}
