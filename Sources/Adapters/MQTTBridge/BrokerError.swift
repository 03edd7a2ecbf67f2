/// Reason for which a session cannot be made at all: the settings or the system must change first.
public enum BrokerError: Error, CustomStringConvertible, Sendable {
    /// A setting, its value and the expected value.
    case unusableSetting(String)
    /// A TLS file, with the error text of libmosquitto and OpenSSL.
    case unusableTLSFile(String)
    /// A system or library call that failed.
    case system(String)

    public var description: String {
        switch self {
        case .unusableSetting(let text): "Broker settings: \(text)"
        case .unusableTLSFile(let text): "Broker TLS files: \(text)"
        case .system(let text): "Broker session: \(text)"
        }
    }
}
