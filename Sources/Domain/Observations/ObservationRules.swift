public import GatewayModel

/// Rules that make readings of a source's entries.
///
/// Pure. The same entry gives readings with the same IDs in every run.
public struct ObservationRules: Hashable, Sendable {
    /// Largest lead of a program's clock over the gateway's. Both are set by the network as a rule.
    public static let largestLead = Duration.seconds(60)
    /// Age from which a value is history, as for the records of wearables.
    public static let liveAge = Duration.seconds(300)
    /// Age from which a value is refused: its clock was never set, or its date is of another field. Ten years.
    public static let largestAge = Duration.seconds(3_650 * 86_400)

    private let gateway: GatewayID
    private let source: DeviceID
    private let person: PersonID
    private let kinds: Set<QuantityKind>
    private let others: Set<PersonID>

    /// - Parameters:
    ///   - source: ID of the program in the settings.
    ///   - person: the person whose values it hands over.
    ///   - kinds: kinds that it may hand over.
    ///   - others: the other persons of the house.
    public init(
        gateway: GatewayID, source: DeviceID, person: PersonID, kinds: Set<QuantityKind>, others: Set<PersonID>
    ) {
        (self.gateway, self.source, self.person) = (gateway, source, person)
        (self.kinds, self.others) = (kinds, others)
    }

    /// Makes the readings of an entry: all of them, or none.
    public func readings(
        of entry: ObservationEntry, at arrival: Moment
    ) throws(ObservationFault) -> [Reading] {
        try checkSubject(entry.subject)
        let currency = try currency(of: entry.time, at: arrival.wall)
        var readings: [Reading] = []
        for value in entry.values {
            try check(value)
            readings.append(
                Reading(
                    id: id(of: value, entry), person: person, device: source,
                    quantity: Quantity(value.kind, value.value), contact: .unknown, currency: currency,
                    sampling: value.sampling, deviceTime: DeviceTime(wall: entry.time, offset: .zero),
                    arrival: arrival, provenance: .app))
        }
        return readings
    }

    /// A program may know its patient by another name. Only the name of somebody else in this house is a mistake for sure.
    private func checkSubject(_ subject: String?) throws(ObservationFault) {
        guard let subject, let other = others.first(where: { subject == "Patient/\($0)" }) else { return }
        throw ObservationFault(
            seen: "the subject Patient/\(other)", expected: "Patient/\(person), or a name of your own",
            remedy: "hand it over by the source of that person")
    }

    private func currency(of time: WallTime, at now: WallTime) throws(ObservationFault) -> Reading.Currency {
        let age = now.millisecondsSince1970 - time.millisecondsSince1970
        guard age >= -Self.largestLead.wholeMilliseconds else {
            throw ObservationFault(
                seen: "a time \(-age / 1_000) s in the future", expected: "a time of the past",
                remedy: "check the program's clock and the offset from UTC")
        }
        guard age <= Self.largestAge.wholeMilliseconds else {
            throw ObservationFault(
                seen: "a time \(age / 86_400_000) days ago", expected: "at most 3650 days",
                remedy: "check the program's clock")
        }
        return age <= Self.liveAge.wholeMilliseconds ? .live : .history
    }

    private func check(_ value: ObservedValue) throws(ObservationFault) {
        guard kinds.contains(value.kind) else {
            throw ObservationFault(
                seen: "the kind \(value.kind.rawValue)",
                expected: "one of \(kinds.map(\.rawValue).sorted().joined(separator: ", "))",
                remedy: "leave it out, or add it to kinds of the [[source]]")
        }
        guard Quantity(value.kind, value.value).isPlausible else {
            let range = value.kind.plausible
            let unit = value.kind.coding.unit
            throw ObservationFault(
                seen: "\(value.kind.rawValue) \(value.value) \(unit)",
                expected: "\(range.lowerBound) to \(range.upperBound) \(unit)",
                remedy: "check the value and its unit")
        }
    }

    /// The ID is made of the content, so a file that is read again, or a line that is sent again, doubles nothing. An entry
    /// with another value is another reading.
    private func id(of value: ObservedValue, _ entry: ObservationEntry) -> MessageID {
        let words =
            "\(gateway) \(person) \(source) \(value.kind.rawValue) \(value.value.bitPattern) "
            + "\(entry.time.millisecondsSince1970) \(entry.id ?? "")"
        var numbers = DerivedNumbers(of: words)
        return MessageID(wall: entry.time, using: &numbers)
    }
}
