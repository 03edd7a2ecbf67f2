import Consent
import GatewayModel
import HelpLine
import Hub
import Logging
import RealTime
import SOSLocal
import Synchronization

/// Carries the machine's orders to the channels, on a thread of its own: an order is cleared here and handed
/// to each channel it is for, so that none of it costs the SOS thread anything.
final class Dispatcher: Sendable {
    enum Order: Sendable {
        case dispatch(DispatchOrder)
        case retract(Retraction)
    }

    /// What becomes of orders, besides what the channels report. Called on the dispatch thread; return at
    /// once.
    struct Reports: Sendable {
        let about: @Sendable (ChannelID, ChannelWord) -> Void
        let given: @Sendable (HelpMessage, ChannelID) -> Void
        /// The consent is missing: nobody is told, and nobody will be.
        let withheld: @Sendable (HelpMessage, _ reason: String) -> Void
    }

    static let termsMissing = "the AutomatedSOS terms are not accepted"

    private let orders: Worker<Order>
    private let current: Current

    /// Channels and persons as they are now.
    private final class Current: Sendable {
        let switchboard: Mutex<Switchboard>
        init(_ switchboard: Switchboard) { self.switchboard = Mutex(switchboard) }
    }

    /// - Parameter profiles: of every person of the house.
    init(
        through channels: [any HelpChannel], profiles: [PersonProfile], gate: ConsentGate, reports: Reports
    ) throws {
        let current = Current(
            Switchboard(
                channels: Dictionary(channels.map { ($0.id, $0) }) { first, _ in first },
                profiles: Dictionary(profiles.map { ($0.id, $0) }) { first, _ in first }, gate: gate,
                reports: reports))
        self.current = current
        orders = try Worker("dispatch") { orders, _ in
            for order in orders { current.switchboard.withLock { $0 }.carry(order) }
        }
    }

    /// From now on these. From any thread.
    func replace(channels: [any HelpChannel], profiles: [PersonProfile]) {
        current.switchboard.withLock { old in
            old = Switchboard(
                channels: Dictionary(channels.map { ($0.id, $0) }) { first, _ in first },
                // A person who has left may still be owed the message that their alarm is over.
                profiles: old.profiles.merging(profiles.map { ($0.id, $0) }) { _, new in new }, gate: old.gate,
                reports: old.reports)
        }
    }

    /// From any thread, at once.
    func carry(_ order: Order) {
        orders.put(order)
    }

    func run() async throws {
        try await orders.run()
    }

    /// Ends after what was ordered before it.
    func stop() {
        orders.stop()
    }
}
