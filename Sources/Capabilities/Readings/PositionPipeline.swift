package import Alarms
package import GatewayModel
package import Hub
package import Logging
package import Positioning
import SOSLocal

/// Way of a position through the gateway: the SOS rules, then all other consumers in the order of the list.
package final class PositionPipeline: Sendable {
    private let sos: SOSInbox
    private let health: HealthBoard
    private let log: Logger
    private let others: [any PositionConsumer]

    /// - Parameter others: consumers after SOS, called in this order.
    package init(sos: SOSInbox, health: HealthBoard, log: Logger, others: [any PositionConsumer]) {
        self.sos = sos
        self.health = health
        self.log = log
        self.others = others
    }

    /// Hands on an event of the box's own receiver. On the gpsd thread.
    package func consume(_ event: PositionEvent) {
        switch event {
        case .fix(let fix):
            sos.submit(.fix(fix), at: fix.arrival.boot)
            for consumer in others { consumer.consume(fix) }
            health.set(HealthCondition(.positionUnavailable), false)
        case .available:
            log.info("gpsd answers")
        case .unavailable(let reason):
            log.warning("no position", metadata: ["reason": "\(reason)"])
            health.set(HealthCondition(.positionUnavailable), true)
        }
    }

    /// Hands on a position of a wearable. On the Bluetooth thread.
    package func consume(_ position: WearablePosition) {
        sos.submit(.position(position), at: position.arrival.boot)
        health.set(HealthCondition(.undecodableReadings, subject: position.device.text), false)
        for consumer in others { consumer.consume(position) }
    }

    /// The receiver of a wearable has no fix. On the Bluetooth thread.
    package func consumeLostFix(of device: DeviceID, worn person: PersonID) {
        health.set(HealthCondition(.undecodableReadings, subject: device.text), false)
        for consumer in others { consumer.consumeLostFix(of: person) }
    }
}

/// Shows fixes of the box to those who watch the gateway.
package struct FixFeed: PositionConsumer {
    private let feed: Feed

    package init(_ feed: Feed) { self.feed = feed }

    package func consume(_ fix: Fix) { feed.put(.position(fix)) }
}
