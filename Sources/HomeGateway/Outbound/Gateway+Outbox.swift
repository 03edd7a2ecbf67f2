import GatewayModel
import Hub
import Logging
import OutboxService
import Settings
import Vault

extension OutboxWriter.Limits {
    init(_ settings: GatewaySettings.Outbox) {
        self.init(group: settings.group, quota: settings.quota, age: settings.age)
    }
}

extension Gateway {
    /// What the disk of the outbox tells, for the health board and the log. On the outbox's thread.
    static func note(
        _ report: OutboxWriter.Report, on health: HealthBoard, _ damage: StateDamage, _ log: Logger
    ) {
        switch report {
        case .loaded(let stored):
            guard stored > 0 else { return }
            log.notice("unsent messages of an earlier run", metadata: ["count": "\(stored)"])
        case .disk(let failure):
            let isNews = health.set(
                HealthCondition(.storageUnavailable, subject: "outbox"), failure != nil)
            guard isNews, let failure else { return }
            log.error("the outbox's disk fails", metadata: ["reason": "\(failure)"])
        case .replaced(let salvage, let failure):
            damage.report(.outbox, because: failure.description, asidePath: salvage.asidePath)
            log.critical(
                "the outbox was damaged, and another one is begun",
                metadata: [
                    "reason": "\(failure)", "set_aside": "\(salvage.asidePath)",
                    "messages_saved": "\(salvage.saved)",
                ])
        case .lost(let loss): damage.report(.outbox, loss)
        case .unreadable(let count): damage.report(.outbox, because: "\(count) rows cannot be read")
        case .gaveUp(let count, let reason):
            let isNews = reason == .quota && health.set(HealthCondition(.outboxFull), true)
            log.log(
                level: isNews ? .error : .info, "unsent readings were given up",
                metadata: ["count": "\(count)", "reason": "\(reason.rawValue)"])
        case .roomLeft: health.set(HealthCondition(.outboxFull), false)
        case .grantEnded: break
        }
    }
}
