package import GatewayModel
import SOSLocal
import Synchronization

/// Channels that are known to be dead, as the machine learns of them. From any thread; the lock is held for a look-up.
package final class DeadChannels: Sendable {
    private let channels = Mutex<Set<ChannelID>>([])

    package var all: Set<ChannelID> { channels.withLock(\.self) }

    func follow(_ event: SOSEvent) {
        guard case .channelState(let channel, let isLive) = event else { return }
        channels.withLock { channels in
            if isLive { channels.remove(channel) } else { channels.insert(channel) }
        }
    }
}
