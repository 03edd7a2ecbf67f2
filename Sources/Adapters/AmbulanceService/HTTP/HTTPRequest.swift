/// One request, whole.
struct HTTPRequest: Hashable, Sendable {
    enum Method: String, Hashable, Sendable {
        case get = "GET"
        case post = "POST"
        case options = "OPTIONS"
    }

    var method: Method
    var endpoint: Endpoint
    /// Names and values without line breaks; the credential is added by the client.
    var headers: [Header] = []
    var body: [UInt8] = []
    /// A call for help does not trust a connection that may have died unseen; the questions after it may.
    var wantsFreshConnection = true

    struct Header: Hashable, Sendable {
        let name: String
        let value: String
    }
}

/// What came of a request.
enum HTTPOutcome: Hashable, Sendable {
    case response(HTTPResponse)
    /// No whole response. `mayHaveArrived` is false where the request was certainly not sent.
    case failure(reason: String, mayHaveArrived: Bool)
}

/// A response whose status and headers are whole.
struct HTTPResponse: Hashable, Sendable {
    let status: Int
    let location: String?
    let body: [UInt8]
    /// The body was longer than is read; `body` is empty then.
    let isTooLarge: Bool

    /// 64 KiB: an answer is a name, or a CAP message of a few lines.
    static let largestBody = 65_536
    /// 32 KiB: more than common servers ever send.
    static let largestHead = 32_768
}
