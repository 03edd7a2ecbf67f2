import GatewayModel
import Hub
import RealTime
import SOSLocal

/// How every thread speaks to the SOS thread: never waits, never fills, nothing dropped.
final class SOSInbox: Sendable {
    enum Item: Sendable {
        case event(SOSEvent)
        case request(SOSEvent, reply: @Sendable ([SOSAction]) -> Void)
        case inspection(reply: @Sendable ([Alarm]) -> Void)
        case stop
    }

    struct Stamped: Sendable {
        let item: Item
        let instant: BootInstant
    }

    let mailbox: Mailbox<Stamped>

    init() throws {
        mailbox = try Mailbox()
    }

    /// - Parameter instant: when it happened.
    func submit(_ event: SOSEvent, at instant: BootInstant) {
        mailbox.put(Stamped(item: .event(event), instant: instant))
    }

    /// As `submit`, and tells on the SOS thread what came of it; `reply` must return at once.
    func ask(
        _ event: SOSEvent, at instant: BootInstant, reply: @escaping @Sendable ([SOSAction]) -> Void
    ) {
        mailbox.put(Stamped(item: .request(event, reply: reply), instant: instant))
    }

    /// Tells the open alarms, on the SOS thread; `reply` must return at once.
    func inspect(at instant: BootInstant, reply: @escaping @Sendable ([Alarm]) -> Void) {
        mailbox.put(Stamped(item: .inspection(reply: reply), instant: instant))
    }

    func stop(at instant: BootInstant) {
        mailbox.put(Stamped(item: .stop, instant: instant))
    }
}
