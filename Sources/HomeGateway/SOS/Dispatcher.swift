import RealTime
import SOSLocal

/// Carries the machine's orders to the channels, on a thread of its own: an order is encoded and cleared
/// here, so that neither costs the SOS thread anything. One channel so far, the broker.
final class Dispatcher: Sendable {
    enum Order: Sendable {
        case dispatch(DispatchOrder)
        case retract(Retraction)
    }

    private let orders: Worker<Order>

    init(through channel: MQTTChannel) throws {
        orders = try Worker("dispatch") { orders, _ in
            for order in orders {
                switch order {
                case .dispatch(let order): channel.dispatch(order)
                case .retract(let retraction): channel.retract(retraction)
                }
            }
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
