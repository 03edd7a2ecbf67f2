import CSystemd
import Glibc

/// One method call to be sent.
public struct BusCall: Hashable, Sendable {
    public let destination: String
    public let path: String
    public let interface: String
    public let member: String
    public let arguments: [BusArgument]
    /// After it the call has failed with `org.freedesktop.DBus.Error.NoReply`; a late reply is dropped.
    public let timeout: Duration

    public init(
        destination: String, path: String, interface: String, member: String, arguments: [BusArgument] = [],
        timeout: Duration
    ) {
        self.destination = destination
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
        self.timeout = timeout
    }
}

/// An argument of a call: the types that the services we call ask for.
public enum BusArgument: Hashable, Sendable {
    case string(String)
    case objectPath(String)
    case bool(Bool)
    case uint32(UInt32)
    /// `ay`.
    case bytes([UInt8])
    /// `v`, holding any of these.
    indirect case variant(BusArgument)
    /// `a{sv}`, its values strings, object paths, booleans or 32-bit numbers. Sent in order of the keys.
    indirect case options([String: BusArgument])

    /// D-Bus type codes.
    var signature: String {
        switch self {
        case .string: "s"
        case .objectPath: "o"
        case .bool: "b"
        case .uint32: "u"
        case .bytes: "ay"
        case .variant: "v"
        case .options: "a{sv}"
        }
    }
}

/// Appends arguments to a message that is being made. The message stays the caller's to release.
struct BusWriter {
    let message: OpaquePointer

    func append(_ argument: BusArgument) throws(BusError) {
        switch argument {
        case .string(let text), .objectPath(let text):
            let type = argument.signature.utf8.first!
            // For text sd-bus wants the characters themselves, not a pointer to a pointer.
            try check(
                text.withCString { sd_bus_message_append_basic(message, CChar(type), $0) },
                "appending a D-Bus string")
        case .bool(let value): try append(number: Int32(value ? 1 : 0), "b")
        case .uint32(let value): try append(number: value, "u")
        case .bytes(let bytes): try append(bytes: bytes)
        case .variant(let held):
            try inside("v", held.signature) { () throws(BusError) in try append(held) }
        case .options(let options): try append(options: options)
        }
    }

    private func append(number: some Numeric & BitwiseCopyable, _ type: Unicode.Scalar) throws(BusError) {
        var number = number
        let code = CChar(UInt8(ascii: type))
        try check(sd_bus_message_append_basic(message, code, &number), "appending a D-Bus number")
    }

    private func append(bytes: [UInt8]) throws(BusError) {
        let result = bytes.withUnsafeBytes {
            // Copied into the message.
            sd_bus_message_append_array(message, CChar(UInt8(ascii: "y")), $0.baseAddress, $0.count)
        }
        try check(result, "appending D-Bus bytes")
    }

    private func append(options: [String: BusArgument]) throws(BusError) {
        try inside("a", "{sv}") { () throws(BusError) in
            for (key, value) in options.sorted(by: { $0.key < $1.key }) {
                try inside("e", "sv") { () throws(BusError) in
                    try append(.string(key))
                    try inside("v", value.signature) { () throws(BusError) in try append(value) }
                }
            }
        }
    }

    private func inside(
        _ type: Unicode.Scalar, _ contents: String, _ body: () throws(BusError) -> Void
    ) throws(BusError) {
        let code = CChar(UInt8(ascii: type))
        try check(sd_bus_message_open_container(message, code, contents), "opening a D-Bus container")
        try body()
        try check(sd_bus_message_close_container(message), "closing a D-Bus container")
    }
}

/// What went wrong on D-Bus.
public enum BusError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A step of ours failed before anything was sent. `number` is a positive `errno`.
    case failed(doing: String, number: Int32)
    /// The connection is dead (daemon gone, authentication refused): open a new one.
    case disconnected(number: Int32)
    /// The other side answered with an error, or nobody answered in time
    /// (`org.freedesktop.DBus.Error.NoReply`). The name is kept as it came.
    case remote(name: String, message: String)

    public var description: String {
        switch self {
        case .failed(let doing, let number): "\(doing) failed: \(Self.text(number))"
        case .disconnected(let number): "the D-Bus connection is gone: \(Self.text(number))"
        case .remote(let name, let message): message.isEmpty ? name : "\(name): \(message)"
        }
    }

    private static func text(_ number: Int32) -> String {
        "\(String(cString: strerror(number))) (errno \(number))"
    }
}

/// For sd-bus functions, which return a negative `errno`.
/// - Returns: `result`, where it is no error.
@discardableResult
func check(_ result: Int32, _ doing: @autoclosure () -> String) throws(BusError) -> Int32 {
    guard result >= 0 else { throw .failed(doing: doing(), number: -result) }
    return result
}

/// Which message bus to open.
public enum BusAddress: Hashable, Sendable, CustomStringConvertible {
    /// The system bus: `DBUS_SYSTEM_BUS_ADDRESS`, or `/run/dbus/system_bus_socket`.
    case system
    /// A D-Bus address, such as `unix:path=/run/rig/bus`.
    case address(String)

    public var description: String {
        switch self {
        case .system: "the system bus"
        case .address(let text): "the bus at \(text)"
        }
    }
}

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
