import GatewayModel
import Hub
import Logging
import SOSLocal

/// The course of an alarm in the log: ids, rules and times, no person and no value.
struct AlarmLog: Sendable {
    private let log: Logger

    init(_ log: Logger) {
        self.log = log
    }

    func record(_ action: SOSAction, at instant: BootInstant) {
        switch action {
        case .annunciate(let notice) where notice.cause.isButtonTest:
            log.notice("a help button was pressed in its test", metadata: ["alarm": "\(notice.alarm)"])
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
                "first message left", metadata: milestone(alarm, channel, timeline.sinceCrossing(instant)))
        case .noteProgress(let alarm, .channel(let channel, .handedOver(_, let stage)), let timeline):
            log.notice(
                stage == .confirmed ? "call handed over" : "early notice handed over",
                metadata: milestone(alarm, channel, timeline.sinceCrossing(instant)))
            guard timeline.handedOver.count == 1 else { break }
            record(
                "help has it", alarm, timeline.handOverDelay, since: "crossing", limit: Promise.dispatchLimit)
        case .noteUnreached(let notice):
            log.error("no channel has the call", metadata: ["alarm": "\(notice.alarm)"])
        case .noteButtonTest(_, let isOn):
            log.notice("test of help buttons", metadata: ["is_on": "\(isOn)"])
        case .noteAllRight(let notice):
            log.notice("all right, by a button; the call stands", metadata: ["alarm": "\(notice.alarm)"])
        case .noteEnding(let notice, let ending, _):
            log.notice(
                "alarm over",
                metadata: [
                    "alarm": "\(notice.alarm)", "how": "\(ending.word)",
                    "means": "\(ending.act.means.rawValue)",
                ])
        case .noteClosing(let notice, let act):
            log.notice(
                "accepted alarm ended",
                metadata: ["alarm": "\(notice.alarm)", "means": "\(act.means.rawValue)"])
        case .noteFailure(let notice, let channel, let reason, let isLastWord):
            let metadata: Logger.Metadata = [
                "alarm": "\(notice.alarm)", "channel": "\(channel)", "reason": "\(reason)",
            ]
            if !isLastWord {
                log.error("a call for help failed", metadata: metadata)
            } else if notice.state.timeline.handedOver[channel] == nil {
                log.warning("end not told of a call that is not known to have arrived", metadata: metadata)
            } else {
                log.error("call not taken back", metadata: metadata)
            }
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
