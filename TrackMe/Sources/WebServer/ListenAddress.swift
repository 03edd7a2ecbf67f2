import Hummingbird

/// Where the server listens.
public struct ListenAddress: Hashable, Sendable {
    public let host: String
    public let port: Int

    public init(host: String, port: Int) { (self.host, self.port) = (host, port) }

    var bind: BindAddress { .hostname(host, port: port) }
}
