import GatewayModel
import Glibc

/// What one wait over several descriptors saw.
public struct PollResult: Sendable {
    public let readable: [Bool]
    public let writable: [Bool]
}

/// poll(2) over a few descriptors.
public enum Poll {
    public struct Interest: Sendable {
        public let descriptor: Int32
        public let events: Int16

        /// Ready to read.
        public init(_ descriptor: Int32) {
            self.init(descriptor, events: POLLIN)
        }

        /// - Parameter events: `POLLIN`, `POLLOUT` or both.
        public init(_ descriptor: Int32, events: Int32) {
            self.descriptor = descriptor
            self.events = Int16(events)
        }
    }

    /// Waits until a descriptor is ready, or `timeout` is over (nil: no limit). A signal ends the wait
    /// with nothing ready. Hang-up and error count as ready both ways: the next read or write tells.
    public static func wait(_ interests: [Interest], timeout: Duration?) -> PollResult {
        var descriptors = interests.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
        let count = poll(&descriptors, nfds_t(descriptors.count), milliseconds(timeout))
        guard count > 0 else {
            let nothing = [Bool](repeating: false, count: descriptors.count)
            return PollResult(readable: nothing, writable: nothing)
        }
        let gone = POLLERR | POLLHUP | POLLNVAL
        return PollResult(
            readable: descriptors.map { Int32($0.revents) & (POLLIN | gone) != 0 },
            writable: descriptors.map { Int32($0.revents) & (POLLOUT | gone) != 0 })
    }

    /// Rounded up: rounding down would spin through the last millisecond. -1: no limit.
    static func milliseconds(_ timeout: Duration?) -> Int32 {
        guard let timeout else { return -1 }
        return Int32(clamping: (max(timeout.wholeNanoseconds, 0) + 999_999) / 1_000_000)
    }
}
