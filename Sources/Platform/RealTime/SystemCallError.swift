import Glibc

/// A failed system call, with what the kernel said.
public struct SystemCallError: Error, CustomStringConvertible, Sendable {
    public let call: String
    public let number: Int32

    /// With the calling thread's `errno`: make it right after the call.
    public init(_ call: String) {
        self.init(call, number: errno)
    }

    public init(_ call: String, number: Int32) {
        self.call = call
        self.number = number
    }

    public var description: String {
        "\(call) failed: \(String(cString: strerror(number))) (errno \(number))"
    }
}
