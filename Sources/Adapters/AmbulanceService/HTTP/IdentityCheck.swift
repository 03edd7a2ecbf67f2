import CCurl
import Glibc
import RealTime

/// Has OpenSSL load the certificates and the key once, so that a bad one is found at the start.
///
/// libcurl loads them only when it has a connection. It is given one to this process itself, on the loopback
/// interface, that is closed at once: the files have been taken or refused by then.
enum IdentityCheck {
    static func run(_ material: TLSMaterial) throws(AmbulanceServiceError) {
        let door = try ClosedDoor()
        let handle = try CurlHandle()
        try handle.protect(material, encrypted: true)
        try handle.set(CURLOPT_URL, "https://127.0.0.1:\(door.port)/")
        // Nothing here waits for anyone: a limit for what cannot be.
        try handle.set(CURLOPT_TIMEOUT_MS, 5_000)
        let code = try outcome(handle, door)
        // What libcurl says of a certificate, a key, authorities, and of parts it was built without. Anything
        // else came after the files were taken.
        let aboutFiles: [CURLcode] = [
            CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_NOTFOUND,
            CURLE_OUT_OF_MEMORY, CURLE_NOT_BUILT_IN, CURLE_BAD_FUNCTION_ARGUMENT, CURLE_OPERATION_TIMEDOUT,
            CURLE_COULDNT_CONNECT,
        ]
        guard !aboutFiles.contains(code) else {
            throw .unusableFile(
                "\(handle.words(for: code)); expected PEM: the authorities, the certificate, and the unencrypted "
                    + "key that belongs to it")
        }
    }

    private static func outcome(
        _ handle: CurlHandle, _ door: ClosedDoor
    ) throws(AmbulanceServiceError) -> CURLcode {
        signal(SIGPIPE, SIG_IGN)
        guard let multi = curl_multi_init() else { throw .system("libcurl does not start") }
        defer { curl_multi_cleanup(multi) }
        guard curl_multi_add_handle(multi, handle.raw) == CURLM_OK else {
            throw .system("libcurl does not start")
        }
        defer { curl_multi_remove_handle(multi, handle.raw) }
        while true {
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            if let message = curl_multi_info_read(multi, &running) { return message.pointee.data.result }
            door.turnAway()
            var knock = curl_waitfd(fd: door.descriptor, events: Int16(CURL_WAIT_POLLIN), revents: 0)
            curl_multi_poll(multi, &knock, 1, 100, nil)
        }
    }
}

/// Takes connections on a free port of the loopback interface, and closes them.
private final class ClosedDoor {
    let descriptor: Int32
    let port: UInt16

    init() throws(AmbulanceServiceError) {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        descriptor = socket(AF_INET, kind, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = descriptor
        let isOpen = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(listener, generic, length) == 0 && listen(listener, 1) == 0
                    && getsockname(listener, generic, &length) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard isOpen else {
            let error = SystemCallError("listen on the loopback interface")
            throw .system("the certificate files cannot be tried: \(error)")
        }
    }

    deinit { close(descriptor) }

    func turnAway() {
        let connection = accept(descriptor, nil, nil)
        if connection >= 0 { close(connection) }
    }
}
