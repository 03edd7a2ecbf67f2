package import GatewayModel
package import SOSLocal

extension HelpState {
    /// Derives the state of the help from an alarm, as of `now`.
    package init(of alarm: Alarm, _ facts: HelpFacts, at now: BootInstant) {
        if let ending = alarm.ending {
            self = Self.ended(alarm, ending, facts)
        } else if alarm.channels.isEmpty {
            self = .nobodyIsCalled(.nobodyToTell)
        } else if alarm.timeline.callHandedOver != nil {
            self = .reached(Self.informed(alarm.timeline.callReached ?? [:], of: alarm, facts))
        } else if !facts.mayCall {
            self = .nobodyIsCalled(.termsNotAccepted)
        } else if let end = alarm.windowEnd, now < end,
            !alarm.channels.allSatisfy(facts.dead.subtracting(facts.untried).contains)
        {
            self = .willBeCalled(
                at: alarm.cause.wall(of: end),
                knowing: Self.informed(alarm.timeline.handedOver, of: alarm, facts))
        } else if alarm.channels.allSatisfy(facts.dead.contains) {
            self = .cannotBeCalled(.waysDead)
        } else if alarm.isCallUnreached {
            self = .cannotBeCalled(.unanswered)
        } else {
            // A window that is over by the clock has ended: a chance to cancel that is gone is never offered.
            let since = alarm.timeline.callOrdered ?? alarm.windowEnd ?? now
            self = .beingCalled(
                since: alarm.cause.wall(of: since),
                Self.distinct(alarm.channelsTold.map { facts.recipient($0, of: alarm) }))
        }
    }

    private static func ended(_ alarm: Alarm, _ ending: AlarmEnding, _ facts: HelpFacts) -> HelpState {
        if case .accepted(let act, _, let at) = ending, alarm.closed == nil, !alarm.isTakenBack {
            return .taken(by: act.by, at: alarm.cause.wall(of: at))
        }
        let act = alarm.closed?.by ?? ending.act
        return .over(
            by: act.means == .gateway ? nil : act.by,
            at: alarm.cause.wall(of: alarm.closed?.at ?? ending.instant), called(alarm, facts))
    }

    private static func called(_ alarm: Alarm, _ facts: HelpFacts) -> Called {
        let line = alarm.timeline
        // Without the terms an order reaches no channel.
        let hasLeft = facts.mayCall || !line.dispatched.isEmpty || !line.handedOver.isEmpty
        guard !alarm.channelsTold.isEmpty, hasLeft else { return .nobody }
        if line.handedOver.isEmpty { return .unreached }
        if line.callOrdered == nil { return alarm.owesLastWord ? .noticeBeingTold : .noticeInformed }
        return alarm.owesLastWord ? .beingTold : .informed
    }

    /// The recipients of an alarm's channels that have acknowledged, the earliest first, each once.
    private static func informed(
        _ instants: [ChannelID: BootInstant], of alarm: Alarm, _ facts: HelpFacts
    ) -> [Informed] {
        var seen: Set<HelpRecipient> = []
        return instants.sorted { ($0.value, $0.key.text) < ($1.value, $1.key.text) }.compactMap {
            channel, instant in
            let recipient = facts.recipient(channel, of: alarm)
            guard seen.insert(recipient).inserted else { return nil }
            return Informed(recipient, at: alarm.cause.wall(of: instant))
        }
    }

    private static func distinct(_ recipients: [HelpRecipient]) -> [HelpRecipient] {
        recipients.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}

extension HelpFacts {
    /// An ambulance service is told of emergencies, and carers of warnings, where the settings say nothing.
    fileprivate func recipient(_ channel: ChannelID, of alarm: Alarm) -> HelpRecipient {
        let usual: HelpRecipient.Kind = alarm.priority == .high ? .desk : .carers
        guard let known = recipients[channel] else { return HelpRecipient(usual) }
        return known.name == nil && usual == .carers ? HelpRecipient(.carers) : known
    }
}
