package import GatewayModel
package import SOSLocal

/// Fields of a request on the wire: one flat JSON object. Their names are public: command lines of other versions and other
/// programs use them.
package struct ControlFields {
    package struct Name: CodingKey, ExpressibleByStringLiteral {
        package let stringValue: String
        package var intValue: Int? { nil }

        package init(stringValue: String) { self.stringValue = stringValue }
        package init?(intValue: Int) { nil }
        package init(stringLiteral text: String) { stringValue = text }
    }

    private let fields: KeyedDecodingContainer<Name>

    package init(_ decoder: any Decoder) throws { fields = try decoder.container(keyedBy: Name.self) }

    /// Nil where the field is missing.
    package subscript<Value: Decodable>(_ name: Name) -> Value? {
        get throws { try fields.decodeIfPresent(Value.self, forKey: name) }
    }

    package var caller: Caller { get throws { Caller(try self["by"]) } }
    package var person: PersonID { get throws { try ControlField.person.id(try self["person"]) } }
    /// A kind of reading.
    package var kind: QuantityKind {
        get throws { try ControlField.kind.value(try self["kind"]) { QuantityKind(rawValue: $0) } }
    }

    /// Wearable in `subject`.
    package var wearable: DeviceID { get throws { try Self.wearable.id(try self["subject"]) } }
    package var address: DeviceAddress {
        get throws { try Self.address.value(try self["address"]) { DeviceAddress($0) } }
    }

    /// Run in `subject`.
    package var run: RunID { get throws { try Self.run.id(try self["subject"]) } }
    package var optionalRun: RunID? { get throws { try Self.run.optionalID(try self["subject"]) } }

    package var bib: Bib {
        get throws {
            let number: Int = try Self.bib.text(try self["bib"])
            guard let bib = Bib(number) else { throw Self.bib.wrong(number) }
            return bib
        }
    }

    package var alarm: AlarmID? { get throws { try ControlField.alarmID(try self["alarm"]) } }

    /// Number of the first entry, in `from`.
    package var start: Int64 {
        get throws { try ControlField.entry.number(try self["from"] ?? 0, in: ControlField.entries) }
    }

    /// Bounds a time, so that no later calculation overflows.
    package func time(_ name: Name) throws -> WallTime {
        let field = ControlField(
            name.stringValue, expected: "milliseconds since 1970",
            remedy: "give a time with --\(name.stringValue)")
        let (time, bounds): (Int64, ClosedRange<Int64>) = (try field.text(try self[name]), ControlField.times)
        return WallTime(millisecondsSince1970: min(max(time, bounds.lowerBound), bounds.upperBound))
    }

    private static let wearable = ControlField(
        "subject", expected: "the id of a wearable: " + DeviceID.form, remedy: "see: homegateway devices list")
    private static let address = ControlField(
        "address", expected: "an address such as C0:FF:EE:00:00:01", remedy: "take one of the scan")
    private static let run = ControlField(
        "subject", expected: "the id of a run", remedy: "see: homegateway runs list")
    private static let bib = ControlField(
        "bib", expected: "\(Bib.range.lowerBound) to \(Bib.range.upperBound)",
        remedy: "name the runner with --bib NUMBER")
}

extension Encoder {
    /// Fields of a request that is written.
    package func fields() -> KeyedEncodingContainer<ControlFields.Name> {
        container(keyedBy: ControlFields.Name.self)
    }
}

extension KeyedEncodingContainer<ControlFields.Name> {
    package mutating func put(_ name: ControlFields.Name, _ value: (some Encodable)?) throws {
        try encodeIfPresent(value, forKey: name)
    }
}

/// Request as it is written: one line of JSON, at the console's socket with its session.
package struct ControlLine: Encodable {
    private let request: any ControlVerb
    private let session: ControlSession?

    package init(_ request: any ControlVerb, of session: ControlSession? = nil) {
        (self.request, self.session) = (request, session)
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.fields()
        try fields.put("verb", type(of: request).verb)
        try fields.put("session", session.map(SessionRecord.init))
        try request.encode(to: encoder)
    }
}

/// Begin of a request: its verb and its session. `follow` alone has no session at the console's socket: the console asks for
/// the states once for all its sessions.
package struct ControlHead: Decodable {
    package let verb: String
    package let session: ControlSession?

    /// Errors: `ControlError` for a field that is missing or wrong, `DecodingError` for another form.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: ControlFields.Name.self)
        verb = try fields.decode(String.self, forKey: "verb")
        session = try fields.decodeIfPresent(SessionRecord.self, forKey: "session")?.session
    }
}
