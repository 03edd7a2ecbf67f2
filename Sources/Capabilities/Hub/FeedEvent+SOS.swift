import Contract
package import GatewayModel
package import SOSLocal

extension FeedEvent {
    package static func reading(_ reading: Reading) -> FeedEvent {
        FeedEvent("reading", at: reading.arrival).with {
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

    package static func position(_ fix: Fix) -> FeedEvent {
        FeedEvent("position", at: fix.arrival).with {
            $0.latitude = fix.coordinates.latitude
            $0.longitude = fix.coordinates.longitude
        }
    }

    package static func health(_ condition: HealthCondition, isRaised: Bool, at moment: Moment) -> FeedEvent {
        FeedEvent("health", at: moment).with {
            $0.code = condition.code.rawValue
            $0.subject = condition.subject
            $0.raised = isRaised
            $0.title = condition.code.declaration.title
        }
    }

    package static func dispatch(_ order: DispatchOrder, through channel: ChannelID, at moment: Moment)
        -> FeedEvent
    {
        FeedEvent("dispatch", at: moment).with {
            $0.alarm = order.alarm.description
            $0.person = order.person.text
            $0.channel = channel.text
            $0.stage = order.stage.rawValue
            $0.round = order.round
            $0.afterCrossingMs = order.cause.instant.duration(to: moment.boot).wholeMilliseconds
            $0.location = Place(order.location)
        }
    }

    package static func cancelled(_ retraction: Retraction, through channel: ChannelID, at moment: Moment)
        -> FeedEvent
    {
        FeedEvent("cancelled", at: moment).with {
            $0.alarm = retraction.alarm.description
            $0.person = retraction.person.text
            $0.channel = channel.text
            $0.by = retraction.ending.act.by
        }
    }

    package static func notCalled(_ alarm: AlarmID, of person: PersonID, why: String, at moment: Moment)
        -> FeedEvent
    {
        FeedEvent("not-called", at: moment).with {
            $0.alarm = alarm.description
            $0.person = person.text
            $0.text = why
        }
    }

    /// What the machine decided, where a watcher wants to see it; `dispatch` and `retract` are told by
    /// whoever performs them.
    package init?(_ action: SOSAction, at moment: Moment) {
        switch action {
        case .noteCrossing(let crossing):
            self = FeedEvent("crossing", at: moment).about(.crossing(crossing))
        case .noteRecovery(let crossing):
            self = FeedEvent("recovered", at: moment).about(.crossing(crossing))
        case .annunciate(let notice):
            self = FeedEvent("alarm", at: moment).about(notice)
        case .noteProgress(let alarm, let event, let timeline):
            guard let progress = FeedEvent.progress(event, of: alarm, timeline, at: moment) else { return nil }
            self = progress
        case .noteEnding(let notice, let ending, _):
            self = FeedEvent(ending.word, at: moment).about(notice.cause).ended(notice.alarm, ending)
        case .refuse(let refusal):
            self = FeedEvent("refused", at: moment).with { $0.text = refusal.inWords }
        case .noteFailure(let notice, let channel, let reason, false):
            self = FeedEvent("call-failed", at: moment).about(notice).with {
                $0.channel = channel.text
                $0.text = reason
            }
        case .dispatch, .retract, .record, .noteUnjudged, .noteFailure, .noteUnreached:
            return nil
        }
    }

    private func about(_ cause: AlarmCause) -> FeedEvent {
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

    private func about(_ notice: AlarmNotice) -> FeedEvent {
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
    ) -> FeedEvent? {
        switch event {
        case .annunciated:
            FeedEvent("annunciated", at: moment).with {
                $0.alarm = alarm.description
                $0.afterConfirmationMs = timeline.confirmation.duration(to: moment.boot).wholeMilliseconds
            }
        case .channel(let channel, .handedOver(_, let stage)):
            FeedEvent("handed-over", at: moment).with {
                $0.alarm = alarm.description
                $0.channel = channel.text
                $0.stage = stage.rawValue
                $0.afterCrossingMs = timeline.crossing.duration(to: moment.boot).wholeMilliseconds
            }
        default:
            nil
        }
    }

    private func ended(_ alarm: AlarmID, _ ending: AlarmEnding) -> FeedEvent {
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

extension Alarm.Refusal {
    /// For the person who asked.
    package var inWords: String {
        switch self {
        case .notDispatchedYet:
            "help has not been called yet for this alarm, so nobody can have accepted it"
        case .alreadyEnded(let ending):
            "this alarm is over already: \(ending.word) by \(ending.act.by)"
        case .alreadyRetracted:
            "everyone who was called has been told already that this alarm no longer holds"
        case .unknownAlarm:
            "no alarm of this id is known; see: homegateway status"
        case .nothingOpen:
            "there is no open alarm"
        case .notAllowed(let means):
            "an alarm of this person may not be ended this way (\(means.rawValue)); see may_end in the settings"
        case .unknownPerson(let person):
            "nobody of the id \(person) is watched here"
        case .emergencyOpen(let alarm):
            "alarm \(alarm) is open, and a drill beside it would confuse those who help: end it first"
        case .severalOpen(let persons, _):
            "alarms of several persons are open (\(persons.map(\.text).joined(separator: ", "))); "
                + "say whose with --person"
        }
    }
}
