public import GatewayModel

/// One value of an entry, in the unit of its kind.
public struct ObservedValue: Hashable, Sendable {
    public let kind: QuantityKind
    public let value: Double
    public let sampling: Reading.Sampling

    public init(_ kind: QuantityKind, _ value: Double, _ sampling: Reading.Sampling) {
        (self.kind, self.value, self.sampling) = (kind, value, sampling)
    }

    /// - Parameter unit: UCUM code.
    init(
        _ kind: QuantityKind, _ value: Double, in unit: String, _ sampling: Reading.Sampling
    ) throws(ObservationFault) {
        guard let converted = kind.value(value, in: unit) else {
            let units = kind.units.map { "\"\($0)\"" }.joined(separator: ", ")
            throw ObservationFault(
                seen: "the unit \(ObservationFault.quoted(unit))",
                expected: "one of \(units) for \(kind.rawValue)",
                remedy: "write the UCUM code of the unit; capitals and small letters differ")
        }
        self.init(kind, converted, sampling)
    }
}

/// One entry as a program hands it over: a row, or an Observation with one or several values.
public struct ObservationEntry: Hashable, Sendable {
    /// The program's own name of the entry. It tells two equal measurements of one instant apart.
    public let id: String?
    public let time: WallTime
    /// Reference of a FHIR Observation to its subject, as it is written.
    public let subject: String?
    public let values: [ObservedValue]

    /// Maximum length of `id` in bytes.
    static let longestID = 128

    init(
        id: String?, time: String, subject: String? = nil, values: [ObservedValue]
    ) throws(ObservationFault) {
        guard let instant = WallTime(rfc3339: time) else {
            throw ObservationFault(
                seen: "the time \(ObservationFault.quoted(time))", expected: WallTime.rfc3339Form,
                remedy: "write the date, the time and the offset from UTC, or Z")
        }
        if let id, id.utf8.count > Self.longestID {
            throw ObservationFault(
                seen: "an id of \(id.utf8.count) bytes", expected: "at most \(Self.longestID)",
                remedy: "shorten it")
        }
        (self.id, self.time, self.subject, self.values) = (id, instant, subject, values)
    }
}

/// An entry of a file with its place, right or wrong.
public struct ObservationItem: Sendable {
    /// `line 3`, or `entry 2` of a Bundle.
    public let place: String
    public let entry: Result<ObservationEntry, ObservationFault>

    init(_ place: String, _ entry: Result<ObservationEntry, ObservationFault>) {
        (self.place, self.entry) = (place, entry)
    }
}
