import CSIP
import Glibc

/// What the SIP library has to say.
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
    let onEvent: (SIPEvent) -> Void
    var sip: OpaquePointer?
    private var listener: OpaquePointer?
    var registration: OpaquePointer?
    private var tls: OpaquePointer?
    private let server: UnsafeMutablePointer<csip_server>
    /// No callback may touch what is being torn down.
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
        // Ends what is under way, each with ECONNABORTED, and so the last references to `sip`.
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

    /// An error number of libre, with what TLS had against the server.
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
    /// What its Content-Length says belongs to it, no more than there is.
    var body: [UInt8] {
        guard let buffer = pointee.mb else { return [] }
        let left = mbuf_get_left(buffer)
        let said = withUnsafePointer(to: pointee.clen) { $0.pointee.p == nil ? left : Int(pl_u32($0)) }
        return Array(UnsafeBufferPointer(start: mbuf_buf(buffer), count: Swift.min(left, said)))
    }
}
