import CSIP
import Glibc

/// One call that this box makes over an endpoint: G.711 to the other side, and the keys that are pressed there.
///
/// Used on the thread of the endpoint. Letting go of it ends the call, in each state.
public final class SIPCall {
    public enum Event: Hashable, Sendable {
        /// The server works on it, or it rings.
        case progress
        case answered
        case key(Character)
        case ended(End)
    }

    public enum End: Hashable, Sendable {
        /// The other side ended a call that it had answered.
        case hungUp
        /// It was refused with this status.
        case refused(status: Int, phrase: String)
        case failed(reason: String)
    }

    /// Samples per second.
    public static let rate = 8_000
    /// Samples of one packet: 20 ms.
    public static let frame = 160

    private let endpoint: SIPEndpoint
    private let onEvent: (Event) -> Void
    private var session: OpaquePointer?
    private var media: OpaquePointer?
    private var description: OpaquePointer?
    private var rtp: OpaquePointer?
    private var keys = PressedKeys()
    private var timestamp = UInt32.random(in: 0 ... .max)
    private var isFirst = true
    /// The other side answered with a description of its sound that cannot be read.
    private var isAnswerUnusable = false

    /// Ports of the audio: even ones are taken at random.
    private static let ports: ClosedRange<UInt16> = 16_384...24_576

    /// Begins to call.
    /// - Parameters:
    ///   - user: telephone number or name at the server.
    ///   - onEvent: called from within libre; must not let go of the call.
    public init(
        _ user: String, over endpoint: SIPEndpoint, onEvent: @escaping (Event) -> Void
    ) throws(SIPFailure) {
        self.endpoint = endpoint
        self.onEvent = onEvent
        let this = Unmanaged.passUnretained(self).toOpaque()
        var local = sa()
        try endpoint.check(sa_set_str(&local, endpoint.way.source, 0), "using \(endpoint.way.source)")
        try endpoint.check(
            rtp_listen(
                &rtp, Int32(IPPROTO_UDP), &local, Self.ports.lowerBound, Self.ports.upperBound, false,
                audioCame, nil, this), "opening a port for the voice")
        try endpoint.check(
            csip_voice_session(&description, &media, &local, sa_port(rtp_local(rtp))), "describing the voice")
        var offer: UnsafeMutablePointer<mbuf>?
        try endpoint.check(sdp_encode(&offer, description, true), "describing the voice")
        defer { mem_deref(offer) }
        let domain = endpoint.server.registrar.dropFirst(4)
        let error = csip_call(
            &session, endpoint.sessions, "sip:\(user)@\(domain)", endpoint.server.fromURI,
            endpoint.server.contactUser, endpoint.hop, offer, giveCredentials,
            Unmanaged.passUnretained(endpoint).toOpaque(), offerCame, answerCame, progressCame, established,
            infoCame, callClosed, this)
        guard error == 0 else { throw SIPFailure(endpoint.unreachable(error)) }
    }

    /// libre says CANCEL or BYE by itself, and none of its callbacks comes here any more.
    deinit {
        mem_deref(session.map { UnsafeMutableRawPointer($0) })
        mem_deref(rtp.map { UnsafeMutableRawPointer($0) })
        mem_deref(description.map { UnsafeMutableRawPointer($0) })
    }

    /// Sends 20 ms of sound; less is filled up with silence. Nothing leaves before the call is answered.
    public func send(_ samples: ArraySlice<Int16>) {
        guard let media, let remote = sdp_media_raddr(media), sa_isset(remote, Int32(SA_ALL.rawValue)),
            let code = coder(media), let buffer = mbuf_alloc(RTP_HEADER_SIZE + Self.frame)
        else { return }
        defer { mem_deref(buffer) }
        var payload = samples.prefix(Self.frame).map(code.encode)
        payload += [UInt8](repeating: code.encode(0), count: Self.frame - payload.count)
        let header = RTP_HEADER_SIZE
        buffer.pointee.pos = header
        buffer.pointee.end = header
        guard mbuf_write_mem(buffer, payload, payload.count) == 0 else { return }
        buffer.pointee.pos = header
        // A network that takes nothing now is no reason to end the call: the next packet follows.
        _ = rtp_send(rtp, remote, false, isFirst, code.type, timestamp, buffer)
        isFirst = false
        timestamp &+= UInt32(Self.frame)
    }

    /// Nil while the other side wants no sound, or none of ours. Both codes have fixed numbers (RFC 3551).
    private func coder(_ media: OpaquePointer) -> (type: UInt8, encode: (Int16) -> UInt8)? {
        guard sdp_media_rport(media) != 0 else { return nil }
        for name in [nil, "PCMA", "PCMU"] {
            switch sdp_media_rformat(media, name)?.pointee.pt {
            case 0: return (0, G711.muLaw)
            case 8: return (8, G711.aLaw)
            default: continue
            }
        }
        return nil
    }

    // MARK: Events of libre

    fileprivate func answered(_ message: UnsafePointer<sip_msg>) -> Int32 {
        let error = sdp_decode(description, message.pointee.mb, false)
        isAnswerUnusable = error != 0
        return error
    }

    /// The other side changes the call, as at a transfer or a hold.
    fileprivate func offered(
        _ message: UnsafePointer<sip_msg>, _ reply: UnsafeMutablePointer<UnsafeMutablePointer<mbuf>?>?
    ) -> Int32 {
        let isOffer = message.pointee.mb.map { mbuf_get_left($0) > 0 } ?? false
        if isOffer {
            let error = sdp_decode(description, message.pointee.mb, true)
            guard error == 0 else { return error }
        }
        return sdp_encode(reply, description, !isOffer)
    }

    fileprivate func progressed() { onEvent(.progress) }

    fileprivate func wasEstablished() { onEvent(.answered) }

    fileprivate func informed(_ message: UnsafePointer<sip_msg>) {
        let type = message.pointee.ctyp
        let mediaType = "\(String(type.type))/\(String(type.subtype))".lowercased()
        if let key = PressedKeys.key(inInfo: message.body, mediaType: mediaType) { onEvent(.key(key)) }
    }

    fileprivate func closed(_ error: Int32, _ message: UnsafePointer<sip_msg>?) {
        guard error == 0 else {
            return onEvent(
                .ended(
                    .failed(
                        reason: isAnswerUnusable
                            ? "the other side answered with no audio in G.711" : endpoint.unreachable(error))))
        }
        guard let message, message.pointee.scode >= 300 else { return onEvent(.ended(.hungUp)) }
        let status = Int(message.pointee.scode)
        // Of the other side: no longer than a line of the log.
        let phrase = String(String(message.pointee.reason).prefix(80))
        onEvent(.ended(.refused(status: status, phrase: phrase)))
    }

    /// Only from the host that the other side named: a key may accept a call for help.
    fileprivate func received(
        from source: UnsafePointer<sa>, _ header: UnsafePointer<rtp_header>, _ payload: [UInt8]
    ) {
        guard let media, let remote = sdp_media_raddr(media), csip_is_same_host(source, remote),
            isOfKeys(header.pointee.pt, media),
            let key = keys.received(payload, at: header.pointee.ts)
        else { return }
        onEvent(.key(key))
    }

    /// Our own type, or the one that the other side gave in its place.
    private func isOfKeys(_ type: UInt8, _ media: OpaquePointer) -> Bool {
        if Int(type) == Int(CSIP_KEYS_TYPE) { return true }
        guard let format = sdp_media_rformat(media, "telephone-event") else { return false }
        return Int(format.pointee.pt) == Int(type)
    }
}

extension SIPCall {
    fileprivate static func at(_ argument: UnsafeMutableRawPointer?) -> SIPCall? {
        argument.map { Unmanaged<SIPCall>.fromOpaque($0).takeUnretainedValue() }
    }
}

// Called by libre on the thread of its loop, while the call lives.

private func answerCame(message: UnsafePointer<sip_msg>?, argument: UnsafeMutableRawPointer?) -> Int32 {
    guard let message, let call = SIPCall.at(argument) else { return EINVAL }
    return call.answered(message)
}

private func offerCame(
    reply: UnsafeMutablePointer<UnsafeMutablePointer<mbuf>?>?, message: UnsafePointer<sip_msg>?,
    argument: UnsafeMutableRawPointer?
) -> Int32 {
    guard let message, let call = SIPCall.at(argument) else { return EINVAL }
    return call.offered(message, reply)
}

private func progressCame(message: UnsafePointer<sip_msg>?, argument: UnsafeMutableRawPointer?) {
    SIPCall.at(argument)?.progressed()
}

private func established(message: UnsafePointer<sip_msg>?, argument: UnsafeMutableRawPointer?) {
    SIPCall.at(argument)?.wasEstablished()
}

private func infoCame(
    sip: OpaquePointer?, message: UnsafePointer<sip_msg>?, argument: UnsafeMutableRawPointer?
) {
    guard let message, let call = SIPCall.at(argument) else { return }
    _ = sip_reply(sip, message, 200, "OK")
    call.informed(message)
}

private func callClosed(error: Int32, message: UnsafePointer<sip_msg>?, argument: UnsafeMutableRawPointer?) {
    SIPCall.at(argument)?.closed(error, message)
}

private func audioCame(
    source: UnsafePointer<sa>?, header: UnsafePointer<rtp_header>?, buffer: UnsafeMutablePointer<mbuf>?,
    argument: UnsafeMutableRawPointer?
) {
    guard let source, let header, let buffer, let call = SIPCall.at(argument) else { return }
    // A telephone event has 4 bytes; sound is not listened to.
    let count = min(mbuf_get_left(buffer), 16)
    call.received(from: source, header, Array(UnsafeBufferPointer(start: mbuf_buf(buffer), count: count)))
}
