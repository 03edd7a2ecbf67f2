/// Answer to a request, of any route.
public struct WebAnswer: Hashable, Sendable {
    public let status: Int
    public let headers: [(name: String, value: String)]
    public let body: [UInt8]

    public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }

    public static func == (left: WebAnswer, right: WebAnswer) -> Bool {
        left.status == right.status && left.body == right.body
            && left.headers.elementsEqual(right.headers, by: ==)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(status)
        hasher.combine(body)
    }
}
