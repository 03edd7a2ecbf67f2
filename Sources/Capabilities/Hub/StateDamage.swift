package import GatewayModel
package import Logging
package import Vault

/// Reports damaged files of the state directory: a health condition for each file, and the details in the log. From any
/// thread.
///
/// A report never stops anything: the damaged file was set aside, and another one is in use.
package struct StateDamage: Sendable {
    package let health: HealthBoard
    package let log: Logger

    package func report(_ file: StateFileName, _ failure: DiskFailure) {
        report(file, because: failure.description, asidePath: failure.asidePath)
    }

    package func report(_ file: StateFileName, because reason: String, asidePath: String? = nil) {
        let code: HealthCode = file == .devices ? .devicesDamaged : .storageDamaged
        health.set(HealthCondition(code, subject: file.rawValue), true)
        var metadata: Logger.Metadata = ["file": "\(file.rawValue)", "reason": "\(reason)"]
        if let asidePath { metadata["set_aside"] = "\(asidePath)" }
        log.critical("\(file.loss)", metadata: metadata)
    }

    /// Changes of a database that are gone. A power cut takes what was not synced yet: that is no damage.
    package func report(_ file: StateFileName, _ loss: StateMarks.Loss) {
        switch loss {
        case .damage(let changes):
            report(file, because: "the last changes are missing, or the file was emptied: \(changes) are gone")
        case .powerCut(let changes):
            log.notice(
                "a power cut took the last changes",
                metadata: ["file": "\(file.rawValue)", "changes": "\(changes)"])
        }
    }

    /// Reports an event of `state.sqlite`.
    package func report(_ event: StateDatabase.Report) {
        switch event {
        case .damage(let failure): report(.state, failure)
        case .loss(let loss): report(.state, loss)
        case .imported(let file):
            log.notice(
                "the state of an earlier version was taken over into state.sqlite",
                metadata: ["file": "\(file)"])
        case .notImported(let failure):
            log.error("the state of an earlier version cannot be read", metadata: ["reason": "\(failure)"])
        }
    }

    package init(health: HealthBoard, log: Logger) {
        self.health = health
        self.log = log
    }
}

extension HealthCondition {
    /// The consequence of the damage that it tells of, with a space before it; empty for other conditions.
    package var damageWords: String {
        guard code == .storageDamaged else { return "" }
        return subject.flatMap(StateFileName.init).map { " \($0.loss)." } ?? ""
    }
}
