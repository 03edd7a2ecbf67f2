package import Alarms
package import Hub
package import OutboxService
package import RealTime
package import ServiceLifecycle
import Settings
import Systemd

/// Delays a shutdown of the box while an alarm is open, so that its call for help leaves before systemd stops the gateway.
///
/// It only asks logind for a lock. Nothing that decides about alarms or calls for help reads it, and it delays no call.
package final class ShutdownDelay: Capability {
    private let openAlarms: OpenAlarms
    private let lock: LogindLock

    /// Errors: the kernel has no descriptor left.
    package init(_ core: GatewayCore, openAlarms: OpenAlarms) throws(SystemCallError) {
        self.openAlarms = openAlarms
        lock = try LogindLock(on: BusAddress(core.settings().bluetooth.bus), log: core.log)
    }

    package var services: [any Service] { [ThreadService(run: lock.run, stop: lock.stop)] }

    /// Once a second: a shutdown in the first second of an alarm is not delayed. Help is then called at the next start.
    package var careTasks: [CareTask] {
        [CareTask { [self] _ in lock.set(openAlarms.count > 0) }]
    }
}
