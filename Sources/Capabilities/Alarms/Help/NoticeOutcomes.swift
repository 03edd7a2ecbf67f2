import GatewayModel
import HelpLine
import Synchronization

/// Outcomes of notices, reported by the channels and taken by the part that sends them. From any thread.
final class NoticeOutcomes: Sendable {
    /// A lost outcome costs one more attempt.
    private static let limit = 1_024

    private let waiting = Mutex<[(NoticeMessage, ChannelID, NoticeOutcome)]>([])

    func put(_ notice: NoticeMessage, _ channel: ChannelID, _ outcome: NoticeOutcome) {
        waiting.withLock { waiting in
            if waiting.count >= Self.limit { waiting.removeFirst() }
            waiting.append((notice, channel, outcome))
        }
    }

    func take() -> [(NoticeMessage, ChannelID, NoticeOutcome)] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}
