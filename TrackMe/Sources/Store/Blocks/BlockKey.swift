/// Place of a block in the store.
public struct BlockKey: Hashable, Sendable {
    public enum Form: Int64, CaseIterable, Hashable, Sendable {
        /// Readings of an hour.
        case readings = 0
        /// IDs of a day, of live readings that are gone.
        case ids = 1
        /// The same of records that a device had stored.
        case history = 2

        /// Milliseconds of a span.
        public var length: Int64 { self == .readings ? 3_600_000 : 86_400_000 }
    }

    public let series: Int64
    public let form: Form
    /// Number of the hour or day in which the IDs were made, since 1970.
    public let span: Int64
    /// A span has several blocks where one would be too large, and where one is damaged.
    public let part: Int64

    public init(series: Int64, form: Form, span: Int64, part: Int64) {
        (self.series, self.form, self.span, self.part) = (series, form, span, part)
    }
}

/// Block with another content than the one that was written. None of its readings or IDs is known.
public struct DamagedBlock: Error, Hashable, Sendable, CustomStringConvertible {
    public let key: BlockKey
    /// Found and expected.
    public let reason: String

    public init(_ key: BlockKey, _ reason: String) { (self.key, self.reason) = (key, reason) }

    public var description: String {
        let (things, unit) =
            switch key.form {
            case .readings: ("readings", "hour")
            case .ids: ("IDs", "day")
            case .history: ("IDs of stored records", "day")
            }
        return
            "the block of \(things) of series \(key.series), \(unit) \(key.span) since 1970, part \(key.part) is damaged: "
            + reason
    }
}
