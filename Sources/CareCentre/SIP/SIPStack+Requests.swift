import CSIP

/// What the centre asks of this box.
extension SIPStack {
    /// Every request gets its answer, whatever it holds: a sender that hears nothing sends again.
    fileprivate func came(_ request: UnsafePointer<sip_msg>) {
        switch String(request.pointee.met) {
        case "MESSAGE":
            guard isXML(request) else {
                _ = sip_treply(nil, sip, request, 415, "Unsupported Media Type")
                return
            }
            _ = sip_treply(nil, sip, request, 200, "OK")
            onEvent(.message(request.body))
        case "OPTIONS": _ = sip_treply(nil, sip, request, 200, "OK")
        case "ACK": break
        default: _ = csip_refuse_method(sip, request)
        }
    }

    private func isXML(_ request: UnsafePointer<sip_msg>) -> Bool {
        let type = "\(String(request.pointee.ctyp.type))/\(String(request.pointee.ctyp.subtype))".lowercased()
        return [Self.mediaType, "application/xml", "text/xml"].contains(type)
    }
}

/// libre gives it every request that opens a transaction; retransmissions it answers itself.
func requestCame(request: UnsafePointer<sip_msg>?, argument: UnsafeMutableRawPointer?) -> Bool {
    guard let request, let argument else { return false }
    let stack = Unmanaged<SIPStack>.fromOpaque(argument).takeUnretainedValue()
    if !stack.isClosed { stack.came(request) }
    return true
}
