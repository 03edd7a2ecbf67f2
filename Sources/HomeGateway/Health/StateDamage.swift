import GatewayModel
import Logging
import Settings
import Vault

/// Reports damaged files of the state directory: a health condition for each file, and the details in the log. From any
/// thread.
///
/// A report never stops anything: the damaged file was set aside, and another one is in use.
struct StateDamage: Sendable {
    let health: HealthBoard
    let log: Logger

    func report(_ file: StateFileName, _ failure: DiskFailure) {
        report(file, because: failure.description, asidePath: failure.asidePath)
    }

    func report(_ file: StateFileName, because reason: String, asidePath: String? = nil) {
        let code: HealthCode = file == .devices ? .devicesDamaged : .storageDamaged
        health.set(HealthCondition(code, subject: file.rawValue), true)
        var metadata: Logger.Metadata = ["file": "\(file.rawValue)", "reason": "\(reason)"]
        if let asidePath { metadata["set_aside"] = "\(asidePath)" }
        log.critical("\(file.loss)", metadata: metadata)
    }

    /// Changes of a database that are gone. A power cut takes what was not synced yet: that is no damage.
    func report(_ file: StateFileName, _ loss: StateMarks.Loss) {
        switch loss {
        case .damage(let changes):
            report(file, because: "the last changes are missing, or the file was emptied: \(changes) are gone")
        case .powerCut(let changes):
            log.notice(
                "a power cut took the last changes",
                metadata: ["file": "\(file.rawValue)", "changes": "\(changes)"])
        }
    }
}

extension Gateway {
    /// The journal of alarms, looked through before anything is appended.
    static func alarmJournal(
        of gateway: GatewaySettings.Gateway, _ marks: StateMarks, _ damage: StateDamage
    ) -> AlarmJournal {
        let journal = AlarmJournal(of: gateway, marks: marks)
        do throws(DiskFailure) {
            if let failure = try journal.mend() { damage.report(.alarmJournal, failure) }
        } catch {
            damage.log.error("the alarm journal cannot be read", metadata: ["reason": "\(error)"])
        }
        return journal
    }
}

extension HealthCondition {
    /// The consequence of the damage that it tells of, with a space before it; empty for other conditions.
    var damageWords: String {
        guard code == .storageDamaged else { return "" }
        return subject.flatMap(StateFileName.init).map { " \($0.loss)." } ?? ""
    }
}
