import Consent
import GatewayModel
import HelpLine
import Hub
import RealTime
import SOSLocal

/// Has each message cleared at the moment it is given to a channel, and gives it.
struct Switchboard: Sendable {
    let channels: [ChannelID: any HelpChannel]
    let profiles: [PersonID: PersonProfile]
    let gate: ConsentGate
    let reports: Dispatcher.Reports

    func carry(_ order: Dispatcher.Order) {
        switch order {
        case .dispatch(let order):
            guard let profile = profiles[order.person] else { return }
            send(.call(order, of: profile), through: order.channels)
        case .retract(let retraction):
            guard let profile = profiles[retraction.person] else { return }
            // Each alone: to those who know of the alarm it may go where to the others it may not.
            for channel in retraction.channels {
                send(.retraction(retraction.only(for: channel), of: profile), through: [channel])
            }
        }
    }

    private func send(_ message: HelpMessage, through ids: [ChannelID]) {
        for id in ids {
            guard let channel = channels[id] else {
                reports.about(id, message.failed(because: "no channel of this name is set up any more"))
                continue
            }
            let cleared = try? gate.discloseInEmergency(
                message, message: message.alarm.message, at: Clock.wall())
            guard let cleared else {
                reports.about(id, message.failed(because: Dispatcher.termsMissing))
                continue
            }
            // Told first: a broker may have acknowledged it before this thread gets further.
            reports.given(message, id)
            channel.send(cleared)
        }
        // Once for all channels and once an alarm: what is missing is the person's word, not a way.
        guard case .call(let order, _) = message, order.ordered == order.firstOrdered else { return }
        if !gate.holds(.automatedSOS, for: message.profile.id) {
            reports.withheld(message, Dispatcher.termsMissing)
        }
    }
}
