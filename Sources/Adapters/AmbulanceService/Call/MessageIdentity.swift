import SOSLocal

/// Which message of which alarm: the same for every attempt of it, also after a restart.
struct MessageIdentity: Hashable, Sendable {
    let alarm: AlarmID
    private let step: String

    init(_ order: DispatchOrder) {
        alarm = order.alarm
        step = "\(order.stage.rawValue).\(order.round)"
    }

    init(_ retraction: Retraction) {
        alarm = retraction.alarm
        step = retraction.ending.word
    }

    /// `<alarm>.confirmed.2`, `<alarm>.aborted`: of the characters that CAP and HTTP headers let stand.
    var text: String { "\(alarm).\(step)" }
}
