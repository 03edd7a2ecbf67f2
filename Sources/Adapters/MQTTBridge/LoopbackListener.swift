import Glibc
import RealTime

/// A TCP port of 127.0.0.1 that takes connections and never answers, for as long as it lives.
struct LoopbackListener: ~Copyable {
    private let descriptor: Int32
    let port: UInt16

    init() throws(BrokerError) {
        let created = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard created >= 0 else { throw .system(SystemCallError("socket").description) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let failed = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(created, generic, length) != 0 || listen(created, 1) != 0
                    || getsockname(created, generic, &length) != 0
            }
        }
        guard !failed else {
            let error = SystemCallError("bind, listen or getsockname on 127.0.0.1")
            close(created)
            throw .system(error.description)
        }
        descriptor = created
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }
}
