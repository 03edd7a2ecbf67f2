/// One request, whole.
public struct HTTPRequest: Hashable, Sendable {
    public enum Method: String, Hashable, Sendable {
        case get = "GET"
        case post = "POST"
        case options = "OPTIONS"
    }

    public var method: Method
    public var endpoint: Endpoint
    /// Names and values without line breaks; the credential is added by the client.
    public var headers: [Header]
    public var body: [UInt8]
    /// A call for help does not trust a connection that may have died unseen; the questions after it may.
    public var wantsFreshConnection: Bool

    public struct Header: Hashable, Sendable {
        public let name: String
        public let value: String

        public init(name: String, value: String) { (self.name, self.value) = (name, value) }
    }

    public init(
        method: Method, endpoint: Endpoint, headers: [Header] = [], body: [UInt8] = [],
        wantsFreshConnection: Bool = true
    ) {
        (self.method, self.endpoint, self.headers, self.body) = (method, endpoint, headers, body)
        self.wantsFreshConnection = wantsFreshConnection
    }
}

/// Outcome of a request.
public enum HTTPOutcome: Hashable, Sendable {
    case response(HTTPResponse)
    /// No whole response. `mayHaveArrived` is false where the request was certainly not sent.
    case failure(reason: String, mayHaveArrived: Bool)
}

/// A response with whole status and headers.
public struct HTTPResponse: Hashable, Sendable {
    public let status: Int
    public let location: String?
    /// Header `Retry-After` (RFC 9110 section 10.2.3), as it came.
    public let retryAfter: String?
    public let body: [UInt8]
    /// The body was longer than is read; `body` is empty then.
    public let isTooLarge: Bool

    /// 64 KiB: an answer is a name, or a CAP message of a few lines.
    public static let largestBody = 65_536
    /// 32 KiB: more than common servers ever send.
    public static let largestHead = 32_768

    public init(
        status: Int, location: String?, retryAfter: String? = nil, body: [UInt8], isTooLarge: Bool
    ) {
        (self.status, self.location, self.retryAfter) = (status, location, retryAfter)
        (self.body, self.isTooLarge) = (body, isTooLarge)
    }
}

extension HTTPResponse {
    public var isSuccess: Bool { (200...299).contains(status) }

    /// Meaning of an answer that is no success, with the remedy. Nothing of its body: it may speak of persons.
    public func failure(of endpoint: Endpoint) -> String {
        let answer = "\(endpoint.host) answers with HTTP \(status)"
        switch status {
        case 300...399:
            return "\(answer), a redirect, which is not followed; write the service's final address into url"
        case 401, 403:
            return
                "\(answer): it does not know the caller or does not let it call; check the token or the client "
                + "certificate with the service"
        case 404, 405, 410:
            return "\(answer): nothing takes calls at this address; check url with the service"
        case 400, 415, 422:
            return "\(answer): it does not understand the call; check format and addresses with the service"
        case 413:
            return "\(answer): the call is too long for it; ask the service to take 64 KiB"
        case 408, 425, 429, 500...599:
            return "\(answer): it cannot take the call now"
        default:
            return "\(answer), expected 2xx; ask the service"
        }
    }
}
