import CSIP
import GatewayModel
import Glibc
import RealTime

/// Event of the SIP library.
enum SIPEvent {
    /// The final answer to a message; `body` is empty where there is none.
    case answered(SCAIPReference, status: Int, phrase: String, body: [UInt8])
    /// Nobody answered, or nobody could be reached.
    case failed(SCAIPReference, reason: String)
    /// A MESSAGE of the centre's own, answered with 200 already.
    case message([UInt8])
    case registered
    case registrationFailed(reason: String)
}

/// libre's SIP user agent for one way to one server: transactions, retransmissions, digest, TLS.
///
/// Made, used and dropped on the thread that runs libre's loop, which calls back from there. Each pointer
/// into libre is released in `deinit`, also where `init` fails.
final class SIPStack {
    let way: SIPRoute
    /// Numeric: the centre's addresses. No other is heard.
    private let peers: [String]
    /// Limit of the centre's messages per second: see `SIPIntake`.
    var intake = SIPIntake()
    let checked: SCAIPChannel.Settings.Checked
    private let onEvent: (SIPEvent) -> Void
    var sip: OpaquePointer?
    private var listener: OpaquePointer?
    var registration: OpaquePointer?
    private var tls: OpaquePointer?
    private let server: UnsafeMutablePointer<csip_server>
    /// No callback may touch the stack while it is torn down.
    private(set) var isClosed = false

    init(
        way: SIPRoute, peers: [String], checked: SCAIPChannel.Settings.Checked,
        onEvent: @escaping (SIPEvent) -> Void
    ) throws(SCAIPError) {
        self.way = way
        self.peers = [way.address] + peers.filter { $0 != way.address }
        self.checked = checked
        self.onEvent = onEvent
        server = .allocate(capacity: 1)
        server.initialize(to: csip_server())
        // 32: sizes of hash tables, powers of two; a house has a handful of transactions.
        try check(sip_alloc(&sip, nil, 32, 32, 32, "HomeGateway", nil, nil), "starting SIP")
        try openTransport()
        try check(
            sip_listen(&listener, sip, true, requestCame, Unmanaged.passUnretained(self).toOpaque()),
            "listening for the centre")
    }

    deinit {
        isClosed = true
        mem_deref(registration.map { UnsafeMutableRawPointer($0) })
        mem_deref(listener.map { UnsafeMutableRawPointer($0) })
        // Ends the requests under way, each with ECONNABORTED, and so the last references to `sip`.
        sip_close(sip, true)
        mem_deref(sip.map { UnsafeMutableRawPointer($0) })
        mem_deref(tls.map { UnsafeMutableRawPointer($0) })
        server.deallocate()
    }

    private func openTransport() throws(SCAIPError) {
        let settings = checked.settings
        var local = sa()
        try check(sa_set_str(&local, way.source, settings.localPort), "using \(way.source)")
        let kind: sip_transp
        switch settings.transport {
        case .udp: kind = SIP_TRANSP_UDP
        case .tcp: kind = SIP_TRANSP_TCP
        case .tls(let caFile):
            kind = SIP_TRANSP_TLS
            setServerName(settings.host)
            try check(tls_alloc(&tls, TLS_METHOD_SSLV23, nil, nil), "starting TLS")
            try check(
                csip_verify_server(tls, server, caFile),
                "reading the authorities\(caFile.map { " in \($0)" } ?? ""), expected PEM")
        }
        try check(
            csip_add_transport(sip, kind, &local, tls),
            "opening port \(settings.localPort) of \(way.source)")
        try check(hearOnlyPeers(over: kind), "shutting out others than \(settings.host)")
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
        // `checked()` has held it below the 256 bytes there are, the last of which stays 0.
        withUnsafeMutableBytes(of: &server.pointee.name) { room in
            room.copyBytes(from: name.utf8.prefix(room.count - 1))
        }
    }

    private func check(_ error: Int32, _ doing: String) throws(SCAIPError) {
        guard error == 0 else { throw .system("\(doing): \(words(error))") }
    }

    /// An error number of libre, with the fault that TLS found in the server.
    func words(_ error: Int32) -> String {
        let text = String(cString: strerror(error))
        guard case .tls = checked.settings.transport else { return text }
        let trouble = withUnsafeBytes(of: server.pointee.trouble) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return trouble.isEmpty ? text : "\(text), TLS: \(trouble)"
    }
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

/// One message with the parts that libre needs to send it again with credentials.
final class OutgoingMessage {
    let reference: SCAIPReference
    let body: [UInt8]
    fileprivate weak var stack: SIPStack?
    fileprivate var auth: OpaquePointer?
    private let callID = UInt64.random(in: 0 ... .max)
    private let tag = UInt64.random(in: 0 ... .max)
    fileprivate var sequence: UInt32 = 0

    fileprivate init(_ reference: SCAIPReference, _ body: [UInt8], stack: SIPStack) {
        self.reference = reference
        self.body = body
        self.stack = stack
    }

    deinit { mem_deref(auth.map { UnsafeMutableRawPointer($0) }) }

    /// No Contact: RFC 3428 section 4 forbids it in MESSAGE.
    fileprivate func headers(_ settings: SCAIPChannel.Settings) -> String {
        """
        To: <\(settings.centreURI)>\r
        From: <\(settings.fromURI)>;tag=\(String(tag, radix: 16))\r
        Call-ID: \(String(callID, radix: 16))\r
        CSeq: \(sequence) MESSAGE\r
        User-Agent: HomeGateway\r\n
        """
    }
}

extension SIPStack {
    /// The media type that devices in the field send.
    private static let mediaType = "application/scaip+xml"

    /// Sends in a transaction; ends in one `answered` or `failed`, unless the stack is dropped before.
    func send(_ xml: String, as reference: SCAIPReference) {
        let message = OutgoingMessage(reference, Array(xml.utf8), stack: self)
        if checked.credentials != nil {
            sip_auth_alloc(&message.auth, giveCredentials, Unmanaged.passUnretained(self).toOpaque(), false)
        }
        transmit(message)
    }

    private func transmit(_ message: OutgoingMessage) {
        message.sequence += 1
        // Released by the final callback, or below where there will be none.
        let retained = Unmanaged.passRetained(message)
        let error = way.uri(checked.settings.transport).withCString { text -> Int32 in
            var whole = pl(p: text, l: strlen(text))
            var route = uri()
            let error = uri_decode(&route, &whole)
            guard error == 0 else { return error }
            return csip_message(
                sip, checked.settings.centreURI, &route, message.auth, answerCame, retained.toOpaque(),
                message.headers(checked.settings), Self.mediaType, message.body, message.body.count)
        }
        guard error != 0 else { return }
        retained.release()
        onEvent(.failed(message.reference, reason: unreachable(error)))
    }

    fileprivate func came(_ error: Int32, _ answer: UnsafePointer<sip_msg>?, to message: OutgoingMessage) {
        guard let answer, error == 0 else {
            return onEvent(.failed(message.reference, reason: unreachable(error)))
        }
        let status = Int(answer.pointee.scode)
        // Once; a second challenge means that the password is wrong.
        if status == 401 || status == 407, message.sequence == 1, let auth = message.auth,
            sip_auth_authenticate(auth, answer) == 0
        {
            return transmit(message)
        }
        onEvent(
            .answered(
                message.reference, status: status, phrase: String(answer.pointee.reason), body: answer.body))
    }

    private func unreachable(_ error: Int32) -> String {
        let settings = checked.settings
        return
            "\(settings.centreName) cannot be reached at \(settings.host) (\(way.address)) port \(way.port): "
            + "\(words(error)); check address, port and transport"
    }

    /// Where the account asks for it: an address of this box is kept known at the server, for an hour at a
    /// time; libre renews it at 90 %. Messages do not wait for it, nor need it.
    func register() {
        let settings = checked.settings
        guard settings.account?.registers == true else { return }
        let error = csip_register(
            &registration, sip, settings.registrar, settings.fromURI, 3600, settings.contactUser,
            way.uri(settings.transport), giveCredentials, registrationAnswered,
            Unmanaged.passUnretained(self).toOpaque())
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

extension SCAIPChannel.Settings {
    /// RFC 3261 section 10.2: the domain alone.
    fileprivate var registrar: String { "sip:" + (fromURI.split(separator: "@").last.map(String.init) ?? host) }

    fileprivate var contactUser: String {
        fromURI.contains("@") ? String(fromURI.dropFirst(4).prefix { $0 != "@" && $0 != ":" }) : controllerID
    }
}

// Called by libre on the thread of its loop.

private func answerCame(error: Int32, answer: UnsafePointer<sip_msg>?, argument: UnsafeMutableRawPointer?) {
    guard let argument else { return }
    // 1xx comes before the end, as often as the server likes.
    if let answer, error == 0, answer.pointee.scode < 200 { return }
    let message = Unmanaged<OutgoingMessage>.fromOpaque(argument).takeRetainedValue()
    guard let stack = message.stack, !stack.isClosed else { return }
    stack.came(error, answer, to: message)
}

private func registrationAnswered(
    error: Int32, answer: UnsafePointer<sip_msg>?, argument: UnsafeMutableRawPointer?
) {
    guard let argument else { return }
    let stack = Unmanaged<SIPStack>.fromOpaque(argument).takeUnretainedValue()
    if !stack.isClosed { stack.registrationCame(error, answer) }
}

/// libre owns the copies.
private func giveCredentials(
    user: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
    password: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, realm: UnsafePointer<CChar>?,
    argument: UnsafeMutableRawPointer?
) -> Int32 {
    guard let argument else { return EINVAL }
    let stack = Unmanaged<SIPStack>.fromOpaque(argument).takeUnretainedValue()
    guard let credentials = stack.checked.credentials else { return ENOENT }
    let error = str_dup(user, credentials.user)
    return error != 0 ? error : str_dup(password, credentials.password)
}

// MARK: Requests of the centre

extension SIPStack {
    /// Every request gets its answer, with any content: a sender that hears nothing sends again.
    ///
    /// The answers are stateless (RFC 3261 section 8.2.7). A transaction of libre keeps some 10 KB for 32 s, so that a
    /// flood of requests would fill the memory of the gateway. A retransmission is answered anew; `CentreDialogue`
    /// counts it once.
    fileprivate func came(_ request: UnsafePointer<sip_msg>) {
        guard intake.takes(at: Clock.boot()) else { return }
        switch String(request.pointee.met) {
        case "MESSAGE":
            guard isXML(request) else {
                _ = sip_reply(sip, request, 415, "Unsupported Media Type")
                return
            }
            _ = sip_reply(sip, request, 200, "OK")
            onEvent(.message(request.body))
        case "OPTIONS": _ = sip_reply(sip, request, 200, "OK")
        case "ACK": break
        default: _ = csip_refuse_method(sip, request)
        }
    }

    private func isXML(_ request: UnsafePointer<sip_msg>) -> Bool {
        let type = "\(String(request.pointee.ctyp.type))/\(String(request.pointee.ctyp.subtype))".lowercased()
        return [Self.mediaType, "application/xml", "text/xml"].contains(type)
    }
}

/// libre gives it every request, each retransmission too.
func requestCame(request: UnsafePointer<sip_msg>?, argument: UnsafeMutableRawPointer?) -> Bool {
    guard let request, let argument else { return false }
    let stack = Unmanaged<SIPStack>.fromOpaque(argument).takeUnretainedValue()
    if !stack.isClosed { stack.came(request) }
    return true
}

/// How many requests the centre's address may send. A house gets one for each message of its own. Pure.
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
