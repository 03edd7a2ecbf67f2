import Glibc
import RealTime

extension BrokerConnection {
    /// Starts to connect to another address of the same name, in the place of one that does not answer.
    ///
    /// libmosquitto tries the first address alone where it may not block. Its socket has carried no byte
    /// before `establish`, so another one takes its place under the same number; name check and SNI are of the
    /// name, which stays.
    /// - Returns: nil, or why it cannot even be tried.
    func redirect(to address: SocketAddress) -> String? {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let other = socket(address.family, kind, 0)
        guard other >= 0 else { return SystemCallError("socket").description }
        defer { close(other) }
        var one: Int32 = 1
        setsockopt(other, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        let result = address.bytes.withUnsafeBytes { bytes in
            connect(
                other, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count))
        }
        guard result == 0 || errno == EINPROGRESS else { return SystemCallError("connect").description }
        guard dup2(other, descriptor) >= 0 else { return SystemCallError("dup2").description }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return nil
    }

    /// Bytes the kernel has received on this connection so far; nil where it does not say.
    var receivedBytes: UInt64? {
        // tcpi_bytes_received of struct tcp_info, linux/tcp.h: 8 octets, 24 words, 3 double words before it.
        // glibc's own netinet/tcp.h ends before that field.
        let offset = 8 + 24 * 4 + 3 * 8
        var info = [UInt8](repeating: 0, count: offset + 8)
        var length = socklen_t(info.count)
        guard getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &info, &length) == 0,
            Int(length) == info.count
        else { return nil }
        return info.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
    }
}
