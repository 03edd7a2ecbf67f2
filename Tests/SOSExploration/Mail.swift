import GatewayModel
import SOSLocal

/// What the channels have taken and not answered yet, oldest first. A crash loses it, as memory is lost.
struct Mail: Hashable, Sendable {
    private struct Item: Hashable, Sendable {
        let channel: ChannelID
        let alarm: AlarmID
        /// Nil for a last word.
        let stage: DispatchStage?
    }

    struct Order {
        let channel: ChannelID
        let alarm: AlarmID
        let stage: DispatchStage
    }

    private var orders: [Item] = []
    private var lastWords: [Item] = []
    private var justTaken: [Item] = []

    var oldestOrder: Order? {
        orders.lazy.compactMap { item in
            item.stage.map { Order(channel: item.channel, alarm: item.alarm, stage: $0) }
        }.first
    }
    var oldestLastWord: (ChannelID, AlarmID)? { lastWords.first.map { ($0.channel, $0.alarm) } }

    mutating func note(_ action: SOSAction) {
        switch action {
        case .dispatch(let order):
            for channel in order.channels {
                let item = Item(channel: channel, alarm: order.alarm, stage: order.stage)
                if !orders.contains(item) { orders.append(item) }
                justTaken.append(item)
            }
        case .retract(let retraction):
            for channel in retraction.channels {
                let item = Item(channel: channel, alarm: retraction.alarm, stage: nil)
                orders.removeAll { $0.channel == channel && $0.alarm == retraction.alarm }
                if !lastWords.contains(item) { lastWords.append(item) }
            }
        default: break
        }
    }

    /// The orders that the channels have just taken, for their report of it; once.
    mutating func taken() -> [(ChannelID, AlarmID)] {
        defer { justTaken = [] }
        return justTaken.map { ($0.channel, $0.alarm) }
    }

    mutating func answered(_ order: Order) {
        orders.removeAll { $0 == Item(channel: order.channel, alarm: order.alarm, stage: order.stage) }
    }

    mutating func answeredLastWord(_ channel: ChannelID, _ alarm: AlarmID) {
        lastWords.removeAll { $0 == Item(channel: channel, alarm: alarm, stage: nil) }
    }
}
