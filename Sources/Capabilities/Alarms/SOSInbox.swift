package import GatewayModel
import Hub
package import RealTime
package import SOSLocal

/// How every thread speaks to the SOS thread: never waits, never fills, nothing dropped.
package final class SOSInbox: Sendable {
    package enum Item: Sendable {
        case event(SOSEvent)
        case request(SOSEvent, reply: @Sendable ([SOSAction]) -> Void)
        case inspection(reply: @Sendable ([Alarm]) -> Void)
        case stop
    }

    package struct Stamped: Sendable {
        package let item: Item
        package let instant: BootInstant

        package init(item: Item, instant: BootInstant) {
            self.item = item
            self.instant = instant
        }
    }

    package let mailbox: Mailbox<Stamped>
    /// Limits by which the rules judge, for other threads.
    package let limits = LimitsInForce()
    /// Channels that are known to be dead, for other threads.
    package let deadChannels = DeadChannels()

    package init() throws {
        mailbox = try Mailbox()
    }

    /// - Parameter instant: when it happened.
    package func submit(_ event: SOSEvent, at instant: BootInstant) {
        mailbox.put(Stamped(item: .event(event), instant: instant))
        limits.follow(event)
        deadChannels.follow(event, at: instant)
    }

    /// As `submit`. `reply` gets the actions that followed, on the SOS thread; it must return at once.
    package func ask(
        _ event: SOSEvent, at instant: BootInstant, reply: @escaping @Sendable ([SOSAction]) -> Void
    ) {
        mailbox.put(Stamped(item: .request(event, reply: reply), instant: instant))
    }

    /// Tells the open alarms, on the SOS thread; `reply` must return at once.
    package func inspect(at instant: BootInstant, reply: @escaping @Sendable ([Alarm]) -> Void) {
        mailbox.put(Stamped(item: .inspection(reply: reply), instant: instant))
    }

    package func stop(at instant: BootInstant) {
        mailbox.put(Stamped(item: .stop, instant: instant))
    }
}
