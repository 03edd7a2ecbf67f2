import Glibc

/// A file descriptor that came in a message. A copy of the message's own, which dies with the message;
/// closed when the last reference goes.
public final class BusDescriptor: Hashable, Sendable {
    public let number: Int32

    /// - Parameter original: stays its owner's to close. Nil result: the process has no descriptor left.
    init?(copying original: Int32) {
        number = fcntl(original, F_DUPFD_CLOEXEC, 0)
        guard number >= 0 else { return nil }
    }

    /// Takes `number` over, which nobody else may close: for descriptors that came by other ways.
    public init(owning number: Int32) { self.number = number }

    deinit { close(number) }

    public static func == (left: BusDescriptor, right: BusDescriptor) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
