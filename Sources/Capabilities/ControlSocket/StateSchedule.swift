import GatewayModel
import Hub

/// Instants at which followers get the state of the gateway. Pure.
///
/// A state replaces all earlier ones, so a burst of events costs one. An alarm must be on a screen within 250 ms.
struct StateSchedule {
    /// After an event of an alarm or a condition.
    static let urgentPause = Duration.milliseconds(40)
    /// After a reading: a person reads no faster.
    static let ordinaryPause = Duration.milliseconds(500)
    /// Without any event. A follower that hears nothing for three of these has lost the gateway.
    static let longestPause = Duration.seconds(1)

    /// Number of followers. A new one gets a state at once.
    var followers = 0 {
        didSet {
            if followers == 0 { (isUrgent, hasNews) = (false, false) }
            if followers > oldValue { (last, isUrgent) = (nil, true) }
        }
    }
    private var last: BootInstant?
    private var isUrgent = false
    private var hasNews = false
    private var isAsked = false

    mutating func record(_ event: FeedEvent) {
        switch event {
        case .reading, .position, .passing, .overdue, .runner: hasNews = true
        case .health, .decided, .dispatch, .cancelled, .notCalled, .open, .noOpenAlarm: isUrgent = true
        }
    }

    /// Returns whether a state is to be asked for now; the answer is then waited for.
    mutating func isDue(at now: BootInstant) -> Bool {
        guard pause(at: now) == .zero else { return false }
        (isUrgent, hasNews, isAsked) = (false, false, true)
        return true
    }

    mutating func arrived(at now: BootInstant) { (last, isAsked) = (now, false) }

    /// Time until the next state is due; nil while none is.
    func pause(at now: BootInstant) -> Duration? {
        guard followers > 0, !isAsked else { return nil }
        guard let last else { return .zero }
        let pause = isUrgent ? Self.urgentPause : hasNews ? Self.ordinaryPause : Self.longestPause
        return max(pause - last.duration(to: now), .zero)
    }
}
