package import GatewayModel

extension Verb {
    package struct Accept: SharedVerb {
        package static let verb = "accept"
        package static let rights = Rights.decisions
        package var fields: Decision
        package init(_ fields: Decision) { self.fields = fields }
    }

    package struct Refuse: SharedVerb {
        package static let verb = "refuse"
        package static let rights = Rights.decisions
        package var fields: Decision
        package init(_ fields: Decision) { self.fields = fields }
    }

    package struct Withdraw: SharedVerb {
        package static let verb = "withdraw"
        package static let rights = Rights.decisions
        package var fields: Decision
        package init(_ fields: Decision) { self.fields = fields }
    }

    /// Agreements and requests of all persons.
    package struct Consents: ControlVerb {
        package typealias Document = ConsentOverview
        package static let verb = "consents"
        package static let rights = Rights.nobody
        package init() {}
    }

    package struct ConsentRequest: ControlVerb {
        package typealias Document = HouseSnapshot.Request
        package static let verb = "consent_request"
        package static let rights = Rights.thePerson
        package let request: RequestID

        package init(_ request: RequestID) { self.request = request }

        package init(from decoder: any Decoder) throws {
            request = try Self.field.id(try ControlFields(decoder)["subject"])
        }

        package func encode(to encoder: any Encoder) throws {
            var fields = encoder.fields()
            try fields.put("subject", request.text)
        }

        package var scope: ControlScope {
            var scope = ControlScope()
            scope.request = request
            return scope
        }

        private static let field = ControlField(
            "subject", expected: "the id of a request", remedy: "see: homegateway consent list")
    }

    package struct ConsentHistory: ControlVerb {
        package typealias Document = DecisionHistory
        package static let verb = "consent_history"
        package static let rights = Rights.thePerson
        /// Nil for the decisions of all.
        package let person: PersonID?

        package init(of person: PersonID?) { self.person = person }

        package init(from decoder: any Decoder) throws {
            person = try ControlField.person.optionalID(try ControlFields(decoder)["person"])
        }

        package func encode(to encoder: any Encoder) throws {
            var fields = encoder.fields()
            try fields.put("person", person?.text)
        }

        package var scope: ControlScope { ControlScope(person: person) }
        package func about(_ person: PersonID) -> Self { Self(of: person) }
    }

    /// Makes the code with which an account of TrackMe may ask to be linked to the person.
    package struct LinkCode: SharedVerb {
        package static let verb = "link_code"
        package static let rights = Rights.byThePerson
        package var fields: OnPerson
        package init(_ fields: OnPerson) { self.fields = fields }
    }

    /// Limits that were set by command, and those that wait for an answer.
    package struct LimitQuestions: ControlVerb {
        package typealias Document = [HouseSnapshot.LimitQuestion]
        package static let verb = "limit_questions"
        package static let rights = Rights.nobody
        package init() {}
    }

    package struct AcceptLimits: SharedVerb {
        package static let verb = "accept_limits"
        package static let rights = Rights.decisions
        package var fields: LimitDecision
        package init(_ fields: LimitDecision) { self.fields = fields }
    }

    package struct RefuseLimits: SharedVerb {
        package static let verb = "refuse_limits"
        package static let rights = Rights.decisions
        package var fields: LimitDecision
        package init(_ fields: LimitDecision) { self.fields = fields }
    }
}
