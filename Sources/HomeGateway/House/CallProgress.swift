import GatewayModel
import HouseAlarm
import SOSLocal

/// From what the machine does to what the house is told of how far a call for help has come: each step once. Pure.
struct CallProgress {
    private struct Call {
        var isArrived = false
        var failed: Set<ChannelID> = []
    }

    private let ways: [PersonID: WaysToHelp]
    /// Those for whom help was called, not only warned.
    private var calls: [AlarmID: Call] = [:]

    /// - Parameter ways: of every person of the house.
    init(ways: [PersonID: WaysToHelp]) {
        self.ways = ways
    }

    mutating func word(after action: SOSAction) -> HouseWord? {
        switch action {
        case .dispatch(let order) where order.stage == .pending && order.round == 1:
            return .progress(order.alarm, .noticeGiven)
        case .dispatch(let order) where order.stage == .confirmed && calls[order.alarm] == nil:
            calls[order.alarm] = Call()
            return .progress(order.alarm, .called)
        case .noteProgress(let alarm, .channel(_, .handedOver(_, .confirmed)), _):
            guard calls[alarm]?.isArrived == false else { return nil }
            calls[alarm]?.isArrived = true
            return .progress(alarm, .arrived)
        case .noteFailure(let notice, let channel, _, isLastWord: false):
            return failure(of: channel, notice)
        case .noteEnding(let notice, _, _):
            calls[notice.alarm] = nil
            return nil
        default: return nil
        }
    }

    /// Not reached is who has failed by every way: while another is tried, help may be reached yet.
    private mutating func failure(of channel: ChannelID, _ notice: AlarmNotice) -> HouseWord? {
        guard var call = calls[notice.alarm], !call.isArrived else { return nil }
        let told = Set(ways[notice.person]?.told(of: notice.priority) ?? [])
        let isNews = call.failed.insert(channel).inserted
        calls[notice.alarm] = call
        return isNews && call.failed.isSuperset(of: told) ? .progress(notice.alarm, .notReached) : nil
    }
}
