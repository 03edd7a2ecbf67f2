import GatewayModel
import SOSLocal

/// An alarm that is open, as the house knows it.
struct OpenAlarm: Hashable, Sendable {
    /// What a person in the room may rely on.
    enum Help: Hashable, Sendable {
        case window(end: BootInstant, isNoticeGiven: Bool)
        case called
        case arrived
        case notReached
        /// Nobody outside is told of an alarm like this.
        case nobody
    }

    private(set) var notice: AlarmNotice
    private var progress: HelpProgress?

    init(_ notice: AlarmNotice) {
        self.notice = notice
    }

    mutating func hear(_ notice: AlarmNotice) {
        self.notice = notice
        progress = nil
    }

    mutating func hear(_ progress: HelpProgress) {
        self.progress = progress
    }

    /// A window that is over by the clock has ended, told or not: never said is a chance to cancel that is gone.
    func help(at now: BootInstant) -> Help {
        let isNoticed = notice.isNoticeGiven || progress == .noticeGiven
        if let end = notice.windowEnd, now < end, progress == nil || progress == .noticeGiven {
            return notice.call == .none ? .nobody : .window(end: end, isNoticeGiven: isNoticed)
        }
        switch progress {
        case .called: return .called
        case .arrived: return .arrived
        case .notReached: return .notReached
        case .noticeGiven, nil: break
        }
        switch notice.call {
        case .none: return .nobody
        case .notYet: return .called
        case .handedOver: return notice.windowEnd == nil ? .arrived : .called
        // At its first word an order has only just been given; at a repetition it has failed for a while.
        case .trying: return notice.windowEnd == nil && notice.repetition > 0 ? .notReached : .called
        }
    }
}
