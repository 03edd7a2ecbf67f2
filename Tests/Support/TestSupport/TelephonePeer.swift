import Foundation
import Glibc
import Synchronization

/// The ear and the keys of a called telephone: RTP on a port of 127.0.0.1, in G.711 A-law.
public final class TelephonePeer: Sendable {
    /// One packet that came.
    public struct Packet: Sendable {
        public let type: UInt8
        public let sequence: UInt16
        public let timestamp: UInt32
        public let payload: [UInt8]
    }

    public let packets = Recorder<Packet>()
    public let port: UInt16
    private let descriptor: Int32
    /// Of the newest packet.
    private let source = Mutex<sockaddr_in?>(nil)
    private let keyTime = Mutex<UInt32>(1_000)

    public init() throws {
        port = freePort() & ~1
        descriptor = Self.open(port)
        guard descriptor >= 0 else { throw CocoaError(.fileReadUnknown) }
        Thread.detachNewThread { [weak self, descriptor] in
            var bytes = [UInt8](repeating: 0, count: 2_048)
            while true {
                var from = sockaddr_in()
                var length = socklen_t(MemoryLayout<sockaddr_in>.size)
                let count = withUnsafeMutablePointer(to: &from) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        recvfrom(descriptor, &bytes, bytes.count, 0, $0, &length)
                    }
                }
                guard count > 0, let self else { return }
                if count >= 12 { came(Array(bytes.prefix(count)), from) }
            }
        }
    }

    deinit {
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }

    private func came(_ bytes: [UInt8], _ from: sockaddr_in) {
        source.withLock { $0 = from }
        packets.add(
            Packet(
                type: bytes[1] & 0x7F, sequence: UInt16(bytes[2]) << 8 | UInt16(bytes[3]),
                timestamp: bytes[4..<8].reduce(0) { $0 << 8 | UInt32($1) }, payload: Array(bytes[12...])))
    }

    /// Presses a key as a telephone does: packets of one event while it is held, and three of its end (RFC 4733).
    public func press(_ event: UInt8) {
        send(event: event)
    }

    /// Sends the same from another address of this machine: not the telephone that was called.
    public func forge(_ event: UInt8) {
        let other = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(other) }
        var address = Self.address(0, host: 0x7F00_0002)
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(other, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        send(event: event, through: other)
    }

    private func send(event: UInt8, through socket: Int32? = nil) {
        guard var target = source.withLock({ $0 }) else { return }
        let time = keyTime.withLock { time in
            time += 8_000
            return time
        }
        for index in 0..<7 {
            let isEnd = index >= 4
            let duration = UInt16(min(index + 1, 5) * 160)
            var packet: [UInt8] = [0x80, 101 | (index == 0 ? 0x80 : 0), 0, UInt8(index)]
            packet += (0..<4).map { UInt8(truncatingIfNeeded: time >> (24 - 8 * UInt32($0))) }
            packet += [
                0, 0, 0, 7, event, (isEnd ? 0x80 : 0) | 10, UInt8(duration >> 8), UInt8(duration & 0xFF),
            ]
            _ = withUnsafePointer(to: &target) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    sendto(
                        socket ?? descriptor, packet, packet.count, 0, $0,
                        socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
    }

    /// Waits for so many seconds of sound.
    public func hear(_ seconds: Double, within bound: Duration = .seconds(30)) async -> Bool {
        let before = packets.values.count
        return await packets.wait(upTo: bound) { Double($0.count - before) * 0.02 >= seconds }
    }

    /// Samples of all packets so far, by the table of ITU-T G.711.
    public var samples: [Int] {
        packets.values.filter { $0.type == 8 }.flatMap(\.payload).map(Self.linear)
    }

    /// Root mean square of a part of the samples.
    public static func level(_ samples: ArraySlice<Int>) -> Double {
        guard !samples.isEmpty else { return 0 }
        return (samples.reduce(0.0) { $0 + Double($1 * $1) } / Double(samples.count)).squareRoot()
    }

    public static func linear(_ code: UInt8) -> Int {
        let bits = code ^ 0x55
        let mantissa = Int(bits & 0x0F) << 4
        let segment = Int(bits >> 4 & 7)
        let magnitude = segment == 0 ? mantissa + 8 : (mantissa + 0x108) << (segment - 1)
        return bits & 0x80 != 0 ? magnitude : -magnitude
    }

    private static func open(_ port: UInt16) -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        var address = address(port, host: 0x7F00_0001)
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        return isBound ? descriptor : -1
    }

    private static func address(_ port: UInt16, host: UInt32) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = host.bigEndian
        address.sin_port = port.bigEndian
        return address
    }
}
