package import GatewayModel
package import Hub
import RealTime
import Synchronization
package import Vault

/// Wall clock of the box: raises the condition of a clock that cannot be right, and writes the time down while it is
/// believed.
package final class ClockMonitor: Sendable {
    /// Name of the last believed time among the marks of the state directory.
    private static let mark = "clock"

    private let setting: Mutex<ClockSetting>
    private let marks: StateMarks
    private let health: HealthBoard
    private let isTrusted: @Sendable () -> Bool

    /// - Parameter isTrusted: returns whether the clock has been synchronised for long enough to be believed.
    package init(marks: StateMarks, health: HealthBoard, isTrusted: @escaping @Sendable () -> Bool) {
        let latest = marks[Self.mark].map { WallTime(millisecondsSince1970: $0.sequence) }
        setting = Mutex(ClockSetting(built: Clock.built, latest: latest))
        (self.marks, self.health, self.isTrusted) = (marks, health, isTrusted)
    }

    /// Call once a second, on a thread that may wait for a disk.
    package func look(at now: Moment) {
        let isTrusted = isTrusted()
        let (isSet, time) = setting.withLock { setting in
            (
                setting.isSet(at: now.wall, isSynchronised: isTrusted || Clock.isSynchronised),
                setting.record(at: now, isTrusted: isTrusted)
            )
        }
        health.set(HealthCondition(.clockNotSet), !isSet)
        if let time { marks.note(Self.mark, time.millisecondsSince1970) }
    }
}
