/// A received signal, copied out of its message.
public struct BusSignal: Hashable, Sendable {
    public let path: String
    public let interface: String
    public let member: String
    public let arguments: [BusValue]

    public init(path: String, interface: String, member: String, arguments: [BusValue]) {
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
    }
}
