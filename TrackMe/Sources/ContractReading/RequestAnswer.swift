/// State of a request of a third party.
public enum RequestState: String, CaseIterable, Hashable, Sendable {
    case sent, accepted, refused, withdrawn, expired

    /// Whether copies of the request may be received.
    public var isOpen: Bool { self == .sent || self == .accepted }
}

/// Answer of a house to a request of a third party, from a receipt with a good signature.
public enum RequestAnswer: Hashable, Sendable {
    /// Decision of the ledger. `grant` is its number, if there is one.
    case decided(RequestState, entry: Int64, grant: Int64?)
    case grantEnded(RequestState, grant: Int64)
}
