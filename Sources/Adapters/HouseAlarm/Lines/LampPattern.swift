import GatewayModel
import SOSLocal

/// How the lamp shows a priority, in the manner of IEC 60601-1-8, table 2 (1.4-2.8 Hz at high, 0.4-0.8 Hz at
/// medium, steady at low priority; unconfirmed but for a ventilator's 2 Hz with half of it on).
struct LampPattern: Hashable, Sendable {
    /// Half of a flash: so long on, so long off. Nil for steady light.
    let half: Duration?

    init(_ priority: AlarmPriority) {
        switch priority {
        case .high: half = .milliseconds(250)
        case .medium: half = .seconds(1)
        case .low: half = nil
        }
    }

    /// On first: it is seen at once.
    func isLit(after elapsed: Duration) -> Bool {
        guard let half else { return true }
        return (elapsed.wholeNanoseconds / half.wholeNanoseconds).isMultiple(of: 2)
    }

    /// From `elapsed` to the next change; nil for never.
    func untilChange(after elapsed: Duration) -> Duration? {
        half.map { .nanoseconds($0.wholeNanoseconds - elapsed.wholeNanoseconds % $0.wholeNanoseconds) }
    }
}
