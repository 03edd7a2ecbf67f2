/// Arguments of a statement: by position for `?`, by name for `:name`. A statement uses one of the two forms.
public struct StatementArguments: Hashable, Sendable, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// By position.
    package private(set) var positional: [DatabaseValue] = []
    package private(set) var byName: [String: DatabaseValue] = [:]

    public init() {}

    public init(_ values: some Sequence<some DatabaseValueConvertible>) {
        positional = values.map(\.databaseValue)
    }

    public init(arrayLiteral values: (any DatabaseValueConvertible)?...) {
        positional = values.map { $0?.databaseValue ?? .null }
    }

    public init(dictionaryLiteral values: (String, (any DatabaseValueConvertible)?)...) {
        for (name, value) in values { byName[name] = value?.databaseValue ?? .null }
    }

    public var isEmpty: Bool { positional.isEmpty && byName.isEmpty }

    /// The positions of `right` follow those of `left`; a name of both has the value of `right`.
    public static func + (left: StatementArguments, right: StatementArguments) -> StatementArguments {
        var sum = left
        sum.positional += right.positional
        sum.byName.merge(right.byName) { _, new in new }
        return sum
    }
}
