/// A run, as its topics name it.
public struct RunID: Name {
    public let text: String
    public init(checked text: String) { self.text = text }
}

/// A timing point, as its passings name it.
public struct CheckpointID: Name {
    public let text: String
    public init(checked text: String) { self.text = text }
}

/// Those of a run who start together.
public struct WaveID: Name {
    public let text: String
    public init(checked text: String) { self.text = text }
}

/// The number on a runner's chest: 1 to 99,999.
public struct Bib: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    public static let range = 1...99_999
    public let number: Int

    /// Nil for what is not in `range`.
    public init?(_ number: Int) {
        guard Self.range.contains(number) else { return nil }
        self.number = number
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let bib = Bib(try container.decode(Int.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "expected a bib, \(Self.range.lowerBound) to \(Self.range.upperBound)")
        }
        self = bib
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }

    public var description: String { "\(number)" }

    public static func < (left: Bib, right: Bib) -> Bool { left.number < right.number }
}
