import GatewayModel
import SOSLocal

/// What the channels have taken and not answered yet, oldest first. A crash loses it, as memory is lost.
struct Mail: Hashable, Sendable {
    private struct Item: Hashable, Sendable {
        let channel: ChannelID
        let alarm: AlarmID
    }

    private var orders: [Item] = []
    private var lastWords: [Item] = []
    private var justTaken: [Item] = []

    var oldestOrder: (ChannelID, AlarmID)? { orders.first.map { ($0.channel, $0.alarm) } }
    var oldestLastWord: (ChannelID, AlarmID)? { lastWords.first.map { ($0.channel, $0.alarm) } }

    mutating func note(_ action: SOSAction) {
        switch action {
        case .dispatch(let order):
            for channel in order.channels {
                let item = Item(channel: channel, alarm: order.alarm)
                if !orders.contains(item) { orders.append(item) }
                justTaken.append(item)
            }
        case .retract(let retraction):
            for channel in retraction.channels {
                let item = Item(channel: channel, alarm: retraction.alarm)
                orders.removeAll { $0 == item }
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

    mutating func answered(_ channel: ChannelID, _ alarm: AlarmID) {
        orders.removeAll { $0 == Item(channel: channel, alarm: alarm) }
    }

    mutating func answeredLastWord(_ channel: ChannelID, _ alarm: AlarmID) {
        lastWords.removeAll { $0 == Item(channel: channel, alarm: alarm) }
    }
}
