import GatewayModel
package import HelpState
import SOSLocal

extension HouseSnapshot.Alarm {
    /// State of the help for an alarm: `HelpState` on the wire, and the times of its steps.
    package struct Help: Codable, Hashable, Sendable {
        /// Recipient of the early notice or of the call.
        package struct Recipient: Codable, Hashable, Sendable {
            /// As the settings name it; nil where a page says `desk` or `carers` in its own language.
            package let name: String?
            /// A `HelpRecipient.Kind`.
            package let kind: String
            /// Time of its acknowledgement; nil before.
            package let at: Int64?
        }

        /// `will-be-called`, `being-called`, `reached`, `taken`, `nobody`, `cannot-be-called` or `over`.
        package let state: String
        /// Time at which help will be called, was called, was taken, or the alarm ended.
        package let at: Int64?
        /// A `HelpState.Reason` or a `HelpState.Fault`.
        package let because: String?
        /// Person who has taken the call, or ended the alarm.
        package let by: String?
        /// Those that have acknowledged; of `being-called` those that are being called.
        package let recipients: [Recipient]
        /// A `HelpState.Called`, of `over`.
        package let told: String?
        /// Times of the steps: the call was ordered, a recipient acknowledged it, a person accepted it. Nil before.
        package let called, reached, answered: Int64?

        init(_ state: HelpState, of alarm: SOSLocal.Alarm) {
            let wall = { (instant: BootInstant) in alarm.cause.wall(of: instant).millisecondsSince1970 }
            var (at, because, by, told): (WallTime?, String?, String?, String?)
            var recipients: [Recipient] = []
            switch state {
            case .willBeCalled(let time, let knowing):
                (self.state, at, recipients) = ("will-be-called", time, knowing.map(Recipient.init))
            case .beingCalled(let time, let called):
                (self.state, at) = ("being-called", time)
                recipients = called.map { Recipient(name: $0.name, kind: $0.kind.rawValue, at: nil) }
            case .reached(let informed): (self.state, recipients) = ("reached", informed.map(Recipient.init))
            case .taken(let name, let time): (self.state, by, at) = ("taken", name, time)
            case .nobodyIsCalled(let reason): (self.state, because) = ("nobody", reason.rawValue)
            case .cannotBeCalled(let fault): (self.state, because) = ("cannot-be-called", fault.rawValue)
            case .over(let name, let time, let called):
                (self.state, by, at, told) = ("over", name, time, called.rawValue)
            }
            (self.at, self.because, self.by) = (at?.millisecondsSince1970, because, by)
            (self.recipients, self.told) = (recipients, told)
            // Such an order reaches nobody.
            let isWithheld = because.flatMap(HelpState.Reason.init) != nil
            called = isWithheld ? nil : alarm.timeline.callOrdered.map(wall)
            reached = alarm.timeline.callHandedOver.map(wall)
            if case .accepted(_, _, let instant) = alarm.ending {
                answered = wall(instant)
            } else {
                answered = nil
            }
        }

        /// Nil for a state of a later version.
        package var helpState: HelpState? {
            let time = at.map(WallTime.init(millisecondsSince1970:))
            let informed = recipients.compactMap(\.informed)
            switch state {
            case "will-be-called": return time.map { .willBeCalled(at: $0, knowing: informed) }
            case "being-called": return time.map { .beingCalled(since: $0, recipients.compactMap(\.recipient)) }
            case "reached": return .reached(informed)
            case "taken": return time.flatMap { time in by.map { .taken(by: $0, at: time) } }
            case "nobody": return because.flatMap(HelpState.Reason.init).map { .nobodyIsCalled($0) }
            case "cannot-be-called": return because.flatMap(HelpState.Fault.init).map { .cannotBeCalled($0) }
            case "over":
                return time.flatMap { time in
                    told.flatMap(HelpState.Called.init).map { .over(by: by, at: time, $0) }
                }
            default: return nil
            }
        }
    }
}

extension HouseSnapshot.Alarm.Help.Recipient {
    fileprivate init(_ informed: HelpState.Informed) {
        self.init(
            name: informed.recipient.name, kind: informed.recipient.kind.rawValue,
            at: informed.at.millisecondsSince1970)
    }

    fileprivate var recipient: HelpRecipient? {
        HelpRecipient.Kind(rawValue: kind).map { HelpRecipient(name: name, $0) }
    }

    fileprivate var informed: HelpState.Informed? {
        recipient.flatMap { recipient in
            at.map { HelpState.Informed(recipient, at: WallTime(millisecondsSince1970: $0)) }
        }
    }
}

extension HouseSnapshot.Person {
    /// Whether help can be called for a person.
    package struct Readiness: Codable, Hashable, Sendable {
        /// `ready`, `nobody` or `cannot-be-called`.
        package let state: String
        /// A `HelpState.Reason` or a `HelpState.Fault`; nil where it is ready.
        package let because: String?

        package init(_ readiness: HelpReadiness) {
            switch readiness {
            case .ready: (state, because) = ("ready", nil)
            case .nobodyIsCalled(let reason): (state, because) = ("nobody", reason.rawValue)
            case .cannotBeCalled(let fault): (state, because) = ("cannot-be-called", fault.rawValue)
            }
        }

        /// Nil for a state of a later version.
        package var readiness: HelpReadiness? {
            switch state {
            case "ready": .ready
            case "nobody": because.flatMap(HelpState.Reason.init).map { .nobodyIsCalled($0) }
            case "cannot-be-called": because.flatMap(HelpState.Fault.init).map { .cannotBeCalled($0) }
            default: nil
            }
        }
    }
}
