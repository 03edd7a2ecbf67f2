import CMosquitto
import GatewayModel
import Glibc
import RealTime

/// One libmosquitto client, for one connection: made for the attempt, freed at its end.
///
/// Never used for a second connection: the library would resend the messages that it kept from the first, and the
/// outbox does that. Used on the mqtt thread alone; freed exactly once, by `deinit`.
final class BrokerConnection {
    let client: OpaquePointer
    /// The callbacks' userdata. Outlives `client`: stored properties go after `deinit` has run.
    let board = NoticeBoard()
    let settings: BrokerSettings
    let broker: BrokerEndpoint
    let manner: Manner
    let will: Publication?
    /// TCP is up. Before that, the library must not touch the socket (see `establish`).
    private(set) var isEstablished = false
    /// The broker or the line has ended the connection, and not the gateway because of a packet.
    private(set) var isHungUp = false

    /// Options of CONNECT. An option is left out only if the broker refused it.
    struct Manner: Hashable, Sendable {
        var version = ProtocolVersion.v5
        /// False for a broker that keeps no retained messages (0x9A): it would refuse the will, and with it
        /// the connection.
        var mayRetain = true
        /// False for a broker that closes the connection on a CONNECT with a will: 256 bytes are too much for some.
        var mayWill = true
        /// See `BrokerSettings.checksDates`. Chosen for each attempt.
        var checksDates = true
    }

    /// mosquitto_lib_init counts without a lock; a static is initialised once, by the first thread that uses it. Never
    /// undone: another session of the process may be using the library.
    private static let library = mosquitto_lib_init()

    init(
        _ settings: BrokerSettings, to broker: BrokerEndpoint, _ manner: Manner, will: Publication? = nil
    ) throws(BrokerError) {
        guard Self.library == MOSQ_ERR_SUCCESS.rawValue else {
            throw .system("mosquitto_lib_init failed: \(errorText(Self.library))")
        }
        self.settings = settings
        self.broker = broker
        self.manner = manner
        self.will = will
        // Messages that were sent to the gateway during its absence are wanted; the outbox keeps its own messages on
        // disk.
        let isCleanStart = settings.sessionExpiry == .zero
        let userdata = Unmanaged.passUnretained(board).toOpaque()
        guard let client = mosquitto_new(settings.clientID, isCleanStart, userdata) else {
            throw .system("mosquitto_new failed: \(String(cString: strerror(errno)))")
        }
        self.client = client
        setCallbacks(of: client)
        try configure()
    }

    deinit { mosquitto_destroy(client) }

    /// -1 when the library has closed it.
    var descriptor: Int32 { mosquitto_socket(client) }

    var wantsToWrite: Bool { mosquitto_want_write(client) }

    /// Starts to connect; the CONNECT follows when TCP is up.
    ///
    /// libmosquitto looks the name up here, and blocks for as long as the resolver takes (resolv.conf(5): 5 s, twice,
    /// per name server). `NameLookup` has had an answer a moment before.
    /// - Returns: nil, or the failure.
    func open() -> String? {
        let seconds = Int32(clamping: settings.keepAlive.components.seconds)
        let result = mosquitto_connect_async(client, broker.host, Int32(broker.port), seconds)
        return result == MOSQ_ERR_SUCCESS.rawValue ? nil : failureText(result, errno)
    }

    /// To be called when the socket first becomes writable.
    ///
    /// Asks the kernel for the result of TCP's connect. libmosquitto 2.0.11 does not: under TLS it takes a refused
    /// connection for one in progress, for ever (net__socket_connect_tls, SSL_ERROR_SYSCALL).
    /// - Returns: nil, or the failure.
    func establish() -> String? {
        var number: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &length) == 0 else {
            return SystemCallError("getsockopt").description
        }
        guard number == 0 else { return SystemCallError("connect", number: number).description }
        // The kernel reports an error once, and OpenSSL may have read it: then only the peer is missing.
        var peer = sockaddr_storage()
        length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let hasPeer = withUnsafeMutableBytes(of: &peer) { bytes in
            getpeername(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress!, &length) == 0
        }
        guard hasPeer else { return "Connection refused or reset by \(broker.host) port \(broker.port)" }
        isEstablished = true
        return nil
    }

    /// Reads the available bytes; never blocks. Fills `board.notices`.
    ///
    /// Nothing is written: acknowledgements of the messages read wait for `write` (see `holdAcknowledgements`). To be
    /// called whether or not poll reported the descriptor: TLS may hold bytes that poll cannot see, and a handshake
    /// goes on by reading.
    /// - Returns: nil, or how the connection ended.
    func read() -> String? {
        failure(of: mosquitto_loop_read(client, 1))
    }

    /// Whether the kernel holds bytes of the broker, or the end of the connection.
    var isReadable: Bool { Poll.wait([Poll.Interest(descriptor)], timeout: .zero).readable[0] }

    /// Writes waiting packets, and keeps the connection alive; never blocks.
    /// - Returns: nil, or how the connection ended.
    func write() -> String? {
        if let failure = failure(of: mosquitto_loop_misc(client)) { return failure }
        return failure(of: mosquitto_loop_write(client, 1))
    }

    /// Sets whether packets wait in the kernel for a full TCP segment, until this is set to false: at most for 200 ms,
    /// tcp(7) TCP_CORK. The library writes each packet by itself.
    func setGathering(_ isGathering: Bool) {
        var value: Int32 = isGathering ? 1 : 0
        setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_CORK, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// The library signals a DISCONNECT packet by a result of 0 with the socket closed.
    private func failure(of result: Int32) -> String? {
        let number = errno
        isHungUp = isHungUp || result == MOSQ_ERR_CONN_LOST.rawValue
        if result != MOSQ_ERR_SUCCESS.rawValue { return failureText(result, number) }
        return descriptor < 0 ? "the broker closed the connection" : nil
    }

    /// Whether the peer has closed the connection. Needed during the TLS handshake, when the library overlooks a reset.
    var isPeerGone: Bool {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
        return count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)
    }

    /// Stops the library's log. Call it once connected: formatting a log line for every packet costs time.
    func stopListeningToLog() {
        mosquitto_log_callback_set(client, nil)
    }

    /// Returns the library's error with the lines that it logged about it; `number` is errno right after the call.
    func failureText(_ result: Int32, _ number: Int32) -> String {
        let lines = board.takeErrorLines()
        let text =
            switch result {
            case Int32(MOSQ_ERR_ERRNO.rawValue): String(cString: strerror(number))
            case Int32(MOSQ_ERR_EAI.rawValue):
                "cannot look up \(broker.host): \(String(cString: gai_strerror(number)))"
            // mosquitto_strerror of 2.0.11 has no text for this error.
            case Int32(MOSQ_ERR_KEEPALIVE.rawValue): "the broker did not answer the keep-alive"
            default: errorText(result)
            }
        return lines.isEmpty ? text : "\(text) (\(lines.joined(separator: "; ")))"
    }
}

/// Returns libmosquitto's text for one of its error numbers.
func errorText(_ result: Int32) -> String {
    String(cString: mosquitto_strerror(result))
}
