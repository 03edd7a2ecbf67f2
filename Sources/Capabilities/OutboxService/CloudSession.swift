package import GatewayModel
package import Hub
import Logging
package import MQTTBridge
import RealTime
package import ServiceLifecycle
import Settings
import Synchronization

/// Session with the TrackMe broker: sends the messages of the outbox, and gives received messages to their routes.
package final class CloudSession: Capability {
    package static let names = CapabilityNames(
        settings: ["broker", "outbox"],
        conditions: [.brokerUnreachable, .brokerRefused, .brokerSessionTaken, .brokerMisbehaves, .outboxFull],
        topics: ["status"])

    /// One topic of received messages, and the capability that handles them.
    package struct Route: Sendable {
        package enum Service: Sendable {
            /// At QoS 1: the broker keeps messages for an absent gateway.
            case kept
            /// At QoS 0, for news that are worth nothing later.
            case fleeting
            /// Not subscribed to; a subscription of an earlier run is given up.
            case ended
        }

        package let filter: String
        package let service: Service
        /// Subject of the condition that holds while the broker refuses the subscription.
        package let subject: String
        /// Handles a message, on the mqtt thread. Returns false where the topic is not its own.
        package let handle: @Sendable (InboundMessage) -> Bool

        package init(
            filter: String, subject: String, service: Service = .kept,
            handle: @escaping @Sendable (InboundMessage) -> Bool
        ) {
            (self.filter, self.subject, self.service, self.handle) = (filter, subject, service, handle)
        }
    }

    private let core: GatewayCore
    private let outbox: OutboxWriter
    private let delivery: OutboxDelivery
    private let routes: [Route]
    private let reportSession: @Sendable (_ isUp: Bool) -> Void
    private let brokerHealth = Mutex(BrokerHealth())
    /// An attempt was made without a look at the dates of the broker's certificate.
    private let hasSkippedDates = Mutex(false)

    private var queue: OutboundQueue { core.queue }
    private var health: HealthBoard { core.health }
    private var log: Logger { core.log }

    /// - Parameters:
    ///   - routes: in the order in which they are asked.
    ///   - reportSession: called when the session begins and ends; on the mqtt thread.
    package init(
        _ core: GatewayCore, outbox: OutboxWriter, delivery: OutboxDelivery, routes: [Route],
        reportSession: @escaping @Sendable (_ isUp: Bool) -> Void
    ) {
        (self.core, self.outbox, self.delivery, self.routes) = (core, outbox, delivery, routes)
        self.reportSession = reportSession
    }

    package var services: [any Service] {
        [
            BrokerService(core.broker) { [self] in
                try makeSession()
            } onFailure: { [self] reason in
                health.explain(HealthCondition(.brokerUnreachable), reason)
                health.set(HealthCondition(.brokerUnreachable), true)
                log.error("no session with the broker can be made", metadata: ["reason": "\(reason)"])
            }
        ]
    }

    /// A session that began without the time is made anew as soon as the clock is set: its broker has to show a certificate
    /// that has not ended.
    package var careTasks: [CareTask] {
        [
            CareTask { [self] _ in
                guard health.isClockSet,
                    hasSkippedDates.withLock({ skipped in
                        defer { skipped = false }
                        return skipped
                    })
                else { return }
                log.notice("the clock is set: the session with the broker is made anew, with the dates")
                core.broker.renew()
            }
        ]
    }

    package var statusLines: [String] {
        ["unsent messages: \(queue.unsent.map { "\($0)" } ?? "not counted yet")"]
    }

    // MARK: A person's data

    package func collectData(
        of person: PersonID, into data: PersonData,
        _ done: @escaping @Sendable (Result<PersonData, PersonDataFailure>) -> Void
    ) {
        outbox.count(of: person) { unsent in
            var data = data
            data.unsent = unsent
            done(.success(data))
        }
    }

    package func eraseData(of person: PersonID, _ done: @escaping @Sendable ([ErasureStep]) -> Void) {
        outbox.erase(readingsOf: person) { unsent in
            done([
                unsent.map { ErasureStep(isDone: true, line: "unsent readings: \($0) erased") }
                    ?? ErasureStep(
                        isDone: false, line: "unsent readings: NOT ERASED, the disk fails; ask again")
            ])
        }
    }

    // MARK: The session

    private func makeSession() throws -> BrokerSession {
        var settings = try BrokerSettings(from: core.settings())
        settings.will = { [status = core.status] in status.will }
        settings.checksDates = { [self] in
            let isSet = health.isClockSet
            if !isSet { hasSkippedDates.withLock { $0 = true } }
            return isSet
        }
        settings.fleetingFilters = Set(routes.filter { $0.service == .fleeting }.map(\.filter))
        settings.endedFilters = routes.filter { $0.service == .ended }.map(\.filter)
        // Until it connects: no condition would hold in the meantime.
        health.set(HealthCondition(.brokerUnreachable), true)
        reportSession(false)
        return try BrokerSession(
            settings: settings, subscriptions: routes.filter { $0.service != .ended }.map(\.filter),
            isolation: .ownProgram, source: delivery, receive: { [self] in receive($0) },
            onEvent: { [self] in handle($0) })
    }

    // MARK: On the mqtt thread

    private func handle(_ event: BrokerEvent) {
        for action in brokerHealth.withLock({ $0.actions(for: event) }) { perform(action) }
        switch event {
        case .connected(let welcome):
            record(welcome)
            queue.gather(within: core.settings().broker.gathering)
            delivery.connected(maximumPacket: welcome.gatheringLimit)
            reportSession(true)
            core.announceStatus()
        case .disconnected, .refused, .sessionTaken:
            reportSession(false)
        case .subscribed(let topic):
            log.info("subscribed", metadata: ["topic": "\(topic)"])
            health.set(subscriptionRefused(topic), false)
        case .subscriptionRefused(let topic, let reason):
            log.error("subscription refused", metadata: ["topic": "\(topic)", "reason": "\(reason)"])
            health.set(subscriptionRefused(topic), true)
        case .fault(let fault, let count):
            log.warning(
                "the broker sends what it must not",
                metadata: ["fault": "\(fault.rawValue)", "count": "\(count)"])
        case .held: break
        }
    }

    private func perform(_ action: BrokerHealth.Action) {
        switch action {
        case .set(let code, let holds): health.set(HealthCondition(code), holds)
        case .explain(let code, let reason): health.explain(HealthCondition(code), reason)
        case .log(let failure, let isNews):
            log.log(
                level: isNews ? .warning : .debug, "\(failure.message)",
                metadata: [
                    "reason": "\(failure.reason)", "remedy": "\(failure.remedy)",
                    "retry_in_ms": "\(failure.retryIn.wholeMilliseconds)",
                ])
        }
    }

    private func subscriptionRefused(_ topic: String) -> HealthCondition {
        HealthCondition(.brokerRefused, subject: routes.first { $0.filter == topic }?.subject)
    }

    private func record(_ welcome: Welcome) {
        let largest = welcome.maximumPacketSize.map { "\($0)" } ?? "unlimited"
        let expiry = welcome.sessionExpiry.map { "\($0.components.seconds)" } ?? "unknown"
        log.notice(
            "broker connected",
            metadata: [
                "broker": "\(welcome.broker)", "mqtt": "\(welcome.protocolVersion.rawValue)",
                "receive_maximum": "\(welcome.receiveMaximum)", "maximum_packet_bytes": "\(largest)",
                "session_present": "\(welcome.isSessionPresent)", "session_expiry_s": "\(expiry)",
            ])
        guard !welcome.keepsRetained else { return }
        log.warning("the broker keeps no retained messages: whoever subscribes later does not see the status")
    }

    /// A message may be acknowledged as soon as its route has it: see each route for the loss in a crash.
    ///
    /// A message that ended the gateway before is acknowledged and not handled: the broker would send it again
    /// at each start.
    private func receive(_ message: InboundMessage) -> InboundReceipt {
        if core.poison.isSetAside(.message, message.payload) { return .kept }
        let isHandled = core.poison.handle(.message, message.payload) {
            routes.contains { $0.handle(message) }
        }
        if !isHandled { log.warning("message on a topic this gateway did not ask for") }
        return .kept
    }
}

extension Welcome {
    /// Bytes of a packet with several readings; nil where the broker names no limit.
    ///
    /// A broker of MQTT 3.1.1 names none, and drops a packet that is too large although it acknowledges it. Gathered
    /// messages then stay in the range of the gateway's other messages.
    fileprivate var gatheringLimit: Int? { maximumPacketSize ?? (protocolVersion == .v5 ? nil : 2_048) }
}
