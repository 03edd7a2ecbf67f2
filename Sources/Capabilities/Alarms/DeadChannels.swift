package import GatewayModel
import RealTime
import SOSLocal
import Synchronization

/// Channels that are known to be dead, as the machine learns of them. From any thread; the lock is held for a look-up.
package final class DeadChannels: Sendable {
    private struct State {
        var dead: Set<ChannelID> = []
        /// First word about each channel.
        var begins: [ChannelID: BootInstant] = [:]
        var wereLive: Set<ChannelID> = []
    }

    /// From the first word about a channel: a session with the broker takes 0.5 s after a start.
    private static let trial = Duration.seconds(5)

    private let state = Mutex(State())

    package var all: Set<ChannelID> { state.withLock(\.dead) }

    /// Those of `all` that were never live, and had no time to become so.
    package func untried(at now: BootInstant) -> Set<ChannelID> {
        state.withLock { state in
            state.dead.subtracting(state.wereLive).filter { channel in
                state.begins[channel].map { $0.duration(to: now) < Self.trial } ?? false
            }
        }
    }

    /// Called after each change with the channels before and after it, on the thread of the change; must return at once.
    typealias Handler = @Sendable (_ before: Set<ChannelID>, _ after: Set<ChannelID>) -> Void

    private let handler = Mutex<Handler?>(nil)

    func whenChanged(_ handle: @escaping Handler) { handler.withLock { $0 = handle } }

    func follow(_ event: SOSEvent, at now: BootInstant) {
        guard case .channelState(let channel, let isLive) = event else { return }
        let (before, after) = state.withLock { state in
            let before = state.dead
            state.begins[channel] = state.begins[channel] ?? now
            if isLive {
                state.dead.remove(channel)
                state.wereLive.insert(channel)
            } else {
                state.dead.insert(channel)
            }
            return (before, state.dead)
        }
        if before != after { handler.withLock(\.self)?(before, after) }
    }
}
