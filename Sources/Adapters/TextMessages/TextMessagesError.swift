/// Why a channel cannot be made at all: the settings or the system must change first. Names no person.
public enum TextMessagesError: Error, CustomStringConvertible, Sendable {
    /// A setting, what it holds and what it must be.
    case unusableSetting(String)
    /// A system call that failed.
    case system(String)

    public var description: String {
        switch self {
        case .unusableSetting(let text): "SMS settings: \(text)"
        case .system(let text): "SMS: \(text)"
        }
    }
}
