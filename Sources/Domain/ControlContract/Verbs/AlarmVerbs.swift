package import GatewayModel
package import SOSLocal

extension Verb {
    /// "I am fine".
    package struct Abort: SharedVerb {
        package static let verb = "abort"
        package static let rights: Rights = [.room: .own, .person: .own, .installer: .drills]
        package var fields: AlarmEnd
        package init(_ fields: AlarmEnd) { self.fields = fields }
    }

    /// "It is over".
    package struct Resolve: SharedVerb {
        package static let verb = "resolve"
        package static let rights: Rights = [
            .room: .own, .person: .own, .family: .ownWithReason, .carer: .own, .installer: .drills,
        ]
        package var fields: AlarmEnd
        package init(_ fields: AlarmEnd) { self.fields = fields }
    }

    /// A person takes the call: "I have it".
    package struct AcceptAlarm: SharedVerb {
        package static let verb = "accept_alarm"
        package static let rights: Rights = [.family: .own, .carer: .own]
        package var fields: AlarmEnd
        package init(_ fields: AlarmEnd) { self.fields = fields }
    }

    /// Call for help by a person, for themselves or for the person of their session.
    package struct CallHelp: ControlAct {
        package static let verb = "call_help"
        package static let rights: Rights = [.room: .own, .person: .own, .family: .own, .carer: .own]
        /// Nil where `alarm` names the person.
        package private(set) var person: PersonID?
        /// Alarm that was cancelled, and for which help is called after all.
        package let alarm: AlarmID?
        package var caller: Caller

        package init(person: String?, alarm: String?, by caller: String?) throws(ControlError) {
            self.person = try ControlField.person.optionalID(person)
            self.alarm = try ControlField.alarmID(alarm)
            self.caller = Caller(caller)
        }

        package init(from decoder: any Decoder) throws {
            let fields = try ControlFields(decoder)
            try self.init(person: try fields["person"], alarm: try fields["alarm"], by: try fields["by"])
        }

        package func encode(to encoder: any Encoder) throws {
            var fields = encoder.fields()
            try fields.put("person", person?.text)
            try fields.put("alarm", alarm?.description)
            try fields.put("by", caller.name)
        }

        package var scope: ControlScope {
            var scope = ControlScope(person: person)
            scope.earlierAlarm = alarm
            return scope
        }

        package func about(_ person: PersonID) -> Self {
            var call = self
            call.person = person
            return call
        }
    }

    /// Page of the alarms of a person, the newest first.
    package struct Alarms: ControlVerb {
        package typealias Document = AlarmHistory
        package static let verb = "alarms"
        package static let rights = Rights.readings
        package let person: PersonID
        package let from: WallTime
        /// Not included.
        package let to: WallTime
        /// Last alarm of the page before; nil for the first page.
        package let after: AlarmID?

        package init(person: PersonID, from: WallTime, to: WallTime, after: AlarmID? = nil) {
            (self.person, self.from, self.to, self.after) = (person, from, to, after)
        }

        package init(from decoder: any Decoder) throws {
            let fields = try ControlFields(decoder)
            self.init(
                person: try fields.person, from: try fields.time("from"), to: try fields.time("to"),
                after: try fields.alarm)
        }

        package func encode(to encoder: any Encoder) throws {
            var fields = encoder.fields()
            try fields.put("person", person.text)
            try fields.put("from", from.millisecondsSince1970)
            try fields.put("to", to.millisecondsSince1970)
            try fields.put("alarm", after?.description)
        }

        package var scope: ControlScope { ControlScope(person: person) }
    }

    /// Begins or ends the limits of exercise.
    package struct Exercise: ControlAct {
        package static let verb = "exercise"
        package static let rights = Rights.byThePerson
        package let person: PersonID
        /// Minutes from now; nil ends the exercise.
        package let minutes: Int?
        package var caller: Caller

        package init(person: String?, minutes: Int?, by caller: String?) throws(ControlError) {
            self.person = try ControlField.person.id(person)
            (self.minutes, self.caller) = (minutes, Caller(caller))
        }

        package init(from decoder: any Decoder) throws {
            let fields = try ControlFields(decoder)
            try self.init(person: try fields["person"], minutes: try fields["minutes"], by: try fields["by"])
        }

        package func encode(to encoder: any Encoder) throws {
            var fields = encoder.fields()
            try fields.put("person", person.text)
            try fields.put("minutes", minutes)
            try fields.put("by", caller.name)
        }

        package var scope: ControlScope { ControlScope(person: person) }
    }

    package struct Drill: SharedVerb {
        package static let verb = "drill"
        package static let rights = Rights.installers
        package var fields: OnPerson
        package init(_ fields: OnPerson) { self.fields = fields }
    }

    /// Lets the next press of a person's help button be a test.
    package struct TestButton: SharedVerb {
        package static let verb = "test_button"
        /// Roles in the house of the person: from afar nobody knows whether the next press is meant.
        package static let rights: Rights = [.room: .own, .person: .own, .installer: .any]
        package var fields: OnPerson
        package init(_ fields: OnPerson) { self.fields = fields }
    }

    /// A device was paired for the person: the house says so.
    package struct DevicePaired: SharedVerb {
        package static let verb = "device_paired"
        /// Asked by the console in the name of the new device.
        package static let rights = Rights.personal
        package var fields: OnPerson
        package init(_ fields: OnPerson) { self.fields = fields }
    }
}
