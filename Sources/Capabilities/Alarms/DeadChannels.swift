package import GatewayModel
import RealTime
import SOSLocal
import Synchronization

/// Channels that are known to be dead, for the sentences about help. The lock is held for a look-up.
package final class DeadChannels: Sendable {
    /// Time that a channel has for its first session or test. Until then nothing is known of it, and nobody is told that it
    /// is dead; a call does not wait for it all the same.
    static let trial = Duration.seconds(5)

    private struct State {
        /// With the instant of the first word about each.
        var dead: [ChannelID: BootInstant] = [:]
        var wasLive: Set<ChannelID> = []
    }

    private let state = Mutex(State())

    package var all: Set<ChannelID> { all(at: Clock.boot()) }

    func all(at now: BootInstant) -> Set<ChannelID> {
        state.withLock { state in
            Set(
                state.dead.filter {
                    state.wasLive.contains($0.key) || $0.value.advanced(by: Self.trial) <= now
                }.keys)
        }
    }

    func follow(_ event: SOSEvent, at instant: BootInstant) {
        guard case .channelState(let channel, let isLive) = event else { return }
        state.withLock { state in
            if isLive {
                state.wasLive.insert(channel)
                state.dead[channel] = nil
            } else {
                state.dead[channel] = state.dead[channel] ?? instant
            }
        }
    }
}
