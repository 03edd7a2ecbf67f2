package import GatewayModel

/// State of the help for one alarm: the facts from which voice, pages, `status`, the dashboard and other programs take
/// their sentence. No sentence is ahead of it.
package enum HelpState: Hashable, Sendable {
    /// The window to cancel runs. `knowing`: recipients that have acknowledged an early notice.
    case willBeCalled(at: WallTime, knowing: [Informed])
    /// The call was given to the ways of these recipients, and none has acknowledged it until now.
    case beingCalled(since: WallTime, [HelpRecipient])
    /// A machine of each recipient has acknowledged the call. Nobody has accepted it.
    case reached([Informed])
    /// A person has accepted the call, and nobody has ended the alarm since.
    case taken(by: String, at: WallTime)
    case nobodyIsCalled(Reason)
    /// No recipient has the call; the ways are tried on and on.
    case cannotBeCalled(Fault)
    /// `by`: nil where the gateway ended it, as it ends a drill.
    case over(by: String?, at: WallTime, Called)

    /// Recipient that has acknowledged a message.
    package struct Informed: Hashable, Sendable {
        package let recipient: HelpRecipient
        package let at: WallTime

        package init(_ recipient: HelpRecipient, at: WallTime) { (self.recipient, self.at) = (recipient, at) }
    }

    package enum Reason: String, CaseIterable, Hashable, Sendable {
        /// The person has not accepted AutomatedSOS.
        case termsNotAccepted = "terms-not-accepted"
        /// The plan names no channel for an alarm like this.
        case nobodyToTell = "nobody-to-tell"
    }

    package enum Fault: String, CaseIterable, Hashable, Sendable {
        /// Every way is known to be dead.
        case waysDead = "ways-dead"
        /// No way has acknowledged the call within `Promise.reportLimit`, or each has failed.
        case unanswered
    }

    /// Knowledge outside the house of an alarm that is over. A later case means that more has left the house.
    package enum Called: String, CaseIterable, Hashable, Sendable {
        case nobody
        /// A message was ordered, and no machine outside has acknowledged it: it may still arrive, and is then taken back.
        case unreached
        /// As `beingTold` and `informed`, where an early notice alone had arrived: help was not called.
        case noticeBeingTold = "notice-being-told"
        case noticeInformed = "notice-informed"
        /// Recipients of the call have still to learn that it is over.
        case beingTold = "being-told"
        case informed
    }
}

/// Recipient behind a channel, as people name it.
package struct HelpRecipient: Hashable, Sendable {
    /// Stands for the name where the settings give none.
    package enum Kind: String, CaseIterable, Hashable, Sendable { case desk, carers }

    package let name: String?
    package let kind: Kind

    package init(name: String? = nil, _ kind: Kind) { (self.name, self.kind) = (name, kind) }
}

/// Facts besides the alarm that decide on the state of its help.
package struct HelpFacts: Hashable, Sendable {
    /// The person has accepted AutomatedSOS.
    package let mayCall: Bool
    /// Channels that are known to be dead.
    package let dead: Set<ChannelID>
    /// Those of `dead` that have had no time to come up since the start: nothing is known against them.
    package let untried: Set<ChannelID>
    package let recipients: [ChannelID: HelpRecipient]

    package init(
        mayCall: Bool, dead: Set<ChannelID> = [], untried: Set<ChannelID> = [],
        recipients: [ChannelID: HelpRecipient] = [:]
    ) {
        (self.mayCall, self.dead, self.untried, self.recipients) = (mayCall, dead, untried, recipients)
    }
}

/// Whether help can be called for a person while no alarm is open.
package enum HelpReadiness: Hashable, Sendable {
    case ready
    case nobodyIsCalled(HelpState.Reason)
    case cannotBeCalled(HelpState.Fault)

    /// - Parameter channels: channels that are told of an emergency of the person.
    package init(_ channels: [ChannelID], _ facts: HelpFacts) {
        if !facts.mayCall {
            self = .nobodyIsCalled(.termsNotAccepted)
        } else if channels.isEmpty {
            self = .nobodyIsCalled(.nobodyToTell)
        } else {
            self = channels.allSatisfy(facts.dead.contains) ? .cannotBeCalled(.waysDead) : .ready
        }
    }
}
