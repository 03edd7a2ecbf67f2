import GatewayModel

/// A message of the session's process to the daemon. Nothing else of a broker's bytes gets there: values that were
/// decoded, bounded and checked on the other side, and are checked again here.
enum FrameToDaemon {
    case acknowledged(MessageID)
    case refused(MessageID, ReasonCode, reason: String)
    case message(InboundMessage)
    /// Of the events those that a connection has; the others are made by the daemon's side.
    case connected(Welcome)
    case held(Duration)
    case subscribed(topic: String)
    case subscriptionRefused(topic: String, reason: String)
    case fault(BrokerFault, count: Int)
    /// The attempt is over. The process waits for the next one.
    case ended(Ending)

    var body: [UInt8] {
        var writer = FrameWriter()
        switch self {
        case .acknowledged(let id):
            writer.number(UInt8(0))
            writer.bytes(id.bytes)
        case .refused(let id, let code, let reason):
            writer.number(UInt8(1))
            writer.bytes(id.bytes)
            writer.number(code.rawValue)
            writer.text(reason)
        case .message(let message):
            writer.number(UInt8(2))
            writer.text(message.topic)
            writer.block(message.payload)
            writer.flag(message.isRetained)
        case .connected(let welcome):
            writer.number(UInt8(3))
            Self.write(welcome, to: &writer)
        case .held(let duration):
            writer.number(UInt8(4))
            writer.duration(duration)
        case .subscribed(let topic):
            writer.number(UInt8(5))
            writer.text(topic)
        case .subscriptionRefused(let topic, let reason):
            writer.number(UInt8(6))
            writer.text(topic)
            writer.text(reason)
        case .fault(let fault, let count):
            writer.number(UInt8(7))
            writer.text(fault.rawValue)
            writer.number(UInt64(count))
        case .ended(let ending):
            writer.number(UInt8(8))
            Self.write(ending, to: &writer)
        }
        return writer.body
    }

    /// Nil for a body that is none.
    init?(body: [UInt8]) {
        var reader = FrameReader(body)
        switch reader.number(UInt8.self) {
        case 0:
            guard let id = MessageID(bytes: reader.bytes(16)) else { return nil }
            self = .acknowledged(id)
        case 1:
            guard let id = MessageID(bytes: reader.bytes(16)) else { return nil }
            self = .refused(id, ReasonCode(rawValue: reader.number(UInt8.self)), reason: reader.text())
        case 2:
            self = .message(
                InboundMessage(topic: reader.text(), payload: reader.block(), isRetained: reader.flag()))
        case 3: self = .connected(Self.welcome(from: &reader))
        case 4: self = .held(reader.duration())
        case 5: self = .subscribed(topic: reader.text())
        case 6: self = .subscriptionRefused(topic: reader.text(), reason: reader.text())
        case 7:
            guard let fault = BrokerFault(rawValue: reader.text()) else { return nil }
            self = .fault(fault, count: Int(clamping: reader.number(UInt64.self)))
        case 8:
            guard let ending = Self.ending(from: &reader) else { return nil }
            self = .ended(ending)
        default: return nil
        }
        guard reader.isWhole else { return nil }
    }

    private static func write(_ welcome: Welcome, to writer: inout FrameWriter) {
        writer.text(welcome.broker.host)
        writer.number(welcome.broker.port)
        writer.flag(welcome.protocolVersion == .v5)
        writer.number(UInt32(clamping: welcome.receiveMaximum))
        writer.flag(welcome.isSessionPresent)
        writer.optional(welcome.sessionExpiry) { $0.duration($1) }
        writer.optional(welcome.maximumPacketSize) { $0.number(UInt32(clamping: $1)) }
        writer.flag(welcome.keepsRetained)
    }

    private static func welcome(from reader: inout FrameReader) -> Welcome {
        Welcome(
            broker: BrokerEndpoint(host: reader.text(), port: reader.number(UInt16.self)),
            protocolVersion: reader.flag() ? .v5 : .v311,
            receiveMaximum: Int(reader.number(UInt32.self)), isSessionPresent: reader.flag(),
            sessionExpiry: reader.optional { $0.duration() },
            maximumPacketSize: reader.optional { Int($0.number(UInt32.self)) }, keepsRetained: reader.flag())
    }

    private static func write(_ ending: Ending, to writer: inout FrameWriter) {
        switch ending {
        case .stopped: writer.number(UInt8(0))
        case .lost(let reason):
            writer.number(UInt8(1))
            writer.text(reason)
        case .closed(let reason):
            writer.number(UInt8(2))
            writer.text(reason)
        case .unanswered(let reason):
            writer.number(UInt8(3))
            writer.text(reason)
        case .silent(let reason):
            writer.number(UInt8(4))
            writer.text(reason)
        case .refused(let code, let reason):
            writer.number(UInt8(5))
            writer.number(code.rawValue)
            writer.text(reason)
        // The daemon finds this one by itself.
        case .crashed(let reason):
            writer.number(UInt8(6))
            writer.text(reason)
        }
    }

    private static func ending(from reader: inout FrameReader) -> Ending? {
        switch reader.number(UInt8.self) {
        case 0: .stopped
        case 1: .lost(reader.text())
        case 2: .closed(reader.text())
        case 3: .unanswered(reader.text())
        case 4: .silent(reader.text())
        case 5: .refused(ReasonCode(rawValue: reader.number(UInt8.self)), reader.text())
        case 6: .crashed(reader.text())
        default: nil
        }
    }
}
