import Glibc

/// A device or a program failed: the operation, the observation and the remedy. It names no person.
public struct DeviceFailure: Error, Hashable, CustomStringConvertible, Sendable {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }

    /// With the calling thread's `errno`: make it right after the call.
    public init(_ doing: String, doInstead advice: String? = nil) {
        self.init(doing, number: errno, advice)
    }

    public init(_ doing: String, number: Int32, _ advice: String? = nil) {
        let seen = "\(doing): \(String(cString: strerror(number))) (errno \(number))"
        description = advice.map { "\(seen); \($0)" } ?? seen
    }
}
