import CCurl
import GatewayModel
import Glibc
public import RealTime

/// Requests under way at the same time, on one thread: an alarm does not wait for another's service.
public final class TransferSet {
    private let multi: UnsafeMutableRawPointer
    private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]

    public init() throws(TransferError) {
        // A service that has gone must not end this process: OpenSSL writes without MSG_NOSIGNAL.
        signal(SIGPIPE, SIG_IGN)
        guard let multi = curl_multi_init() else { throw .system("libcurl does not start") }
        self.multi = multi
    }

    deinit {
        for transfer in transfers.values { curl_multi_remove_handle(multi, transfer.handle.raw) }
        transfers = [:]
        curl_multi_cleanup(multi)
    }

    public func start(_ transfer: Transfer) throws(TransferError) {
        let code = curl_multi_add_handle(multi, transfer.handle.raw)
        guard code == CURLM_OK else { throw .system(String(cString: curl_multi_strerror(code))) }
        transfers[transfer.handle.raw] = transfer
    }

    /// Ends it without an outcome.
    public func cancel(_ number: Int) {
        guard let transfer = transfers.values.first(where: { $0.number == number }) else { return }
        remove(transfer)
    }

    private func remove(_ transfer: Transfer) {
        curl_multi_remove_handle(multi, transfer.handle.raw)
        transfers[transfer.handle.raw] = nil
    }

    /// Makes the progress that is possible now.
    /// - Returns: the transfers that have ended, with their outcomes.
    public func advance() -> [(number: Int, outcome: HTTPOutcome)] {
        var running: Int32 = 0
        curl_multi_perform(multi, &running)
        var ended: [(number: Int, outcome: HTTPOutcome)] = []
        var waiting: Int32 = 0
        while let message = curl_multi_info_read(multi, &waiting) {
            guard message.pointee.msg == CURLMSG_DONE, let raw = message.pointee.easy_handle,
                let transfer = transfers[raw]
            else { continue }
            // The message is gone with the handle's removal: read first.
            ended.append((transfer.number, transfer.outcome(message.pointee.data.result)))
            remove(transfer)
        }
        return ended
    }

    /// Until a transfer can go on, `wakeup` is signalled, or `limit` is over.
    public func wait(_ wakeup: Wakeup, upTo limit: Duration) {
        var extra = curl_waitfd(fd: wakeup.descriptor, events: Int16(CURL_WAIT_POLLIN), revents: 0)
        let milliseconds = Int32(clamping: (max(limit.wholeNanoseconds, 0) + 999_999) / 1_000_000)
        curl_multi_poll(multi, &extra, 1, milliseconds, nil)
    }
}

/// One request on its way. Used on the channel's thread alone; libcurl calls back on it too.
public final class Transfer {
    /// Number by which the caller knows it.
    public let number: Int
    let handle: CurlHandle
    private let request: HTTPRequest
    private var head = 0
    private var body: [UInt8] = []
    private var location: String?
    private var retryAfter: String?
    private var isTooLarge = false

    /// - Parameters:
    ///   - addresses: rule for the peer's address; nil for every address.
    ///   - checksDates: false only where this machine does not know the time.
    public init(
        _ request: HTTPRequest, number: Int, material: TLSMaterial, connectLimit: Duration,
        attemptLimit: Duration, addresses: AddressRule? = nil, checksDates: Bool = true
    ) throws(TransferError) {
        self.request = request
        self.number = number
        handle = try CurlHandle()
        try handle.protect(
            material, encrypted: request.endpoint.isEncrypted, checksDates: checksDates)
        try handle.set(CURLOPT_URL, request.endpoint.url)
        // At least 1: 0 is libcurl's word for no limit.
        try handle.set(CURLOPT_CONNECTTIMEOUT_MS, max(Int(connectLimit.wholeMilliseconds), 1))
        try handle.set(CURLOPT_TIMEOUT_MS, max(Int(attemptLimit.wholeMilliseconds), 1))
        try handle.set(CURLOPT_FRESH_CONNECT, request.wantsFreshConnection ? 1 : 0)
        if let addresses { try handle.setAddresses(addresses) }
        try setMethod()
        try setLines(token: material.token)
        try setSinks()
    }

    private func setMethod() throws(TransferError) {
        switch request.method {
        case .get:
            try handle.set(CURLOPT_HTTPGET, 1)
        case .options:
            try handle.set(CURLOPT_CUSTOMREQUEST, "OPTIONS")
        case .post:
            try handle.set(CURLOPT_POST, 1)
            try handle.set(CURLOPT_POSTFIELDSIZE, request.body.count)
            var body = request.body
            let code = body.withUnsafeMutableBytes {
                ccurl_set_pointer(handle.raw, CURLOPT_COPYPOSTFIELDS, $0.baseAddress)
            }
            try handle.check(code, "COPYPOSTFIELDS")
        }
    }

    private func setLines(token: String?) throws(TransferError) {
        var lines = request.headers.map { "\($0.name): \($0.value)" }
        if let token { lines.append("Authorization: Bearer \(token)") }
        // The body goes with the head: a call does not wait for leave to speak.
        lines.append("Expect:")
        try handle.setHeaders(lines)
    }

    /// libcurl gets this object unretained: `TransferSet` holds it until it is out of the multi handle.
    private func setSinks() throws(TransferError) {
        let this = Unmanaged.passUnretained(self).toOpaque()
        try handle.check(
            ccurl_set_sink(handle.raw, CURLOPT_WRITEFUNCTION, takeBody), "WRITEFUNCTION")
        try handle.check(ccurl_set_pointer(handle.raw, CURLOPT_WRITEDATA, this), "WRITEDATA")
        try handle.check(
            ccurl_set_sink(handle.raw, CURLOPT_HEADERFUNCTION, takeHeader), "HEADERFUNCTION")
        try handle.check(ccurl_set_pointer(handle.raw, CURLOPT_HEADERDATA, this), "HEADERDATA")
    }

    /// - Returns: whether to go on.
    fileprivate func take(body bytes: UnsafeRawBufferPointer) -> Bool {
        guard body.count + bytes.count <= HTTPResponse.largestBody else {
            isTooLarge = true
            body = []
            return false
        }
        body += bytes
        return true
    }

    fileprivate func take(header bytes: UnsafeRawBufferPointer) -> Bool {
        head += bytes.count
        guard head <= HTTPResponse.largestHead else { return false }
        let line = String(decoding: bytes, as: UTF8.self)
        // An interim response (1xx) begins anew with the next status line.
        if line.hasPrefix("HTTP/") { (location, retryAfter) = (nil, nil) }
        guard let colon = line.firstIndex(of: ":") else { return true }
        let value = String(line[line.index(after: colon)...]).trimmed
        switch line[..<colon].lowercased() {
        case "location": location = value
        case "retry-after": retryAfter = value
        default: break
        }
        return true
    }

    /// Outcome of a transfer that libcurl ended with `code`.
    func outcome(_ code: CURLcode) -> HTTPOutcome {
        if code == CURLE_OK || isTooLarge {
            return .response(
                HTTPResponse(
                    status: ccurl_get_long(handle.raw, CURLINFO_RESPONSE_CODE), location: location,
                    retryAfter: retryAfter, body: body, isTooLarge: isTooLarge))
        }
        let isHeadTooLarge = head > HTTPResponse.largestHead
        let words =
            isHeadTooLarge
            ? "the answer's head is longer than \(HTTPResponse.largestHead) bytes" : handle.words(for: code)
        // libcurl counts the bytes of the request that it has given to the socket.
        let sent = ccurl_get_long(handle.raw, CURLINFO_REQUEST_SIZE)
        return .failure(
            reason: "\(request.endpoint.host) port \(request.endpoint.port): \(words)\(Self.remedy(code))",
            mayHaveArrived: sent > 0)
    }

    private static func remedy(_ code: CURLcode) -> String {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST: "; check the name in url and the network"
        case CURLE_COULDNT_CONNECT: "; check the port in url, and with the service that it listens"
        case CURLE_PEER_FAILED_VERIFICATION:
            "; the certificate is not one for this name, in its time and by a trusted authority: check url, "
                + "ca_file and the clock, or ask the service"
        case CURLE_SSL_CERTPROBLEM: "; check the client certificate and its key"
        default: ""
        }
    }
}

private func takeBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ transfer: UnsafeMutableRawPointer?
) -> Int {
    guard let transfer else { return 0 }
    let taken = Unmanaged<Transfer>.fromOpaque(transfer).takeUnretainedValue()
        .take(body: UnsafeRawBufferPointer(start: bytes, count: size * count))
    return taken ? size * count : 0
}

private func takeHeader(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ transfer: UnsafeMutableRawPointer?
) -> Int {
    guard let transfer else { return 0 }
    let taken = Unmanaged<Transfer>.fromOpaque(transfer).takeUnretainedValue()
        .take(header: UnsafeRawBufferPointer(start: bytes, count: size * count))
    return taken ? size * count : 0
}

extension String {
    /// Without white space at both ends.
    package var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
