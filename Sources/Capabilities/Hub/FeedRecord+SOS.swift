import Contract
import GatewayModel
import HelpState
import SOSLocal

extension FeedRecord {
    static func reading(_ reading: Reading) -> FeedRecord {
        FeedRecord("reading", at: reading.arrival).with {
            $0.person = reading.person.text
            $0.device = reading.device.text
            $0.kind = reading.quantity.kind.rawValue
            // A value that the sensor disowns leaves in no message.
            $0.id = reading.isDisowned ? nil : reading.id.description
            $0.notJudged = reading.reasonNotToJudge?.rawValue
            $0.value = reading.quantity.value
            $0.unit = reading.quantity.kind.coding.unit
        }
    }

    static func position(_ fix: Fix) -> FeedRecord {
        FeedRecord("position", at: fix.arrival).with {
            $0.latitude = fix.coordinates.latitude
            $0.longitude = fix.coordinates.longitude
        }
    }

    static func health(_ condition: HealthCondition, isRaised: Bool, at moment: Moment) -> FeedRecord {
        FeedRecord("health", at: moment).with {
            $0.code = condition.code.rawValue
            $0.subject = condition.subject
            $0.raised = isRaised
            $0.title = condition.code.declaration.title.en
        }
    }

    static func dispatch(_ order: DispatchOrder, through channel: ChannelID, at moment: Moment)
        -> FeedRecord
    {
        FeedRecord("dispatch", at: moment).with {
            $0.alarm = order.alarm.description
            $0.person = order.person.text
            $0.channel = channel.text
            $0.stage = order.stage.rawValue
            $0.round = order.round
            $0.afterCrossingMs = order.cause.instant.duration(to: moment.boot).wholeMilliseconds
            $0.location = Place(order.location)
        }
    }

    static func cancelled(_ retraction: Retraction, through channel: ChannelID, at moment: Moment)
        -> FeedRecord
    {
        FeedRecord("cancelled", at: moment).with {
            $0.alarm = retraction.alarm.description
            $0.person = retraction.person.text
            $0.channel = channel.text
            $0.by = retraction.ending.act.by
            $0.text = retraction.ending.word
        }
    }

    static func notCalled(_ alarm: AlarmID, of person: PersonID, why: String, at moment: Moment)
        -> FeedRecord
    {
        FeedRecord("not-called", at: moment).with {
            $0.alarm = alarm.description
            $0.person = person.text
            $0.text = why
        }
    }

    /// Record of a decision of the alarm machine; nil for decisions that watchers do not see. The parts that carry out
    /// `dispatch` and `retract` put events of their own.
    init?(_ action: SOSAction, at moment: Moment) {
        switch action {
        case .noteCrossing(let crossing):
            self = FeedRecord("crossing", at: moment).about(.crossing(crossing))
        case .noteRecovery(let crossing):
            self = FeedRecord("recovered", at: moment).about(.crossing(crossing))
        case .annunciate(let notice):
            self = FeedRecord("alarm", at: moment).about(notice)
        case .noteProgress(let alarm, let event, let timeline):
            guard let progress = FeedRecord.progress(event, of: alarm, timeline, at: moment) else { return nil }
            self = progress
        case .noteEnding(let notice, let ending, _):
            self = FeedRecord(ending.word, at: moment).about(notice.cause).ended(notice.alarm, ending)
        case .noteClosing(let notice, let act):
            self = FeedRecord("closed", at: moment).about(notice.cause).with {
                $0.alarm = notice.alarm.description
                $0.by = act.by
            }
        case .refuse(let refusal):
            self = FeedRecord("refused", at: moment).with { $0.text = refusal.inWords }
        case .noteAllRight(let notice):
            self = FeedRecord("says-all-right", at: moment).about(notice)
        case .noteFailure(let notice, let channel, let reason, false):
            self = FeedRecord("call-failed", at: moment).about(notice).with {
                $0.channel = channel.text
                $0.text = reason
            }
        case .noteButtonTest(let person, let isOn):
            self = FeedRecord(isOn ? "button-test-begun" : "button-test-over", at: moment).with {
                $0.person = person.text
            }
        case .noteExercise(let person, let end):
            self = FeedRecord(end == nil ? "exercise-over" : "exercise", at: moment).with {
                $0.person = person.text
            }
        case .dispatch, .retract, .record, .noteUnjudged, .noteFailure, .noteUnreached:
            return nil
        }
    }

    private func about(_ cause: AlarmCause) -> FeedRecord {
        with {
            $0.person = cause.person.text
            $0.rule = cause.name
            guard let crossing = cause.crossing else { return }
            $0.device = crossing.reading.device.text
            $0.value = crossing.reading.quantity.value
            $0.unit = crossing.rule.kind.coding.unit
            $0.limit = crossing.rule.limit
        }
    }

    private func about(_ notice: AlarmNotice) -> FeedRecord {
        about(notice.cause).with {
            $0.alarm = notice.alarm.description
            $0.repetition = notice.repetition
            $0.confirmedAfterMs = notice.cause.instant.duration(to: notice.confirmation).wholeMilliseconds
            $0.abortWindowMs = notice.windowEnd.map {
                notice.confirmation.duration(to: $0).wholeMilliseconds
            }
        }
    }

    private static func progress(
        _ event: SOSEvent, of alarm: AlarmID, _ timeline: AlarmTimeline, at moment: Moment
    ) -> FeedRecord? {
        switch event {
        case .annunciated:
            FeedRecord("annunciated", at: moment).with {
                $0.alarm = alarm.description
                $0.afterConfirmationMs = timeline.confirmation.duration(to: moment.boot).wholeMilliseconds
            }
        case .channel(let channel, .handedOver(_, let stage)):
            FeedRecord("handed-over", at: moment).with {
                $0.alarm = alarm.description
                $0.channel = channel.text
                $0.stage = stage.rawValue
                $0.afterCrossingMs = timeline.crossing.duration(to: moment.boot).wholeMilliseconds
            }
        default:
            nil
        }
    }

    private func ended(_ alarm: AlarmID, _ ending: AlarmEnding) -> FeedRecord {
        with {
            $0.alarm = alarm.description
            $0.by = ending.act.by
            switch ending {
            case .aborted(_, _, let beforeDispatch): $0.beforeDispatch = beforeDispatch
            case .accepted(_, let channel, _): $0.channel = channel.text
            case .resolved, .lapsed: break
            }
        }
    }
}

extension FeedRecord {
    static func noOpenAlarm(at moment: Moment) -> FeedRecord {
        FeedRecord("no-open-alarm", at: moment).with { $0.text = OpenAlarmLines.none }
    }

    static func open(_ alarm: Alarm, _ help: HelpState, at moment: Moment) -> FeedRecord {
        FeedRecord("open-alarm", at: moment).with {
            $0.alarm = alarm.id.description
            $0.person = alarm.cause.person.text
            $0.rule = alarm.cause.name
            $0.text = OpenAlarmLines.line(of: alarm, help)
        }
    }
}
