import Glibc
import Systemd

/// The socket of one characteristic, from AcquireNotify: a packet is a value (SOCK_SEQPACKET). Used by the
/// thread of the radio.
struct NotificationSocket {
    let path: String
    let descriptor: BusDescriptor

    enum Packet: Equatable {
        case value([UInt8])
        case none
        /// The other end is closed: the link is gone, or bluetoothd is.
        case end
    }

    /// The longest attribute value (Core 5.4, Vol 3, Part F, 3.2.9).
    static let longestValue = 512

    /// The next packet, without waiting for one.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Packet {
        let count = recv(descriptor.number, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
        if count > 0 { return .value([UInt8](buffer.prefix(count))) }
        // Nothing is also what a packet without content reads as: only a hung-up socket has ended.
        if count == 0, !hasHungUp { return .value([]) }
        if count < 0, errno == EAGAIN || errno == EINTR { return .none }
        return .end
    }

    private var hasHungUp: Bool {
        var state = pollfd(fd: descriptor.number, events: 0, revents: 0)
        return poll(&state, 1, 0) > 0 && Int32(state.revents) & (POLLHUP | POLLERR) != 0
    }
}
