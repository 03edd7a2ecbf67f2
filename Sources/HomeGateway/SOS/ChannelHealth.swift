import Contract
import GatewayModel
import HelpLine
import Logging
import RealTime
import SOSLocal
import Synchronization

/// The ways to help, tried by themselves at intervals, and what calls say about them. Its methods may be
/// called from any thread but the SOS thread, and return at once.
final class ChannelHealth: Sendable {
    private struct Tested: Sendable {
        var watch: ChannelWatch
        var channels: [any HelpChannel]
    }

    private let state = Mutex<Tested?>(nil)
    private let health: HealthBoard
    private let log: Logger

    init(health: HealthBoard, log: Logger) {
        self.health = health
        self.log = log
    }

    /// Once, before anything runs.
    func watch(_ channels: [any HelpChannel], every interval: Duration) {
        var random = SystemRandomNumberGenerator()
        let watch = ChannelWatch(
            channels.map(\.id), every: interval, startingAt: Clock.boot(), using: &random)
        state.withLock { $0 = Tested(watch: watch, channels: channels) }
    }

    /// Tests what is due. Call it about once a second, as long as anybody may be called for.
    func tick(at now: BootInstant) {
        let channels = state.withLock { state -> [any HelpChannel] in
            let due = state?.watch.due(at: now) ?? []
            return state?.channels.filter { due.contains($0.id) } ?? []
        }
        for channel in channels { channel.test() }
    }

    func tested(_ channel: ChannelID, _ test: ChannelTest) {
        let isNews = tell { $0.tested(channel, test, at: Clock.moment()) }
        switch test {
        case .works(let detail):
            log.info(
                "a way to help was tested", metadata: ["channel": "\(channel)", "result": "\(detail)"])
        case .fails(let reason):
            log.log(
                level: isNews ? .error : .debug, "a way to help does not work",
                metadata: ["channel": "\(channel)", "reason": "\(reason)"])
        }
    }

    /// What a channel says about a call is a test of it as well. A missing consent is none.
    func heard(_ channel: ChannelID, _ word: ChannelWord) {
        switch word {
        case .handedOver, .accepted, .retracted:
            tell { $0.worked(channel, at: Clock.moment()) }
        case .failed(_, _, let reason), .retractionFailed(_, let reason):
            guard reason != Dispatcher.termsMissing else { return }
            tell { $0.failed(channel, reason) }
        case .dispatched: break
        }
    }

    /// For `status`.
    var lines: [String] {
        let states = state.withLock { $0?.watch.states } ?? [:]
        return states.sorted { $0.key.text < $1.key.text }.map { channel, state in
            let worked = state.worked.map { "last worked \($0.rfc3339)" } ?? "not yet seen to work"
            let fault = state.fault.map { "FAILS: \($0); " } ?? ""
            return "way to help \(channel): \(fault)\(worked)"
        }
    }

    /// - Returns: whether any of it is news.
    @discardableResult
    private func tell(_ change: (inout ChannelWatch) -> [HealthChange]) -> Bool {
        // Told under the lock, so that of two changes the later one holds on the board too.
        state.withLock { state in
            guard var tested = state else { return false }
            let changes = change(&tested.watch)
            state = tested
            return changes.map { health.set($0.condition, $0.holds) }.contains(true)
        }
    }
}
