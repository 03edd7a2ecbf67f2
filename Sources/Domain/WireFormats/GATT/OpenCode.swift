/// A code on the wire: one of those the specification lists, or one it reserves and a later revision may
/// give a meaning. Unknown codes are kept, not refused.
public enum OpenCode<Known: RawRepresentable & Hashable & Sendable>: Hashable, Sendable
where Known.RawValue: Hashable & Sendable {
    case known(Known)
    case other(Known.RawValue)

    public init(_ raw: Known.RawValue) {
        self = Known(rawValue: raw).map(Self.known) ?? .other(raw)
    }

    public var rawValue: Known.RawValue {
        switch self {
        case .known(let code): code.rawValue
        case .other(let raw): raw
        }
    }

    /// Nil where the code is none that the specification lists.
    public var known: Known? {
        if case .known(let code) = self { code } else { nil }
    }
}
