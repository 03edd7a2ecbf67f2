package import Consent
package import GatewayModel
package import SOSLocal

extension Verb {
    /// A verb without fields of its own.
    package struct ByCaller: VerbFields {
        package var caller: Caller
        package var scope: ControlScope { ControlScope() }

        package init(by caller: String? = nil) { self.caller = Caller(caller) }

        package init(from decoder: any Decoder) throws { caller = try ControlFields(decoder).caller }

        package func encode(to encoder: any Encoder) throws {
            var fields = encoder.fields()
            try fields.put("by", caller.name)
        }
    }

    /// An act for a person.
    package struct OnPerson: VerbFields {
        package let person: PersonID
        package var caller: Caller
        package var scope: ControlScope { ControlScope(person: person) }

        package init(person: String?, by caller: String?) throws(ControlError) {
            self.person = try ControlField.person.id(person)
            self.caller = Caller(caller)
        }

        package init(from decoder: any Decoder) throws {
            let fields = try ControlFields(decoder)
            (person, caller) = (try fields.person, try fields.caller)
        }

        package func encode(to encoder: any Encoder) throws {
            var fields = encoder.fields()
            try fields.put("person", person.text)
            try fields.put("by", caller.name)
        }
    }

    /// An act on a wearable.
    package struct OnWearable: VerbFields {
        package let device: DeviceID
        package var caller: Caller
        package var scope: ControlScope {
            var scope = ControlScope()
            scope.wearable = device
            return scope
        }

        package init(_ device: DeviceID, by caller: String? = nil) {
            (self.device, self.caller) = (device, Caller(caller))
        }

        package init(from decoder: any Decoder) throws {
            let fields = try ControlFields(decoder)
            (device, caller) = (try fields.wearable, try fields.caller)
        }

        package func encode(to encoder: any Encoder) throws {
            var fields = encoder.fields()
            try fields.put("subject", device.text)
            try fields.put("by", caller.name)
        }
    }

    /// End of an alarm, or its acceptance.
    package struct AlarmEnd: VerbFields {
        /// Maximum number of characters of a reason.
        private static let reasonLength = 120

        /// The alarm, the person with the alarm, or nil of both for the only open alarm.
        package let alarm: AlarmID?
        package private(set) var person: PersonID?
        /// Words on how the alarm was dealt with; nil where none were given.
        package let reason: String?
        package var caller: Caller

        package init(
            alarm: String?, person: String?, reason: String? = nil, by caller: String?
        ) throws(ControlError) {
            self.alarm = try ControlField.alarmID(alarm)
            let reason = reason.map { Shown.text($0, most: Self.reasonLength) } ?? ""
            self.reason = reason.isEmpty ? nil : reason
            self.person = try ControlField.person.optionalID(person)
            self.caller = Caller(caller)
        }

        package init(from decoder: any Decoder) throws {
            let fields = try ControlFields(decoder)
            try self.init(
                alarm: try fields["alarm"], person: try fields["person"], reason: try fields["reason"],
                by: try fields["by"])
        }

        package func encode(to encoder: any Encoder) throws {
            var fields = encoder.fields()
            try fields.put("alarm", alarm?.description)
            try fields.put("person", person?.text)
            try fields.put("reason", reason)
            try fields.put("by", caller.name)
        }

        package var target: AlarmTarget {
            alarm.map { .alarm($0) } ?? person.map { .person($0) } ?? .theOpenOne
        }

        package var scope: ControlScope {
            var scope = ControlScope(person: person)
            (scope.alarm, scope.hasReason) = (alarm, reason != nil)
            return scope
        }

        package func about(_ person: PersonID) -> Self {
            var end = self
            if alarm == nil { end.person = person }
            return end
        }
    }

    /// Decision about a policy or about a request of a third party.
    package struct Decision: VerbFields {
        package enum Subject: Hashable, Sendable {
            case policy(ConsentSubject, of: PersonID)
            /// The request names its person itself; a person that is given has to be that one.
            case request(RequestID, of: PersonID?)
        }

        package private(set) var subject: Subject
        package var caller: Caller
        /// Digits of a decision at the room's screen. They are not kept.
        private let pin: String?

        package init(
            subject: String?, person: String?, by caller: String?, pin: String? = nil
        ) throws(ControlError) {
            let known = ConsentSubject.allCases.map(\.rawValue).joined(separator: ", ")
            let field = ControlField(
                "subject", expected: "\(known) or the id of a request", remedy: "see: homegateway consent list")
            let text = try field.text(subject)
            if let policy = ConsentSubject(rawValue: text) {
                self.subject = .policy(policy, of: try ControlField.person.id(person))
            } else {
                let request: RequestID = try field.value(text) { RequestID($0) }
                self.subject = .request(request, of: try ControlField.person.optionalID(person))
            }
            self.caller = Caller(caller)
            self.pin = pin
        }

        package init(from decoder: any Decoder) throws {
            let fields = try ControlFields(decoder)
            try self.init(
                subject: try fields["subject"], person: try fields["person"], by: try fields["by"],
                pin: try fields["pin"])
        }

        package func encode(to encoder: any Encoder) throws {
            var fields = encoder.fields()
            switch subject {
            case .policy(let policy, let person):
                try fields.put("subject", policy.rawValue)
                try fields.put("person", person.text)
            case .request(let id, let person):
                try fields.put("subject", id.text)
                try fields.put("person", person?.text)
            }
            try fields.put("by", caller.name)
            try fields.put("pin", pin)
        }

        package var scope: ControlScope {
            var scope = ControlScope()
            switch subject {
            case .policy(_, let person): scope.person = person
            case .request(let id, let person): (scope.decided, scope.person) = (id, person)
            }
            scope.pin = pin
            return scope
        }

        /// A request of a third party is then refused where it is about somebody else.
        package func about(_ person: PersonID) -> Self {
            guard case .request(let id, nil) = subject else { return self }
            var decision = self
            decision.subject = .request(id, of: person)
            return decision
        }
    }

    /// Decision about limits that a command wants to widen.
    package struct LimitDecision: VerbFields {
        package let person: PersonID
        package let kind: QuantityKind
        package var caller: Caller
        /// As in `Decision`.
        private let pin: String?

        package init(
            person: String?, kind: String?, by caller: String?, pin: String? = nil
        ) throws(ControlError) {
            self.person = try ControlField.person.id(person)
            self.kind = try ControlField.kind.value(kind) { QuantityKind(rawValue: $0) }
            self.caller = Caller(caller)
            self.pin = pin
        }

        package init(from decoder: any Decoder) throws {
            let fields = try ControlFields(decoder)
            try self.init(
                person: try fields["person"], kind: try fields["kind"], by: try fields["by"],
                pin: try fields["pin"])
        }

        package func encode(to encoder: any Encoder) throws {
            var fields = encoder.fields()
            try fields.put("person", person.text)
            try fields.put("kind", kind.rawValue)
            try fields.put("by", caller.name)
            try fields.put("pin", pin)
        }

        package var scope: ControlScope {
            var scope = ControlScope(person: person)
            scope.pin = pin
            return scope
        }
    }
}

extension SharedVerb where Fields == Verb.ByCaller {
    package init(by caller: String? = nil) { self.init(Verb.ByCaller(by: caller)) }
}

extension SharedVerb where Fields == Verb.OnPerson {
    package var person: PersonID { fields.person }
    package init(person: String?, by caller: String?) throws(ControlError) {
        self.init(try Verb.OnPerson(person: person, by: caller))
    }
}

extension SharedVerb where Fields == Verb.OnWearable {
    package var device: DeviceID { fields.device }
    package init(_ device: DeviceID, by caller: String? = nil) {
        self.init(Verb.OnWearable(device, by: caller))
    }
}
