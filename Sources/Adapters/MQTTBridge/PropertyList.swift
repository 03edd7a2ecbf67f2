import CMosquitto

/// A list of MQTT 5 properties (section 2.2.2.2), owned until it is freed or given away.
struct PropertyList: ~Copyable {
    private(set) var head: OpaquePointer?

    /// What every payload of the contract says of itself: UTF-8, JSON. Valid in PUBLISH and in a will.
    /// The additions fail only for lack of memory or text that is no UTF-8; a message without a hint
    /// is still the message, so their results are not asked.
    ///
    /// - Parameter expiry: whole seconds after which the broker drops it where nobody took it; nil for never.
    init(ofJSONWithID id: String? = nil, expiry: UInt32? = nil) {
        var list: OpaquePointer?
        _ = mosquitto_property_add_byte(&list, Int32(MQTT_PROP_PAYLOAD_FORMAT_INDICATOR.rawValue), 1)
        _ = mosquitto_property_add_string(
            &list, Int32(MQTT_PROP_CONTENT_TYPE.rawValue), "application/json")
        if let id {
            _ = mosquitto_property_add_string_pair(
                &list, Int32(MQTT_PROP_USER_PROPERTY.rawValue), "id", id)
        }
        if let expiry {
            _ = mosquitto_property_add_int32(
                &list, Int32(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL.rawValue), expiry)
        }
        head = list
    }

    /// Of a CONNECT (section 3.1.2.11). The library adds the receive maximum.
    init(ofConnectWithSessionExpiry seconds: UInt32, largestPacket: UInt32) {
        var list: OpaquePointer?
        _ = mosquitto_property_add_int32(
            &list, Int32(MQTT_PROP_SESSION_EXPIRY_INTERVAL.rawValue), seconds)
        _ = mosquitto_property_add_int32(&list, Int32(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue), largestPacket)
        head = list
    }

    /// Of a DISCONNECT after which the broker is to forget the session (section 3.14.2.2.2).
    init(ofDisconnectWithSessionExpiry seconds: UInt32) {
        var list: OpaquePointer?
        _ = mosquitto_property_add_int32(
            &list, Int32(MQTT_PROP_SESSION_EXPIRY_INTERVAL.rawValue), seconds)
        head = list
    }

    /// The library owns the list from here on.
    mutating func giveAway() {
        head = nil
    }

    deinit {
        var list = head
        mosquitto_property_free_all(&list)
    }
}
