import GatewayModel
import HelpLine
import HouseAlarm
import Hub
import Logging
import RealTime
import SOSLocal

/// Reports the results of calls to the SOS machine, which informs the other parts, and to the observers. Its methods
/// may be called from any thread and return at once.
struct CallReports: Sendable {
    let inbox: SOSInbox
    let feed: Feed
    let health: ChannelHealth
    let notices: NoticeOutcomes
    let log: Logger

    func reports(of channel: ChannelID) -> ChannelReports {
        ChannelReports(
            about: { tell(channel, $0) }, tested: { health.tested(channel, $0) },
            noticed: { [notices] in notices.put($0, channel, $1) })
    }

    func tell(_ channel: ChannelID, _ word: ChannelEvent) {
        inbox.submit(.channel(channel, word), at: Clock.boot())
        health.heard(channel, word)
    }

    /// Reports that a message was given to a channel.
    func given(_ message: HelpMessage, _ channel: ChannelID) {
        switch message {
        case .call(let order, _): feed.record(.dispatch(order, through: channel, at: Clock.moment()))
        case .retraction(let retraction, _):
            feed.record(.cancelled(retraction, through: channel, at: Clock.moment()))
        }
    }

    func withheld(_ message: HelpMessage, reason: String) {
        feed.put(.notCalled(message.alarm, of: message.profile.id, why: reason, at: Clock.moment()))
        log.critical("nobody was called", metadata: ["alarm": "\(message.alarm)", "reason": "\(reason)"])
    }
}
