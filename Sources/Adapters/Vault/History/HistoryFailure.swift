/// Why there is no history.
public enum HistoryFailure: Error, CustomStringConvertible, Sendable {
    case disk(DiskFailure)
    /// The key is missing, or is another. Nothing is written then.
    case key(String)

    public var description: String {
        switch self {
        case .disk(let failure): failure.description
        case .key(let reason): reason
        }
    }
}
