import CSystemd
import Glibc

/// One connection to a message bus, confined to one thread: the one that opens it, polls it, calls
/// `process()` and lets it go. Handlers run inside `process()`, on that thread.
///
/// Nothing here blocks: opening starts the handshake, and messages that are sent before it is done are queued
/// by sd-bus in order. Loop: wait for `events` on `descriptor` no longer than `timeout`, then `process()`.
///
/// Ownership: the connection owns the bus; the bus owns the slots ("floating", sd_bus_slot_set_floating(3));
/// a slot owns its handler and lets it go through `releaseHandler`, once, when it was answered or the bus
/// is released; an unanswered `BusAnswer` keeps the bus, not the connection, until it goes. Handlers of calls still unanswered then are let go without being called.
public final class BusConnection {
    public typealias Reply = Result<[BusValue], BusError>

    private let bus: OpaquePointer

    /// Errors: `.failed` with ENOENT or ECONNREFUSED where no daemon listens at the address. A daemon
    /// that listens but does not answer shows later, as an error of `process()` (sd-bus gives the
    /// handshake 25 s) or as calls that time out.
    public init(_ address: BusAddress) throws(BusError) {
        bus =
            switch address {
            case .system: try Self.openSystem()
            case .address(let text): try Self.open(text)
            }
    }

    /// Sends nothing more and forgets every handler.
    deinit { sd_bus_close_unref(bus) }

    private static func openSystem() throws(BusError) -> OpaquePointer {
        var bus: OpaquePointer?
        try check(sd_bus_open_system(&bus), "opening the system bus")
        guard let bus else { throw .failed(doing: "opening the system bus", number: ENOTCONN) }
        return bus
    }

    private static func open(_ address: String) throws(BusError) -> OpaquePointer {
        var made: OpaquePointer?
        try check(sd_bus_new(&made), "making a bus connection")
        guard let bus = made else { throw .failed(doing: "making a bus connection", number: ENOMEM) }
        do {
            try check(sd_bus_set_address(bus, address), "reading the bus address \(address)")
            try check(sd_bus_set_bus_client(bus, 1), "preparing a bus connection")
            try check(sd_bus_start(bus), "opening the bus at \(address)")
            return bus
        } catch {
            sd_bus_unref(bus)
            throw error
        }
    }
}

// MARK: The loop

extension BusConnection {
    /// Valid while the connection lives; not to be closed.
    public var descriptor: Int32 {
        get throws(BusError) { try alive(sd_bus_get_fd(bus)) }
    }

    /// The poll(2) events to wait for now.
    public var events: Int32 {
        get throws(BusError) { try alive(sd_bus_get_events(bus)) }
    }

    /// The handshake with the daemon is done. sd-bus itself gives it 25 s.
    public var isReady: Bool { sd_bus_is_ready(bus) > 0 }

    /// How long the loop may wait before it calls `process()` again; nil for as long as it likes.
    public var timeout: Duration? {
        get throws(BusError) {
            var deadline: UInt64 = 0
            // 0 and no deadline written: nothing to wait for (sd_bus_get_timeout(3)).
            guard try alive(sd_bus_get_timeout(bus, &deadline)) > 0, deadline != UInt64.max else { return nil }
            let now = Self.monotonicMicroseconds()
            return .microseconds(deadline > now ? Int64(clamping: deadline - now) : 0)
        }
    }

    /// Handles all that has arrived and sends the queued messages. Errors: `.disconnected` when the connection
    /// is dead, after unanswered calls were told so.
    public func process() throws(BusError) {
        // Handling one message can hide that the next step fails, so it goes on until 0 or an error.
        while try alive(sd_bus_process(bus, nil)) > 0 {}
    }

    private func alive(_ result: Int32) throws(BusError) -> Int32 {
        guard result >= 0 else { throw .disconnected(number: -result) }
        return result
    }

    /// The clock of `sd_bus_get_timeout`.
    private static func monotonicMicroseconds() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000
    }
}

// MARK: Calls, signals and objects

extension BusConnection {
    /// Sends `call`. `reply` runs once, inside a later `process()`, unless the connection goes first.
    /// Errors: `.failed` where the call cannot be made or queued; `reply` is then never called.
    public func send(_ call: BusCall, reply: @escaping (Reply) -> Void) throws(BusError) {
        let message = try makeMessage(call)
        defer { sd_bus_message_unref(message) }
        let handler = Unmanaged.passRetained(ReplyHandler(reply))
        let microseconds = UInt64(max(call.timeout / .microseconds(1), 1))
        var slot: OpaquePointer?
        let result = sd_bus_call_async(
            bus, &slot, message, handleReply, handler.toOpaque(), microseconds)
        try adopt(slot, result, handler, "sending \(call.member)")
    }

    /// From now on `handler` sees each signal that `rule` lets through (D-Bus Specification, "Match
    /// Rules"), for the life of the connection. A rule the daemon refuses ends the connection.
    public func subscribe(_ rule: String, handler: @escaping (BusSignal) -> Void) throws(BusError) {
        let handler = Unmanaged.passRetained(SignalHandler(handler))
        var slot: OpaquePointer?
        let result = sd_bus_add_match_async(bus, &slot, rule, handleSignal, nil, handler.toOpaque())
        try adopt(slot, result, handler, "subscribing to \(rule)")
    }

    /// From now on calls of `interface` on `path` go to `handler`, for the life of the connection. Calls of
    /// other interfaces there are answered by sd-bus: introspection, or that there is no such method.
    public func export(
        _ path: String, interface: String, handler: @escaping (BusRequest, BusAnswer) -> Void
    ) throws(BusError) {
        let handler = Unmanaged.passRetained(CallHandler(interface, handler))
        var slot: OpaquePointer?
        let result = sd_bus_add_object(bus, &slot, path, handleCall, handler.toOpaque())
        try adopt(slot, result, handler, "exporting \(path)")
    }

    /// The caller releases it.
    private func makeMessage(_ call: BusCall) throws(BusError) -> OpaquePointer {
        var made: OpaquePointer?
        try check(
            sd_bus_message_new_method_call(
                bus, &made, call.destination, call.path, call.interface, call.member),
            "making a call of \(call.member) on \(call.path)")
        guard let message = made else { throw .failed(doing: "making a D-Bus call", number: ENOMEM) }
        do {
            let writer = BusWriter(message: message)
            for argument in call.arguments { try writer.append(argument) }
            return message
        } catch {
            sd_bus_message_unref(message)
            throw error
        }
    }

    /// Hands the slot to the bus and the handler to the slot; where there is no slot, lets go of it here.
    private func adopt(
        _ slot: OpaquePointer?, _ result: Int32, _ handler: Unmanaged<some AnyObject>, _ doing: String
    ) throws(BusError) {
        guard result >= 0, let slot else {
            handler.release()
            throw .failed(doing: doing, number: result < 0 ? -result : ENOMEM)
        }
        // From here on `releaseHandler` balances passRetained. Both calls fail only for a slot that has
        // no bus, and this one has just been given one.
        sd_bus_slot_set_destroy_callback(slot, releaseHandler)
        sd_bus_slot_set_floating(slot, 1)
        sd_bus_slot_unref(slot)
    }
}

/// A file descriptor that came in a message. A copy of the message's own, which dies with the message;
/// closed when the last reference goes.
public final class BusDescriptor: Hashable, Sendable {
    public let number: Int32

    /// - Parameter original: stays its owner's to close. Nil result: the process has no descriptor left.
    init?(copying original: Int32) {
        number = fcntl(original, F_DUPFD_CLOEXEC, 0)
        guard number >= 0 else { return nil }
    }

    /// Takes `number` over, which nobody else may close: for descriptors that came by other ways.
    public init(owning number: Int32) { self.number = number }

    deinit { close(number) }

    public static func == (left: BusDescriptor, right: BusDescriptor) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

// Callbacks of sd-bus. Free functions, so that they inherit no actor: a closure that did would trap on the
// bus's thread. Each runs inside `sd_bus_process` on the thread of its connection.

final class ReplyHandler {
    let body: (BusConnection.Reply) -> Void
    init(_ body: @escaping (BusConnection.Reply) -> Void) { self.body = body }
}

final class SignalHandler {
    let body: (BusSignal) -> Void
    init(_ body: @escaping (BusSignal) -> Void) { self.body = body }
}

/// Always 0: a negative result would only be logged by sd-bus, and 1 would hide a message from others.
func handleReply(
    _ message: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ error: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
    guard let message, let context else { return 0 }
    // Unretained: the slot owns the handler until `releaseHandler`.
    let handler = Unmanaged<ReplyHandler>.fromOpaque(context).takeUnretainedValue()
    handler.body(readReply(message))
    return 0
}

func handleSignal(
    _ message: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ error: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
    guard let message, let context, let signal = readSignal(message) else { return 0 }
    Unmanaged<SignalHandler>.fromOpaque(context).takeUnretainedValue().body(signal)
    return 0
}

/// Balances `passRetained` in `BusConnection`: called once, when sd-bus frees the slot.
func releaseHandler(_ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    Unmanaged<AnyObject>.fromOpaque(context).release()
}

private func readReply(_ message: OpaquePointer) -> BusConnection.Reply {
    if let error = sd_bus_message_get_error(message)?.pointee {
        return .failure(.remote(name: text(error.name), message: text(error.message)))
    }
    do throws(BusError) {
        return .success(try BusReader(message: message).arguments())
    } catch {
        return .failure(error)
    }
}

/// Nil for a signal that contradicts its own signature: sd-bus has checked it, so this is a defect of
/// theirs or ours, and no signal we use can be told from such bytes.
private func readSignal(_ message: OpaquePointer) -> BusSignal? {
    guard let arguments = try? BusReader(message: message).arguments() else { return nil }
    return BusSignal(
        path: text(sd_bus_message_get_path(message)), interface: text(sd_bus_message_get_interface(message)),
        member: text(sd_bus_message_get_member(message)), arguments: arguments)
}

func text(_ start: UnsafePointer<CChar>?) -> String {
    start.map { String(cString: $0) } ?? ""
}
