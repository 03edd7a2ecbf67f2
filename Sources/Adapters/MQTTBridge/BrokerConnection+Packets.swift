import CMosquitto
import GatewayModel
import Glibc

/// Result of offering one message to the library.
enum PublishOutcome: Hashable {
    /// On its way under this packet identifier.
    case sent(packet: Int32)
    /// This message cannot be sent on this connection; the connection is unharmed.
    case refused(ReasonCode, String)
    /// The connection is gone. The library may have kept a copy, which goes with the connection.
    case failed(String)
}

extension BrokerConnection {
    /// Queues one message at QoS 1 for the next `write`.
    func publish(_ message: Publication) -> PublishOutcome {
        guard manner.version == .v5, !message.isBare else { return publish(message, properties: nil) }
        let properties = PropertyList(ofJSONWithID: message.id.description, expiry: message.expiry)
        return publish(message, properties: properties.head)
    }

    private func publish(_ message: Publication, properties: OpaquePointer?) -> PublishOutcome {
        var packet: Int32 = 0
        let result = mosquitto_publish_v5(
            client, &packet, message.topic, Int32(clamping: message.payload.count), message.payload, 1,
            message.isRetained && manner.mayRetain, properties)
        let number = errno
        switch result {
        case Int32(MOSQ_ERR_SUCCESS.rawValue):
            return .sent(packet: packet)
        case Int32(MOSQ_ERR_OVERSIZE_PACKET.rawValue), Int32(MOSQ_ERR_PAYLOAD_SIZE.rawValue):
            return .refused(.packetTooLarge, errorText(result))
        case Int32(MOSQ_ERR_INVAL.rawValue), Int32(MOSQ_ERR_MALFORMED_UTF8.rawValue):
            return .refused(.topicNameInvalid, errorText(result))
        default:
            return .failed(failureText(result, number))
        }
    }

    /// Subscribes to `topic`. With MQTT 5 the broker sends a retained message only for a new subscription, or
    /// every connection would bring it again.
    /// - Returns: the packet identifier of its answer; nil when the connection is gone.
    func subscribe(_ topic: String, qos: Int32) -> Int32? {
        var packet: Int32 = 0
        let options = manner.version == .v5 ? Int32(MQTT_SUB_OPT_SEND_RETAIN_NEW.rawValue) : 0
        let result = mosquitto_subscribe_v5(client, &packet, topic, qos, options, nil)
        return result == MOSQ_ERR_SUCCESS.rawValue ? packet : nil
    }

    /// Gives a subscription up, if there is one. Its answer says nothing that matters.
    /// - Returns: whether the connection stands.
    func unsubscribe(_ topic: String) -> Bool {
        mosquitto_unsubscribe(client, nil, topic) == MOSQ_ERR_SUCCESS.rawValue
    }

    /// Sends DISCONNECT. It is written when the descriptor is -1 afterwards.
    ///
    /// The broker publishes the will all the same (MQTT 5 section 3.14.2.1, 0x04): a stopped gateway is as absent as a
    /// disconnected one, and a retained "online" would be wrong. MQTT 3.1.1 has no such reason code; there the
    /// connection just ends, which has the same effect.
    /// - Parameter forGood: the broker is to forget the session, with the messages queued in it.
    func sayGoodbye(forGood: Bool) {
        guard manner.version == .v5 else { return }
        guard forGood else {
            _ = mosquitto_disconnect_v5(client, Self.disconnectWithWill, nil)
            return
        }
        let properties = PropertyList(ofDisconnectWithSessionExpiry: 0)
        _ = mosquitto_disconnect_v5(client, Self.disconnectWithWill, properties.head)
    }

    private static let disconnectWithWill: Int32 = 0x04
}
