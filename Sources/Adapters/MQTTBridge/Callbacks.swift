import CMosquitto
import Glibc

// Called by libmosquitto on the mqtt thread, from inside its loop functions, with `userdata` the
// connection's NoticeBoard. Free functions on purpose: a closure that inherits an actor's isolation
// traps when C calls it on another thread.

func setCallbacks(of client: OpaquePointer) {
    mosquitto_connect_v5_callback_set(client, onConnect)
    mosquitto_disconnect_v5_callback_set(client, onDisconnect)
    mosquitto_publish_v5_callback_set(client, onPublish)
    mosquitto_subscribe_v5_callback_set(client, onSubscribe)
    mosquitto_message_v5_callback_set(client, onMessage)
    mosquitto_log_callback_set(client, onLog)
}

private func board(_ userdata: UnsafeMutableRawPointer?) -> NoticeBoard? {
    userdata.map { Unmanaged<NoticeBoard>.fromOpaque($0).takeUnretainedValue() }
}

private func onConnect(
    _: OpaquePointer?, userdata: UnsafeMutableRawPointer?, code: Int32, flags: Int32,
    properties: OpaquePointer?
) {
    guard let board = board(userdata) else { return }
    guard code != 0 else {
        board.notices.append(.connected(Greeting(properties, isSessionPresent: flags & 1 != 0)))
        return
    }
    // libmosquitto itself reports 0x84 when a version 3 broker answers a version 5 CONNECT.
    let reason = code < 0x80 ? ReasonCode(connackOf311: code) : ReasonCode(rawValue: UInt8(clamping: code))
    board.notices.append(
        .connectionRefused(
            reason, string(MQTT_PROP_REASON_STRING, of: properties),
            reference: string(MQTT_PROP_SERVER_REFERENCE, of: properties)))
}

/// `code` is a reason code of the broker from 0x80, below that an error of the library, which the loop
/// function returns as well.
private func onDisconnect(
    _: OpaquePointer?, userdata: UnsafeMutableRawPointer?, code: Int32, _: OpaquePointer?
) {
    guard code >= 0x80 else { return }
    board(userdata)?.notices.append(.dismissed(ReasonCode(rawValue: UInt8(clamping: code))))
}

/// At QoS 1 this is the PUBACK; version 3.1.1 has no code and `code` is 0.
private func onPublish(
    _: OpaquePointer?, userdata: UnsafeMutableRawPointer?, packet: Int32, code: Int32,
    properties: OpaquePointer?
) {
    let reason = ReasonCode(rawValue: UInt8(clamping: code))
    board(userdata)?.notices.append(
        .answered(packet: packet, reason, string(MQTT_PROP_REASON_STRING, of: properties)))
}

/// One topic a SUBSCRIBE, so one granted QoS or failure a SUBACK.
private func onSubscribe(
    _: OpaquePointer?, userdata: UnsafeMutableRawPointer?, packet: Int32, count: Int32,
    granted: UnsafePointer<Int32>?, _: OpaquePointer?
) {
    guard count > 0, let granted else { return }
    let reason = ReasonCode(rawValue: UInt8(clamping: granted[0]))
    board(userdata)?.notices.append(.subscribed(packet: packet, reason))
}

private func onMessage(
    _: OpaquePointer?, userdata: UnsafeMutableRawPointer?, message: UnsafePointer<mosquitto_message>?,
    _: OpaquePointer?
) {
    guard let message = message?.pointee, let topic = message.topic else { return }
    let payload = UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen))
    board(userdata)?.notices.append(
        .message(
            InboundMessage(
                topic: String(cString: topic), payload: Array(payload), isRetained: message.retain)))
}

private func onLog(
    _: OpaquePointer?, userdata: UnsafeMutableRawPointer?, level: Int32, text: UnsafePointer<CChar>?
) {
    guard level == MOSQ_LOG_ERR, let text, let board = board(userdata) else { return }
    // A handful explains a failure; a library that logs in a loop must not fill the memory.
    guard board.errorLines.count < 8 else { return }
    board.errorLines.append(String(cString: text))
}

extension Greeting {
    fileprivate init(_ properties: OpaquePointer?, isSessionPresent: Bool) {
        var receiveMaximum: UInt16 = 65535
        var (maximumQoS, keepsRetained): (UInt8, UInt8) = (2, 1)
        var (sessionExpiry, maximumPacketSize): (UInt32, UInt32) = (0, 0)
        _ = mosquitto_property_read_int16(
            properties, Int32(MQTT_PROP_RECEIVE_MAXIMUM.rawValue), &receiveMaximum, false)
        _ = mosquitto_property_read_byte(
            properties, Int32(MQTT_PROP_MAXIMUM_QOS.rawValue), &maximumQoS, false)
        _ = mosquitto_property_read_byte(
            properties, Int32(MQTT_PROP_RETAIN_AVAILABLE.rawValue), &keepsRetained, false)
        let expiry = mosquitto_property_read_int32(
            properties, Int32(MQTT_PROP_SESSION_EXPIRY_INTERVAL.rawValue), &sessionExpiry, false)
        let size = mosquitto_property_read_int32(
            properties, Int32(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue), &maximumPacketSize, false)
        self.init(
            receiveMaximum: Int(receiveMaximum), maximumQoS: Int(maximumQoS),
            isSessionPresent: isSessionPresent, sessionExpiry: expiry == nil ? nil : sessionExpiry,
            maximumPacketSize: size == nil ? nil : maximumPacketSize, keepsRetained: keepsRetained != 0)
    }
}

/// A text of the broker's own, where it gives one: at most 200 characters, without control characters.
private func string(_ property: mqtt5_property, of properties: OpaquePointer?) -> String? {
    guard let properties else { return nil }
    var text: UnsafeMutablePointer<CChar>?
    _ = mosquitto_property_read_string(properties, Int32(property.rawValue), &text, false)
    guard let text else { return nil }
    // The library hands over a copy.
    defer { free(text) }
    let scalars = String(cString: text).unicodeScalars.filter { $0.properties.generalCategory != .control }
    return String(String(String.UnicodeScalarView(scalars)).prefix(200))
}
