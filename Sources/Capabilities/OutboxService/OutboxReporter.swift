package import Consent
package import Contract
package import GatewayModel
import Hub
import Logging
import RealTime
package import Settings
import Vault

/// Reports the outbox to the health board and the log: its disk, and messages that the broker does not accept.
package struct OutboxReporter: Sendable {
    private let queue: OutboundQueue
    private let damage: StateDamage
    private let topics: Topics
    private let reportGrantEnd: @Sendable (GrantRemains) -> Void

    private var health: HealthBoard { damage.health }
    private var log: Logger { damage.log }

    /// - Parameter reportGrantEnd: called on the outbox's thread, when no message by a grant leaves any more.
    package init(_ core: GatewayCore, reportGrantEnd: @escaping @Sendable (GrantRemains) -> Void) {
        (queue, damage, topics) = (core.queue, core.damage, core.topics)
        self.reportGrantEnd = reportGrantEnd
    }

    /// On the outbox's thread.
    package func report(_ report: OutboxWriter.Report) {
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
        case .unread(let reason):
            log.error(
                "messages that waited for the disk cannot be read",
                metadata: ["reason": "\(reason)"])
        case .gaveUp(let count, let reason):
            let isNews = reason == .quota && health.set(HealthCondition(.outboxFull), true)
            log.log(
                level: isNews ? .error : .info, "unsent readings were given up",
                metadata: ["count": "\(count)", "reason": "\(reason.rawValue)"])
        case .roomLeft: health.set(HealthCondition(.outboxFull), false)
        case .grantEnded(let remains): reportGrantEnd(remains)
        }
    }

    /// A message was acknowledged, refused or withheld. On the thread on which that happened.
    package func settled(_ envelope: Envelope, _ fate: OutboxDelivery.Fate) {
        let condition = HealthCondition(.brokerRefused, subject: "messages")
        switch fate {
        case .acknowledged: if !queue.isRefused { health.set(condition, false) }
        case .withheld, .outdated: break
        case .refused(let reason), .postponed(let reason):
            health.explain(condition, reason)
            if health.set(condition, true) {
                log.error("the broker does not take a message", metadata: ["reason": "\(reason)"])
            }
        }
        Self.replaceRefused(envelope, fate, in: queue, topics)
    }

    /// Enqueues a gap in the place of a reading that the broker has refused for good.
    static func replaceRefused(
        _ envelope: Envelope, _ fate: OutboxDelivery.Fate, in queue: OutboundQueue, _ topics: Topics
    ) {
        guard case .refused = fate, envelope.retention == .sample, let series = envelope.disclosure.series
        else { return }
        let arrival = envelope.arrived
        let gap = SampleGap(from: arrival, to: arrival, dropped: 1, kept: 0, reason: .refused)
        queue.enqueue(gap: gapMessage(gap, of: series, queue.gate, topics))
    }

    /// Message that tells of a gap.
    package static func gapMessage(
        _ gap: SampleGap, of series: SampleSeries, _ gate: ConsentGate, _ topics: Topics
    ) -> Envelope {
        let now = Clock.wall()
        return .gap(
            gap, of: series, answering: gate.request(answeredBy: series.disclosure), id: .random(at: now),
            at: now,
            topics: topics)
    }
}

extension OutboxWriter.Limits {
    package init(_ settings: GatewaySettings.Outbox) {
        self.init(group: settings.group, quota: settings.quota, age: settings.age)
    }
}
