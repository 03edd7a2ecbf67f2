import CSystemd

// What sd-bus calls back. Free functions, so that they inherit no actor: a closure that did would trap
// on the bus's thread. Each runs inside `sd_bus_process` on the thread of its connection.

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
