/// A broker that puts a property into one kind of packet that MQTT 5 does not have (0x7F). libmosquitto 2.0.11 ends
/// its process on it.
public enum UnknownProperty: String, CaseIterable, CustomStringConvertible, Sendable {
    case connack = "CONNACK"
    case publish = "PUBLISH"
    case puback = "PUBACK"
    case suback = "SUBACK"
    case disconnect = "DISCONNECT"
    case auth = "AUTH"

    public var description: String { rawValue }

    /// Length, identifier, one byte.
    private static let properties: [UInt8] = [0x02, 0x7F, 0x01]

    /// A broker that does so whenever it is spoken to in MQTT 5, and is honest in 3.1.1. It needs one subscription to
    /// send a PUBLISH or DISCONNECT.
    /// - Parameter honest: from then on it is honest in MQTT 5 too.
    public func broker(until honest: @escaping @Sendable () -> Bool = { false }) -> ScriptedBroker {
        let version = Version()
        return ScriptedBroker { packet in
            switch packet[0] & 0xF0 {
            case 0x10:
                version.isV5 = packet[8] == 5
                guard version.isV5 else { return [0x20, 0x02, 0x00, 0x00] }
                return honest() ? ScriptedBroker.welcome : greeting
            case 0x80:
                guard version.isV5 else { return [0x90, 0x03, packet[2], packet[3], 0x01] }
                let honestly: [UInt8] = [0x90, 0x04, packet[2], packet[3], 0x00, 0x01]
                return honest() ? honestly : answer(toSubscribe: packet, honestly)
            case 0x30:
                let honestly = ScriptedBroker.acknowledge(packet)
                guard self == .puback, version.isV5, !honest() else { return honestly }
                return [0x40, 0x06] + honestly[2...3] + [0x00] + Self.properties
            case 0xC0: return [0xD0, 0x00]
            case 0xE0: return nil
            default: return []
            }
        }
    }

    private var greeting: [UInt8] {
        switch self {
        case .connack: [0x20, 0x05, 0x00, 0x00] + Self.properties
        case .auth: ScriptedBroker.welcome + [0xF0, 0x04, 0x18] + Self.properties
        case .publish, .puback, .suback, .disconnect: ScriptedBroker.welcome
        }
    }

    private func answer(toSubscribe packet: [UInt8], _ honestly: [UInt8]) -> [UInt8] {
        switch self {
        case .suback: [0x90, 0x06, packet[2], packet[3]] + Self.properties + [0x01]
        case .publish: honestly + [0x30, 0x07, 0x00, 0x01, 0x74] + Self.properties + [0x78]
        case .disconnect: honestly + [0xE0, 0x04, 0x8B] + Self.properties
        case .connack, .puback, .auth: honestly
        }
    }

    /// Used on the broker's thread alone.
    private final class Version: @unchecked Sendable {
        var isV5 = false
    }
}
