import CSIP
import RealTime

/// What the centre asks of this box.
extension SIPStack {
    /// Every request gets its answer, whatever it holds: a sender that hears nothing sends again.
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
