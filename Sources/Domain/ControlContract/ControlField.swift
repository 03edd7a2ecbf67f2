package import GatewayModel
import SOSLocal

/// Field of a request at the control socket, with the words for a text that is missing or wrong.
package struct ControlField: Sendable {
    /// Name on the wire.
    private let name: String
    private let expected: String
    private let remedy: String

    package init(_ name: String, expected: String, remedy: String) {
        (self.name, self.expected, self.remedy) = (name, expected, remedy)
    }

    package static let person = ControlField(
        "person", expected: PersonID.form, remedy: "name the person with --person ID")
    package static let party = ControlField(
        "by", expected: PartyID.form, remedy: "name the third party with --as PARTY")
    /// Item of a profile.
    package static let profileItem = ControlField(
        "profile", expected: "one of " + ProfileItem.allCases.map(\.rawValue).joined(separator: ", "),
        remedy: "see: homegateway profile show")
    static let storedKind = ControlField(
        "kind",
        expected: "one of "
            + (QuantityKind.allCases.map(\.rawValue) + [DataKind.location.rawValue]).joined(separator: ", "),
        remedy: "name it with --kind")
    /// The years 1 to 9999. Programs send the largest number for a period without an end.
    static let times: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999
    /// Numbers of entries: far more than a box can keep.
    static let entries: ClosedRange<Int64> = 0...1_000_000_000
    static let entry = ControlField(
        "from", expected: "the number of an entry, \(entries.lowerBound) to \(entries.upperBound)",
        remedy: "leave it out for the first one")
    /// A kind of reading.
    package static let kind = ControlField(
        "kind", expected: "one of " + QuantityKind.allCases.map(\.rawValue).joined(separator: ", "),
        remedy: "name it with --kind")

    /// Returns the text of a required field.
    package func text<Text>(_ text: Text?) throws(ControlError) -> Text {
        guard let text else { throw ControlError("\(name): missing, expected \(expected); \(remedy)") }
        return text
    }

    /// Parses a required field.
    package func value<Value>(
        _ given: String?, _ parse: (String) -> Value?
    ) throws(ControlError) -> Value {
        let given = try text(given)
        guard let value = parse(given) else { throw wrong(given) }
        return value
    }

    /// Returns a required number, so that no later calculation overflows.
    func number<Number: BinaryInteger>(
        _ given: Number?, in range: ClosedRange<Number>
    ) throws(ControlError) -> Number {
        let number = try text(given)
        guard range.contains(number) else { throw wrong(number) }
        return number
    }

    /// Parses a required name.
    package func id<ID: Name>(_ given: String?) throws(ControlError) -> ID { try value(given) { ID($0) } }

    /// Parses the id of an alarm, which may be missing.
    static func alarmID(_ given: String?) throws(ControlError) -> AlarmID? {
        guard let given else { return nil }
        guard let alarm = AlarmID(given) else {
            throw ControlError(
                "alarm: '\(Shown.text(given))' is no alarm id; it looks like 0190c3a2-…, see: homegateway status"
            )
        }
        return alarm
    }

    /// Parses a name that may be missing.
    package func optionalID<ID: Name>(_ given: String?) throws(ControlError) -> ID? {
        guard let given else { return nil }
        return try id(given)
    }

    /// Error for a value of the field that cannot be used.
    package func wrong(_ given: some CustomStringConvertible) -> ControlError {
        ControlError("\(name): saw '\(Shown.text("\(given)"))', expected \(expected); \(remedy)")
    }
}
