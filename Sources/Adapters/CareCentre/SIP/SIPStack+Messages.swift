import CSIP
import Glibc

/// One message and what libre needs to send it again with credentials.
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
    static let mediaType = "application/scaip+xml"

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
