import Contract
import ControlContract
import GatewayModel
import HelpLine
import Hub
import Logging
import RealTime
import SOSLocal
import Synchronization

/// Health of the help channels, from tests at intervals and from the results of calls. Its methods may be called from
/// any thread but the SOS thread, and return at once.
final class ChannelHealth: Sendable {
    private struct Tested: Sendable {
        var watch: ChannelWatch
        var channels: [any HelpChannel]
        /// Channels of the settings that cannot be used: known to be dead.
        var unusable: Set<ChannelID>
    }

    /// Longest time for a connection to one address of a server: that of a call's connection.
    private static let probeLimit = Duration.seconds(4)

    private let state = Mutex<Tested?>(nil)
    private let health: HealthBoard
    private let log: Logger
    private let isLive: @Sendable (ChannelID, Bool) -> Void

    /// - Parameter isLive: called when a channel becomes known to be dead, or is no longer; must return at once.
    init(health: HealthBoard, log: Logger, isLive: @escaping @Sendable (ChannelID, Bool) -> Void) {
        self.health = health
        self.log = log
        self.isLive = isLive
    }

    /// Replaces the channels. A channel that was there before keeps its state.
    ///
    /// - Parameter unusable: channels that could not be made.
    func watch(_ channels: [any HelpChannel], unusable: Set<ChannelID>, every interval: Duration) {
        var random = SystemRandomNumberGenerator()
        let watch = ChannelWatch(
            channels.map(\.id), probed: Set(channels.filter { $0.server != nil }.map(\.id)),
            every: interval, startingAt: Clock.boot(), using: &random)
        let (gone, usableAgain) = state.withLock { state -> (Set<ChannelID>, Set<ChannelID>) in
            let before = state
            // A new channel is tested again.
            let same = channels.filter { channel in before?.channels.contains { $0 === channel } == true }
            state = Tested(
                watch: watch.knowing(before?.watch, of: same.map(\.id)), channels: channels,
                unusable: unusable)
            return (
                Set(before?.channels.map(\.id) ?? []).subtracting(same.map(\.id)),
                (before?.unusable ?? []).subtracting(unusable)
            )
        }
        for id in gone {
            health.set(HealthCondition(.channelFailing, subject: id.text), false)
        }
        // Nothing is known of a new channel.
        for id in gone.union(usableAgain).subtracting(unusable) { isLive(id, true) }
        for id in unusable { isLive(id, false) }
    }

    /// Channels without a known fault: an ended session alone is none yet.
    var working: Set<ChannelID> {
        let states = state.withLock { $0?.watch.states } ?? [:]
        return Set(states.filter { $0.value.fault == nil }.keys)
    }

    /// Tests and probes the channels that are due. Call it about once a second while any alarm may cause a call.
    func tick(at now: BootInstant) {
        let (tests, probes) = state.withLock { state -> ([any HelpChannel], [any HelpChannel]) in
            let (tests, probes) = (state?.watch.due(at: now) ?? [], state?.watch.dueProbes(at: now) ?? [])
            let channels = state?.channels ?? []
            return (
                channels.filter { tests.contains($0.id) }, channels.filter { probes.contains($0.id) }
            )
        }
        for channel in tests { channel.test() }
        for channel in probes { probe(channel) }
    }

    /// On a thread of its own, which ends with the probe: a name look-up cannot be cut short.
    private func probe(_ channel: any HelpChannel) {
        guard let server = channel.server else { return }
        let id = channel.id
        do throws(SystemCallError) {
            _ = try NamedThread("help-probe") { [self] in
                do throws(TCPProbe.Failure) {
                    try TCPProbe.connect(host: server.host, port: server.port, within: Self.probeLimit)
                    probed(id, isReached: true)
                } catch {
                    log.info(
                        "the server of a way to help is not reached",
                        metadata: ["channel": "\(id)", "reason": "\(error.reason)"])
                    probed(id, isReached: false)
                }
            }
        } catch {
            // The box lacks threads: nothing is known of the server.
            probed(id, isReached: true)
        }
    }

    private func probed(_ channel: ChannelID, isReached: Bool) {
        state.withLock { $0?.watch.probed(channel, isReached: isReached, at: Clock.boot()) }
    }

    func tested(_ channel: ChannelID, _ test: ChannelTest) {
        let isNews = tell(channel) { $0.tested(channel, test, at: Clock.moment()) }
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

    /// Records a channel's report about a call, which is a test of the channel as well. A missing consent is no test.
    /// Neither is a withdrawn call: if it had never left, no recipient had to be informed.
    func heard(_ channel: ChannelID, _ word: ChannelEvent) {
        switch word {
        case .handedOver, .accepted:
            tell(channel) { $0.worked(channel, at: Clock.moment()) }
        case .failed(_, _, let reason), .retractionFailed(_, let reason):
            guard reason != Dispatcher.termsMissing else { return }
            tell(channel) { $0.failed(channel, reason, at: Clock.boot()) }
        case .dispatched, .retracted: break
        }
    }

    /// Records the start or the end of a channel's lasting session. This is known before any test, and no part of the
    /// alarm has to wait for it.
    func session(_ channel: ChannelID, isUp: Bool) {
        tell(channel) { $0.session(channel, isUp: isUp, at: Clock.moment()) }
    }

    /// The lines of `status`.
    var lines: [String] {
        sortedStates.map { channel, state in
            let worked = state.worked.map { "last worked \($0.inHouse)" } ?? "not yet seen to work"
            let fault = state.fault.map { "FAILS: \($0); " } ?? ""
            return "way to help \(channel): \(fault)\(worked)"
        }
    }

    var states: [HouseSnapshot.Channel] {
        sortedStates.map {
            HouseSnapshot.Channel(id: $0.key, fault: $0.value.fault, lastWorked: $0.value.worked)
        }
    }

    private var sortedStates: [(key: ChannelID, value: ChannelWatch.State)] {
        let states = state.withLock { $0?.watch.states } ?? [:]
        return states.sorted { $0.key.text < $1.key.text }
    }

    /// - Returns: whether any of the changes is new.
    @discardableResult
    private func tell(_ channel: ChannelID, _ change: (inout ChannelWatch) -> [HealthChange]) -> Bool {
        // Reported under the lock, so that the later of two changes also arrives later at the board.
        state.withLock { state in
            guard var tested = state else { return false }
            let wasLive = tested.watch.isLive(channel)
            let changes = change(&tested.watch)
            state = tested
            let isLiveNow = tested.watch.isLive(channel)
            if isLiveNow != wasLive { isLive(channel, isLiveNow) }
            return changes.map { health.set($0.condition, $0.holds) }.contains(true)
        }
    }
}
