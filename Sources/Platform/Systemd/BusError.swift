import Glibc

/// What went wrong on D-Bus.
public enum BusError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A step of ours failed before anything was sent. `number` is a positive `errno`.
    case failed(doing: String, number: Int32)
    /// The connection is dead (daemon gone, authentication refused): open a new one.
    case disconnected(number: Int32)
    /// The other side answered with an error, or nobody answered in time
    /// (`org.freedesktop.DBus.Error.NoReply`). The name is kept as it came.
    case remote(name: String, message: String)

    public var description: String {
        switch self {
        case .failed(let doing, let number): "\(doing) failed: \(Self.text(number))"
        case .disconnected(let number): "the D-Bus connection is gone: \(Self.text(number))"
        case .remote(let name, let message): message.isEmpty ? name : "\(name): \(message)"
        }
    }

    private static func text(_ number: Int32) -> String {
        "\(String(cString: strerror(number))) (errno \(number))"
    }
}

/// For sd-bus functions, which return a negative `errno`.
/// - Returns: `result`, where it is no error.
@discardableResult
func check(_ result: Int32, _ doing: @autoclosure () -> String) throws(BusError) -> Int32 {
    guard result >= 0 else { throw .failed(doing: doing(), number: -result) }
    return result
}
