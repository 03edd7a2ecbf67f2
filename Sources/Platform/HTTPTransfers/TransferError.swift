/// Reason why a transfer cannot be made at all: the settings or the system must change first.
///
/// Never holds a token or a key, only the name of its file.
public enum TransferError: Error, Hashable, CustomStringConvertible, Sendable {
    /// A setting with its value and the expected value.
    case unusableSetting(String)
    /// A file of the credential or of the authorities.
    case unusableFile(String)
    /// A system or library call that failed.
    case system(String)

    public var description: String {
        switch self {
        case .unusableSetting(let text), .unusableFile(let text), .system(let text): text
        }
    }
}
