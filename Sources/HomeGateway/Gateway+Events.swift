import Alarms
import Consent
import Contract
import GatewayModel
import HouseAlarm
import Hub
import Logging
import MQTTBridge
import OutboxService
import Positioning
import Readings
import RealTime
import SOSLocal
import Settings
import Synchronization
import Wearables

// What each part reports, and where it goes. All of these are called on the reporter's own thread and
// return at once.
extension Gateway {
    // MARK: SOS thread

    func perform(_ action: SOSAction, at instant: BootInstant) {
        // The house first, after it the feed and the log.
        if let word = progress.withLock({ $0.word(after: action) }) { annunciator.say(word) }
        switch action {
        case .annunciate(let notice): buzzer.alarm(notice.person, isOn: true)
        case .dispatch(let order): dispatcher.carry(.dispatch(order))
        case .retract(let retraction): dispatcher.carry(.retract(retraction))
        case .noteEnding(let notice, _, _): buzzer.alarm(notice.person, isOn: false)
        case .record(let alarm):
            openAlarms.note(alarm)
            followed.setPersonsInAlarm(openAlarms.owners)
            drills.note(alarm, besides: openAlarms)
            keeper.record(alarm)
        default: break
        }
        feed.put(.decided(action, at: Moment(boot: instant, wall: Clock.wall())))
        record(action, at: instant)
    }

    /// The alarm's course in the log: ids, rules and times, no person and no value.
    private func record(_ action: SOSAction, at instant: BootInstant) {
        switch action {
        case .annunciate(let notice):
            log.critical(
                "alarm",
                metadata: [
                    "alarm": "\(notice.alarm)", "rule": "\(notice.cause.name)",
                    "repetition": "\(notice.repetition)",
                ])
        case .noteProgress(let alarm, .annunciated, let timeline):
            record(
                "alarm sounded", alarm, timeline.alarmDelay, since: "confirmation", limit: Promise.alarmLimit)
        case .noteProgress(let alarm, .channel(let channel, .dispatched), let timeline)
        where timeline.dispatched.count == 1:
            log.notice(
                "help called", metadata: milestone(alarm, channel, timeline.sinceCrossing(instant)))
        case .noteProgress(let alarm, .channel(let channel, .handedOver(_, let stage)), let timeline):
            log.notice(
                stage == .confirmed ? "call handed over" : "early notice handed over",
                metadata: milestone(alarm, channel, timeline.sinceCrossing(instant)))
            guard timeline.handedOver.count == 1 else { break }
            record(
                "help has it", alarm, timeline.handOverDelay, since: "crossing", limit: Promise.dispatchLimit)
        case .noteUnreached(let notice):
            log.error("no channel has the call", metadata: ["alarm": "\(notice.alarm)"])
        case .noteEnding(let notice, let ending, _):
            log.notice(
                "alarm over",
                metadata: [
                    "alarm": "\(notice.alarm)", "how": "\(ending.word)",
                    "means": "\(ending.act.means.rawValue)",
                ])
        case .noteFailure(let notice, let channel, let reason, let isLastWord):
            log.error(
                isLastWord ? "call not taken back" : "a call for help failed",
                metadata: ["alarm": "\(notice.alarm)", "channel": "\(channel)", "reason": "\(reason)"])
        case .refuse(let refusal):
            log.warning("request about an alarm refused", metadata: ["reason": "\(refusal.inWords)"])
        default: break
        }
    }

    private func milestone(_ alarm: AlarmID, _ channel: ChannelID, _ delay: Duration) -> Logger.Metadata {
        ["alarm": "\(alarm)", "channel": "\(channel)", "ms_since_crossing": "\(delay.wholeMilliseconds)"]
    }

    private func record(
        _ what: Logger.Message, _ alarm: AlarmID, _ delay: Duration?, since: String, limit: Duration
    ) {
        guard let delay else { return }
        log.log(
            level: delay <= limit ? .notice : .error, what,
            metadata: [
                "alarm": "\(alarm)", "ms_since_\(since)": "\(delay.wholeMilliseconds)",
                "limit_ms": "\(limit.wholeMilliseconds)",
            ])
    }
}
