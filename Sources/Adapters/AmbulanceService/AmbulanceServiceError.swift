/// Why a channel cannot be made at all: the settings or the system must change first.
///
/// Never holds a token or a key, only the name of its file.
public enum AmbulanceServiceError: Error, CustomStringConvertible, Sendable {
    /// A setting, what it holds and what it must be.
    case unusableSetting(String)
    /// A file of the credential or of the authorities.
    case unusableFile(String)
    /// A system or library call that failed.
    case system(String)

    public var description: String {
        switch self {
        case .unusableSetting(let text): "Ambulance service settings: \(text)"
        case .unusableFile(let text): "Ambulance service files: \(text)"
        case .system(let text): "Ambulance service: \(text)"
        }
    }
}
