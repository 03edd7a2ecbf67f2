import Glibc
import RealTime
import Systemd

/// The socket of one characteristic, from AcquireNotify: a packet is a value (SOCK_SEQPACKET). Used by the
/// thread of the radio.
struct NotificationSocket {
    let path: String
    let descriptor: BusDescriptor

    /// The longest attribute value (Core 5.4, Vol 3, Part F, 3.2.9).
    static let longestValue = 512
    /// Values taken at a time: more than one wait only after something held this thread up.
    static let packetsAtOnce = 8

    /// Hands over waiting packets, as far as `batch` has room and in order of arrival, without waiting for
    /// more.
    /// - Returns: false when the other end is closed: the link is gone, or bluetoothd is.
    func read(into batch: inout PacketBatch, _ take: ([UInt8]) -> Void) -> Bool {
        guard (try? batch.receive(from: descriptor.number)) != nil else { return false }
        var isOpen = true
        batch.visit { packet in
            // A packet without content reads as nothing too: only a hung-up socket has ended.
            if packet.isEmpty, isOpen { isOpen = !hasHungUp }
            if isOpen { take(packet.withUnsafeBytes { [UInt8]($0) }) }
        }
        return isOpen
    }

    private var hasHungUp: Bool {
        var state = pollfd(fd: descriptor.number, events: 0, revents: 0)
        return poll(&state, 1, 0) > 0 && Int32(state.revents) & (POLLHUP | POLLERR) != 0
    }
}
