import CSIP
import GatewayModel
import Glibc
import RealTime

/// Event of the SIP library.
public enum SIPEvent {
    /// The final answer to a request; `body` is empty where there is none.
    case answered(String, status: Int, phrase: String, body: [UInt8])
    /// Nobody answered, or nobody could be reached.
    case failed(String, reason: String)
    /// A MESSAGE of the server's own, answered with 200 already.
    case message([UInt8])
    case registered
    case registrationFailed(reason: String)
}

/// Use of an endpoint.
public enum SIPService: Hashable, Sendable {
    /// Messages of these media types come in.
    case messages(mediaTypes: [String])
    /// Calls go out; no call and no message comes in.
    case calls

    var methods: String {
        switch self {
        case .messages: "MESSAGE, OPTIONS"
        case .calls: "INVITE, ACK, BYE, CANCEL, INFO, OPTIONS"
        }
    }
}

/// libre's SIP user agent for one way to one server: transactions, retransmissions, digest, TLS.
///
/// Made, used and dropped on the thread that runs libre's loop, which calls back from there. Each pointer
/// into libre is released in `deinit`, also where `init` fails.
public final class SIPEndpoint {
    public let way: SIPRoute
    /// Numeric: the server's addresses. No other is heard.
    private let peers: [String]
    /// Limit of the server's requests per second: see `SIPIntake`.
    private var intake = SIPIntake()
    let server: SIPServer
    private let service: SIPService
    private let onEvent: (SIPEvent) -> Void
    fileprivate let checksDates: @Sendable () -> Bool
    var sip: OpaquePointer?
    /// Of calls; nil where none are made.
    private(set) var sessions: OpaquePointer?
    private var resolver: OpaquePointer?
    private var listener: OpaquePointer?
    private var registration: OpaquePointer?
    private var tls: OpaquePointer?
    private let trust: UnsafeMutablePointer<csip_server>
    /// No callback may touch the endpoint while it is torn down.
    private(set) var isClosed = false

    /// - Parameter checksDates: whether the dates of the server's certificate are checked; asked at each handshake.
    public init(
        way: SIPRoute, peers: [String], server: SIPServer, for service: SIPService,
        checksDates: @escaping @Sendable () -> Bool = { true }, onEvent: @escaping (SIPEvent) -> Void
    ) throws(SIPFailure) {
        self.way = way
        self.peers = [way.address] + peers.filter { $0 != way.address }
        self.server = server
        self.service = service
        self.onEvent = onEvent
        self.checksDates = checksDates
        trust = .allocate(capacity: 1)
        trust.initialize(to: csip_server())
        // Requests within a call go to the host that the other side names; without a resolver only to addresses.
        if service == .calls { _ = csip_resolver(&resolver) }
        // 32: sizes of hash tables, powers of two; a house has a handful of transactions.
        try check(sip_alloc(&sip, resolver, 32, 32, 32, "HomeGateway", nil, nil), "starting SIP")
        try openTransport()
        let this = Unmanaged.passUnretained(self).toOpaque()
        // First, so that requests within a call come to it.
        if service == .calls {
            try check(sipsess_listen(&sessions, sip, 32, callCame, this), "listening for calls")
        }
        try check(sip_listen(&listener, sip, true, requestCame, this), "listening for \(server.name)")
    }

    deinit {
        isClosed = true
        mem_deref(registration.map { UnsafeMutableRawPointer($0) })
        mem_deref(listener.map { UnsafeMutableRawPointer($0) })
        if let sessions {
            sipsess_close_all(sessions)
            mem_deref(UnsafeMutableRawPointer(sessions))
        }
        // Ends the requests under way, each with ECONNABORTED, and so the last references to `sip`.
        sip_close(sip, true)
        mem_deref(sip.map { UnsafeMutableRawPointer($0) })
        mem_deref(resolver.map { UnsafeMutableRawPointer($0) })
        mem_deref(tls.map { UnsafeMutableRawPointer($0) })
        trust.deallocate()
    }

    private func openTransport() throws(SIPFailure) {
        var local = sa()
        try check(sa_set_str(&local, way.source, server.localPort), "using \(way.source)")
        let kind: sip_transp
        switch server.transport {
        case .udp: kind = SIP_TRANSP_UDP
        case .tcp: kind = SIP_TRANSP_TCP
        case .tls(let caFile):
            kind = SIP_TRANSP_TLS
            setServerName(server.host)
            trust.pointee.checks_dates = areDatesChecked
            trust.pointee.argument = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
            try check(tls_alloc(&tls, TLS_METHOD_SSLV23, nil, nil), "starting TLS")
            try check(
                csip_verify_server(tls, trust, caFile),
                "reading the authorities\(caFile.map { " in \($0)" } ?? ""), expected PEM")
        }
        try check(
            csip_add_transport(sip, kind, &local, tls),
            "opening port \(server.localPort) of \(way.source)")
        try check(hearOnlyPeers(over: kind), "shutting out others than \(server.host)")
    }

    private func hearOnlyPeers(over kind: sip_transp) -> Int32 {
        var texts = peers.map { strdup($0) }
        defer { for text in texts { free(text) } }
        return texts.withUnsafeMutableBufferPointer { texts in
            texts.withMemoryRebound(to: UnsafePointer<CChar>?.self) { texts in
                csip_hear_only(sip, kind, texts.baseAddress, texts.count)
            }
        }
    }

    private func setServerName(_ name: String) {
        // The settings hold it below the 256 bytes there are, the last of which stays 0.
        withUnsafeMutableBytes(of: &trust.pointee.name) { room in
            room.copyBytes(from: name.utf8.prefix(room.count - 1))
        }
    }

    func check(_ error: Int32, _ doing: String) throws(SIPFailure) {
        guard error == 0 else { throw SIPFailure("\(doing): \(words(error))") }
    }

    /// An error number of libre, with the fault that TLS found in the server.
    private func words(_ error: Int32) -> String {
        let text = String(cString: strerror(error))
        guard case .tls = server.transport else { return text }
        let trouble = withUnsafeBytes(of: trust.pointee.trouble) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return trouble.isEmpty ? text : "\(text), TLS: \(trouble)"
    }

    func unreachable(_ error: Int32) -> String {
        "\(server.name) cannot be reached at \(server.host) (\(way.address)) port \(way.port): "
            + "\(words(error)); check address, port and transport"
    }

    /// The server itself, as the next hop of a request.
    var hop: String { way.uri(server.transport) }
}

extension String {
    /// libre's text, which is not terminated.
    init(_ text: pl) {
        let bytes = UnsafeBufferPointer(start: text.p, count: text.p == nil ? 0 : text.l)
        self.init(decoding: bytes.lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

extension UnsafePointer<sip_msg> {
    /// The body by its Content-Length, no longer than the message.
    var body: [UInt8] {
        guard let buffer = pointee.mb else { return [] }
        let left = mbuf_get_left(buffer)
        let said = withUnsafePointer(to: pointee.clen) { $0.pointee.p == nil ? left : Int(pl_u32($0)) }
        return Array(UnsafeBufferPointer(start: mbuf_buf(buffer), count: Swift.min(left, said)))
    }
}

/// Request outside of any dialog.
public struct SIPRequest: Hashable, Sendable {
    /// As its outcome names it.
    public let id: String
    let method: String
    let uri: String
    let to: String
    let mediaType: String?
    let body: [UInt8]

    /// `MESSAGE`.
    public static func message(_ id: String, to uri: String, mediaType: String, body: String) -> SIPRequest {
        SIPRequest(id: id, method: "MESSAGE", uri: uri, to: uri, mediaType: mediaType, body: Array(body.utf8))
    }

    /// Asks the server whether it is there.
    public static func options(_ id: String, to uri: String) -> SIPRequest {
        SIPRequest(id: id, method: "OPTIONS", uri: uri, to: uri, mediaType: nil, body: [])
    }

    /// Asks the server for the addresses of the account; it changes none of them, for it names none
    /// (RFC 3261 section 10.2.3).
    public static func bindings(_ id: String, of server: SIPServer) -> SIPRequest {
        SIPRequest(
            id: id, method: "REGISTER", uri: server.registrar, to: server.fromURI, mediaType: nil, body: [])
    }
}

/// One request with the parts that libre needs to send it again with credentials.
private final class OutgoingRequest {
    let request: SIPRequest
    weak var endpoint: SIPEndpoint?
    var auth: OpaquePointer?
    private let callID = UInt64.random(in: 0 ... .max)
    private let tag = UInt64.random(in: 0 ... .max)
    var sequence: UInt32 = 0

    init(_ request: SIPRequest, of endpoint: SIPEndpoint) {
        self.request = request
        self.endpoint = endpoint
    }

    deinit { mem_deref(auth.map { UnsafeMutableRawPointer($0) }) }

    /// No Contact: RFC 3428 section 4 forbids it in MESSAGE.
    func headers(from: String) -> String {
        """
        To: <\(request.to)>\r
        From: <\(from)>;tag=\(String(tag, radix: 16))\r
        Call-ID: \(String(callID, radix: 16))\r
        CSeq: \(sequence) \(request.method)\r
        User-Agent: HomeGateway\r\n
        """ + (request.mediaType.map { "Content-Type: \($0)\r\n" } ?? "")
    }
}

extension SIPEndpoint {
    /// Sends in a transaction; ends in one `answered` or `failed`, unless the endpoint is dropped before.
    public func send(_ request: SIPRequest) {
        let outgoing = OutgoingRequest(request, of: self)
        if server.credentials != nil {
            sip_auth_alloc(&outgoing.auth, giveCredentials, Unmanaged.passUnretained(self).toOpaque(), false)
        }
        transmit(outgoing)
    }

    private func transmit(_ outgoing: OutgoingRequest) {
        outgoing.sequence += 1
        let request = outgoing.request
        // Released by the final callback, or below where there will be none.
        let retained = Unmanaged.passRetained(outgoing)
        let error = hop.withCString { text -> Int32 in
            var whole = pl(p: text, l: strlen(text))
            var route = uri()
            let error = uri_decode(&route, &whole)
            guard error == 0 else { return error }
            return csip_request(
                sip, request.method, request.uri, &route, outgoing.auth, answerCame, retained.toOpaque(),
                outgoing.headers(from: server.fromURI), request.body, request.body.count)
        }
        guard error != 0 else { return }
        retained.release()
        onEvent(.failed(request.id, reason: unreachable(error)))
    }

    fileprivate func came(_ error: Int32, _ answer: UnsafePointer<sip_msg>?, to outgoing: OutgoingRequest) {
        let id = outgoing.request.id
        guard let answer, error == 0 else { return onEvent(.failed(id, reason: unreachable(error))) }
        let status = Int(answer.pointee.scode)
        // Once; a second challenge means that the password is wrong.
        if status == 401 || status == 407, outgoing.sequence == 1, let auth = outgoing.auth,
            sip_auth_authenticate(auth, answer) == 0
        {
            return transmit(outgoing)
        }
        onEvent(.answered(id, status: status, phrase: String(answer.pointee.reason), body: answer.body))
    }

    /// Where the account asks for it: an address of this box is kept known at the server, for an hour at a
    /// time; libre renews it at 90 %. Requests do not wait for it, nor need it.
    public func register() {
        guard server.registers else { return }
        let error = csip_register(
            &registration, sip, server.registrar, server.fromURI, 3600, server.contactUser, hop,
            giveCredentials, registrationAnswered, Unmanaged.passUnretained(self).toOpaque())
        if error != 0 { onEvent(.registrationFailed(reason: words(error))) }
    }

    fileprivate func registrationCame(_ error: Int32, _ answer: UnsafePointer<sip_msg>?) {
        guard let answer, error == 0 else { return onEvent(.registrationFailed(reason: unreachable(error))) }
        let status = answer.pointee.scode
        guard status >= 200 else { return }
        onEvent(
            status < 300
                ? .registered
                : .registrationFailed(
                    reason: "\(status) \(String(answer.pointee.reason)); check user, password and from URI"))
    }
}

// Called by libre on the thread of its loop.

/// By OpenSSL, within a handshake.
private func areDatesChecked(argument: UnsafeRawPointer?) -> Bool {
    guard let argument else { return true }
    return Unmanaged<SIPEndpoint>.fromOpaque(argument).takeUnretainedValue().checksDates()
}

private func answerCame(error: Int32, answer: UnsafePointer<sip_msg>?, argument: UnsafeMutableRawPointer?) {
    guard let argument else { return }
    // 1xx comes before the end, as often as the server likes.
    if let answer, error == 0, answer.pointee.scode < 200 { return }
    let outgoing = Unmanaged<OutgoingRequest>.fromOpaque(argument).takeRetainedValue()
    guard let endpoint = outgoing.endpoint, !endpoint.isClosed else { return }
    endpoint.came(error, answer, to: outgoing)
}

private func registrationAnswered(
    error: Int32, answer: UnsafePointer<sip_msg>?, argument: UnsafeMutableRawPointer?
) {
    guard let argument else { return }
    let endpoint = Unmanaged<SIPEndpoint>.fromOpaque(argument).takeUnretainedValue()
    if !endpoint.isClosed { endpoint.registrationCame(error, answer) }
}

/// libre owns the copies.
func giveCredentials(
    user: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
    password: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, realm: UnsafePointer<CChar>?,
    argument: UnsafeMutableRawPointer?
) -> Int32 {
    guard let argument else { return EINVAL }
    let endpoint = Unmanaged<SIPEndpoint>.fromOpaque(argument).takeUnretainedValue()
    guard let credentials = endpoint.server.credentials else { return ENOENT }
    let error = str_dup(user, credentials.user)
    return error != 0 ? error : str_dup(password, credentials.password)
}

// MARK: Requests of the server

extension SIPEndpoint {
    /// Every request gets its answer, with any content: a sender that hears nothing sends again.
    ///
    /// The answers are stateless (RFC 3261 section 8.2.7). A transaction of libre keeps some 10 KB for 32 s, so that a
    /// flood of requests would fill the memory of the gateway. A retransmission is answered anew; its receiver counts
    /// it once.
    fileprivate func came(_ request: UnsafePointer<sip_msg>) {
        guard intake.takes(at: Clock.boot()) else { return }
        switch (String(request.pointee.met), service) {
        case ("MESSAGE", .messages(let mediaTypes)):
            guard mediaTypes.contains(mediaType(of: request)) else {
                _ = sip_reply(sip, request, 415, "Unsupported Media Type")
                return
            }
            _ = sip_reply(sip, request, 200, "OK")
            onEvent(.message(request.body))
        case ("OPTIONS", _): _ = sip_reply(sip, request, 200, "OK")
        case ("ACK", _): break
        default: _ = csip_refuse_method(sip, request, service.methods)
        }
    }

    private func mediaType(of request: UnsafePointer<sip_msg>) -> String {
        "\(String(request.pointee.ctyp.type))/\(String(request.pointee.ctyp.subtype))".lowercased()
    }

    /// A house takes no call: nobody there is asked whether it is welcome.
    fileprivate func refuse(_ call: UnsafePointer<sip_msg>) {
        guard intake.takes(at: Clock.boot()) else { return }
        _ = sip_reply(sip, call, 603, "Decline")
    }
}

/// libre gives it every request, each retransmission too.
private func requestCame(request: UnsafePointer<sip_msg>?, argument: UnsafeMutableRawPointer?) -> Bool {
    guard let request, let argument else { return false }
    let endpoint = Unmanaged<SIPEndpoint>.fromOpaque(argument).takeUnretainedValue()
    if !endpoint.isClosed { endpoint.came(request) }
    return true
}

private func callCame(request: UnsafePointer<sip_msg>?, argument: UnsafeMutableRawPointer?) {
    guard let request, let argument else { return }
    let endpoint = Unmanaged<SIPEndpoint>.fromOpaque(argument).takeUnretainedValue()
    if !endpoint.isClosed { endpoint.refuse(request) }
}

/// How many requests the server's address may send. A house gets one for each message of its own. Pure.
struct SIPIntake {
    /// Per second: ten alarms at once, each answered and confirmed, with all retransmissions.
    static let perSecond = 50

    private var second: BootInstant?
    private var count = 0

    /// Whether a request that comes `now` is looked at. One that is not gets no answer: a sender that means it sends it
    /// again.
    mutating func takes(at now: BootInstant) -> Bool {
        if second.map({ $0.duration(to: now) >= .seconds(1) }) ?? true { (second, count) = (now, 0) }
        count += 1
        return count <= Self.perSecond
    }
}
