package import Alarms
package import GatewayModel
package import Hub
import SOSLocal

/// Way of a reading through the gateway: the SOS rules, then supervision, then all other consumers in the order of the list.
package final class ReadingPipeline: Sendable {
    private let sos: SOSInbox
    private let roster: DeviceRoster
    private let supervision: any WearableObserver
    private let others: [any ReadingConsumer]

    /// - Parameter others: consumers after SOS and supervision, called in this order.
    package init(
        sos: SOSInbox, roster: DeviceRoster, supervision: any WearableObserver, others: [any ReadingConsumer]
    ) {
        self.sos = sos
        self.roster = roster
        self.supervision = supervision
        self.others = others
    }

    /// Hands a reading to each consumer, on the thread that received it.
    package func consume(_ reading: Reading) {
        let policy = roster.policy
        // A kind that is switched off is dropped. It is still a sign of life.
        guard policy.keeps(reading) else { return supervision.observe(.reading(reading)) }
        if policy.countsForSOS(reading) { sos.submit(.reading(reading), at: reading.arrival.boot) }
        supervision.observe(.reading(reading))
        for consumer in others { consumer.consume(reading) }
    }

    /// Hands a reading of a program to each consumer but supervision: the program is no wearable that could be missed.
    ///
    /// - Parameter isJudged: the settings let the program's values go to the SOS rules. A kind that a wearable claims does
    ///   not go there all the same, and history never does.
    package func consume(ofProgram reading: Reading, isJudged: Bool) {
        if isJudged, reading.currency == .live, roster.policy.isUnclaimed(reading) {
            sos.submit(.reading(reading), at: reading.arrival.boot)
        }
        for consumer in others { consumer.consume(reading) }
    }
}

extension LastReadings: ReadingConsumer {
    package func consume(_ reading: Reading) { record(reading) }
}

/// Clears the conditions of a wearable for bytes that could not be decoded, and for a user without a name in the settings:
/// it has sent a reading since.
package struct DecodingHealth: ReadingConsumer {
    private let health: HealthBoard

    package init(_ health: HealthBoard) { self.health = health }

    package func consume(_ reading: Reading) {
        health.set(HealthCondition(.undecodableReadings, subject: reading.device.text), false)
        health.set(HealthCondition(.wearableUserUnnamed, subject: reading.device.text), false)
    }
}

/// Puts readings into the feed.
package struct ReadingFeed: ReadingConsumer {
    private let feed: Feed

    package init(_ feed: Feed) { self.feed = feed }

    package func consume(_ reading: Reading) { feed.put(.reading(reading)) }
}
