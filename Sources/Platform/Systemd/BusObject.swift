import CSystemd
import Glibc

/// A method call that somebody made on an object of ours, copied out of its message.
public struct BusRequest: Hashable, Sendable {
    /// The caller's unique name, which the bus daemon vouches for: `:1.42`.
    public let sender: String
    public let path: String
    public let interface: String
    public let member: String
    public let arguments: [BusValue]

    public init(sender: String, path: String, interface: String, member: String, arguments: [BusValue]) {
        self.sender = sender
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
    }
}

/// The answer that one received call waits for: given once, now or later, on the thread of its connection.
///
/// Let go without an answer, it sends an error, so that the caller does not wait for its own timeout. It
/// may outlive the connection; an answer then goes nowhere. It owns one reference of the call's message,
/// released with the answer.
public final class BusAnswer {
    private var call: OpaquePointer?

    fileprivate init(to message: OpaquePointer) {
        call = sd_bus_message_ref(message)
    }

    deinit {
        try? refuse("org.freedesktop.DBus.Error.Failed", "the call was not answered")
    }

    /// Nothing is sent where the caller asked for no reply, and where an answer was given before.
    /// Errors: `.failed` where the connection is gone or the reply cannot be made.
    public func reply(_ values: [BusArgument] = []) throws(BusError) {
        try settle { (call: OpaquePointer) throws(BusError) in
            var made: OpaquePointer?
            try check(sd_bus_message_new_method_return(call, &made), "making a D-Bus reply")
            guard let message = made else { throw .failed(doing: "making a D-Bus reply", number: ENOMEM) }
            defer { sd_bus_message_unref(message) }
            let writer = BusWriter(message: message)
            for value in values { try writer.append(value) }
            // The message knows its bus.
            try check(sd_bus_send(nil, message, nil), "sending a D-Bus reply")
        }
    }

    /// - Parameter name: a D-Bus error name, such as `org.bluez.Error.Rejected`.
    public func refuse(_ name: String, _ text: String) throws(BusError) {
        try settle { (call: OpaquePointer) throws(BusError) in
            let result = name.withCString { name in
                text.withCString { text in
                    // sd-bus copies both into the message before it returns.
                    var error = sd_bus_error(name: name, message: text, _need_free: 0)
                    return sd_bus_reply_method_error(call, &error)
                }
            }
            try check(result, "sending a D-Bus error")
        }
    }

    private func settle(_ body: (OpaquePointer) throws(BusError) -> Void) throws(BusError) {
        guard let call else { return }
        self.call = nil
        defer { sd_bus_message_unref(call) }
        guard sd_bus_message_get_expect_reply(call) > 0 else { return }
        try body(call)
    }
}

final class CallHandler {
    let interface: String
    let body: (BusRequest, BusAnswer) -> Void

    init(_ interface: String, _ body: @escaping (BusRequest, BusAnswer) -> Void) {
        self.interface = interface
        self.body = body
    }
}

/// 1 where the call was taken; 0 leaves it to sd-bus, which answers that there is no such method.
func handleCall(
    _ message: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ error: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
    guard let message, let context else { return 0 }
    // Unretained: the slot owns the handler until `releaseHandler`.
    let handler = Unmanaged<CallHandler>.fromOpaque(context).takeUnretainedValue()
    let interface = text(sd_bus_message_get_interface(message))
    guard interface == handler.interface else { return 0 }
    let answer = BusAnswer(to: message)
    do throws(BusError) {
        let request = BusRequest(
            sender: text(sd_bus_message_get_sender(message)), path: text(sd_bus_message_get_path(message)),
            interface: interface, member: text(sd_bus_message_get_member(message)),
            arguments: try BusReader(message: message).arguments())
        handler.body(request, answer)
    } catch let failure {
        try? answer.refuse("org.freedesktop.DBus.Error.InvalidArgs", failure.description)
    }
    return 1
}
