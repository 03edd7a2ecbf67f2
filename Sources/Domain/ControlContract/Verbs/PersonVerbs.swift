package import GatewayModel
package import SOSLocal

/// Look at the values of a person.
package protocol LookAtPerson: ControlVerb {
    var person: PersonID { get }
    init(_ person: PersonID)
}

extension LookAtPerson {
    package init(from decoder: any Decoder) throws { self.init(try ControlFields(decoder).person) }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.fields()
        try fields.put("person", person.text)
    }

    package var scope: ControlScope { ControlScope(person: person) }
}

extension Verb {
    package struct Profile: LookAtPerson {
        package typealias Document = ProfileDocument
        package static let verb = "profile"
        package static let rights = Rights.personAndFamily
        package let person: PersonID
        package init(_ person: PersonID) { self.person = person }
    }

    package struct Limits: LookAtPerson {
        package typealias Document = [LimitRow]
        package static let verb = "limits"
        package static let rights = Rights.readings
        package let person: PersonID
        package init(_ person: PersonID) { self.person = person }
    }

    package struct Channels: LookAtPerson {
        package typealias Document = [ChannelRow]
        package static let verb = "channels"
        package static let rights = Rights.personAndFamily
        package let person: PersonID
        package init(_ person: PersonID) { self.person = person }
    }

    package struct ChangeProfile: ControlAct {
        package typealias Document = ProfileDocument
        package static let verb = "change_profile"
        package static let rights = Rights.changes
        package let person: PersonID
        package let change: ProfileChange
        package var caller: Caller

        package init(person: String?, _ change: ProfileChange, by caller: String?) throws(ControlError) {
            self.person = try ControlField.person.id(person)
            (self.change, self.caller) = (change, Caller(caller))
        }

        package init(from decoder: any Decoder) throws {
            let fields = try ControlFields(decoder)
            let record: ProfileRecord = try fields["profile"] ?? ProfileRecord()
            try self.init(person: try fields["person"], try record.change, by: try fields["by"])
        }

        package func encode(to encoder: any Encoder) throws {
            var fields = encoder.fields()
            try fields.put("person", person.text)
            try fields.put("profile", ProfileRecord(change))
            try fields.put("by", caller.name)
        }

        package var scope: ControlScope { ControlScope(person: person) }
    }

    /// Change of a person's limits on one kind of reading.
    package struct ChangeLimits: ControlAct {
        package typealias Document = [LimitRow]
        package static let verb = "change_limits"
        package static let rights = Rights.changes
        package let person: PersonID
        package let kind: QuantityKind
        /// Nil goes back to the settings.
        package let limits: [LimitSlot: Double?]
        package var caller: Caller

        /// - Parameter limits: by the names of the slots; empty to go back to the settings with all of them.
        package init(
            person: String?, kind: String?, limits: [String: Double], by caller: String?
        ) throws(ControlError) {
            self.person = try ControlField.person.id(person)
            self.kind = try ControlField.kind.value(kind) { QuantityKind(rawValue: $0) }
            var slots: [LimitSlot: Double?] = [:]
            for (name, limit) in limits {
                slots[try Self.slot.value(name) { LimitSlot(rawValue: $0) }] = .some(limit)
            }
            if limits.isEmpty { for slot in LimitSlot.allCases { slots[slot] = .some(nil) } }
            (self.limits, self.caller) = (slots, Caller(caller))
        }

        package init(from decoder: any Decoder) throws {
            let fields = try ControlFields(decoder)
            try self.init(
                person: try fields["person"], kind: try fields["kind"], limits: try fields["limits"] ?? [:],
                by: try fields["by"])
        }

        package func encode(to encoder: any Encoder) throws {
            var fields = encoder.fields()
            try fields.put("person", person.text)
            try fields.put("kind", kind.rawValue)
            try fields.put("by", caller.name)
            try fields.put("limits", limits.reduce(into: [String: Double]()) { $0[$1.key.rawValue] = $1.value })
        }

        package var scope: ControlScope { ControlScope(person: person) }

        /// Whether it goes back to the settings.
        package var isReset: Bool { limits.values.allSatisfy { $0 == nil } }

        private static let slot = ControlField(
            "limits", expected: "one of " + LimitSlot.allCases.map(\.rawValue).joined(separator: ", "),
            remedy: "name it with --low, --high, --warning-low or --warning-high")
    }

    /// Choice about one channel of a person.
    package struct ChangeChannel: ControlAct {
        package typealias Document = [ChannelRow]
        package static let verb = "change_channel"
        package static let rights = Rights.changes
        package let person: PersonID
        package let channel: ChannelID
        /// Nil leaves it as it is.
        package let emergency: Bool?
        package let warnings: Bool?
        package var caller: Caller

        /// - Parameters:
        ///   - emergency: whether it is called in an emergency.
        ///   - warnings: whether it is told of warnings. Both nil go back to the settings.
        package init(
            person: String?, channel: String?, emergency: Bool?, warnings: Bool?, by caller: String?
        ) throws(ControlError) {
            self.person = try ControlField.person.id(person)
            self.channel = try Self.field.id(channel)
            (self.emergency, self.warnings, self.caller) = (emergency, warnings, Caller(caller))
        }

        package init(from decoder: any Decoder) throws {
            let fields = try ControlFields(decoder)
            try self.init(
                person: try fields["person"], channel: try fields["subject"],
                emergency: try fields["emergency"], warnings: try fields["warnings"], by: try fields["by"])
        }

        package func encode(to encoder: any Encoder) throws {
            var fields = encoder.fields()
            try fields.put("person", person.text)
            try fields.put("subject", channel.text)
            try fields.put("emergency", emergency)
            try fields.put("warnings", warnings)
            try fields.put("by", caller.name)
        }

        package var scope: ControlScope { ControlScope(person: person) }
        package var isReset: Bool { emergency == nil && warnings == nil }

        private static let field = ControlField(
            "subject", expected: "the id of a channel", remedy: "see: homegateway channels show")
    }

    /// Page of a person's stored readings of one kind, or of the person's positions.
    package struct History: ControlVerb {
        package typealias Document = StoredPage
        package static let verb = "history"
        package static let rights = Rights.readings
        package let person: PersonID
        package let kind: DataKind
        package let from: WallTime
        /// Not included.
        package let to: WallTime
        /// Nil for the resolution that fits the span.
        package let resolution: HistoryResolution?

        package init(
            person: PersonID, kind: DataKind, from: WallTime, to: WallTime, resolution: HistoryResolution?
        ) {
            (self.person, self.kind, self.from, self.to) = (person, kind, from, to)
            self.resolution = resolution
        }

        package init(
            person: String?, kind: String?, from: WallTime, to: WallTime, resolution: HistoryResolution?
        ) throws(ControlError) {
            self.init(
                person: try ControlField.person.id(person),
                kind: try ControlField.storedKind.value(kind) { DataKind(rawValue: $0) }, from: from, to: to,
                resolution: resolution)
        }

        package init(from decoder: any Decoder) throws {
            let fields = try ControlFields(decoder)
            let resolution: String? = try fields["resolution"]
            try self.init(
                person: try fields["person"], kind: try fields["kind"], from: try fields.time("from"),
                to: try fields.time("to"),
                resolution: try resolution.map {
                    try Self.resolution.value($0) { HistoryResolution(rawValue: $0) }
                })
        }

        package func encode(to encoder: any Encoder) throws {
            var fields = encoder.fields()
            try fields.put("person", person.text)
            try fields.put("kind", kind.rawValue)
            try fields.put("from", from.millisecondsSince1970)
            try fields.put("to", to.millisecondsSince1970)
            try fields.put("resolution", resolution?.rawValue)
        }

        package var scope: ControlScope {
            var scope = ControlScope(person: person)
            scope.isOfPositions = kind == .location
            return scope
        }

        private static let resolution = ControlField(
            "resolution",
            expected: "one of " + HistoryResolution.allCases.map(\.rawValue).joined(separator: ", "),
            remedy: "name it with --resolution")
    }

    package struct RotateHistoryKey: ControlVerb {
        package static let verb = "rotate_history_key"
        package static let rights = Rights.nobody
        package init() {}
    }

    /// Page of all data about a person.
    package struct MyData: ControlVerb {
        package typealias Document = MyDataPage
        package static let verb = "my_data"
        package static let rights = Rights.thePerson
        package let person: PersonID
        /// Number of the first entry.
        package let start: Int64

        package init(person: PersonID, from start: Int64) { (self.person, self.start) = (person, start) }

        package init(from decoder: any Decoder) throws {
            let fields = try ControlFields(decoder)
            (person, start) = (try fields.person, try fields.start)
        }

        package func encode(to encoder: any Encoder) throws {
            var fields = encoder.fields()
            try fields.put("person", person.text)
            try fields.put("from", start)
        }

        package var scope: ControlScope { ControlScope(person: person) }
    }

    package struct EraseMyData: SharedVerb {
        package static let verb = "erase_my_data"
        package static let rights = Rights.thePerson
        package var fields: OnPerson
        package init(_ fields: OnPerson) { self.fields = fields }
    }
}
