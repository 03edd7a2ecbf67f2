import CMosquitto
import GatewayModel
import Glibc
import RealTime

/// A client of a broker for tests of the contract at a desk: sends commands as they are, and reads.
///
/// It blocks, belongs to one thread, and has no part in the messages of a gateway: those pass the consent gate and go
/// through `BrokerSession`.
public final class ContractClient {
    private let connection: BrokerConnection
    private var messages: [InboundMessage] = []

    /// Connects.
    ///
    /// - Parameter limit: time until the broker has accepted the connection.
    /// - Throws: the reason of a failure.
    public init(_ settings: BrokerSettings, within limit: Duration) throws(BrokerError) {
        guard let broker = settings.brokers.first else { throw .unusableSetting("no broker is named") }
        connection = try BrokerConnection(settings, to: broker, BrokerConnection.Manner())
        if let failure = connection.open() { throw .system(failure) }
        let deadline = Clock.boot().advanced(by: limit)
        while Clock.boot() < deadline {
            if connection.isEstablished {
                for notice in try turn(until: deadline) {
                    switch notice {
                    case .connected: return
                    case .connectionRefused(let code, let text, _):
                        throw .system("\(broker): refused: \(text ?? "\(code)")")
                    default: break
                    }
                }
            } else if Self.wait(connection, POLLOUT, until: deadline), let failure = connection.establish() {
                throw .system("\(broker): \(failure)")
            }
        }
        throw .system("\(broker): no answer within \(limit)")
    }

    /// Subscribes to a topic. Returns once the broker has granted it, and throws if it does not.
    public func subscribe(to topic: String, within limit: Duration) throws(BrokerError) {
        guard let packet = connection.subscribe(topic, qos: 1) else { throw .system("the connection ended") }
        let deadline = Clock.boot().advanced(by: limit)
        while Clock.boot() < deadline {
            for case .subscribed(packet, let code) in try turn(until: deadline) {
                guard !code.isFailure else { throw .system("\(topic) is refused: \(code)") }
                return
            }
        }
        throw .system("\(topic) is not granted within \(limit)")
    }

    /// Sends a message at QoS 1 without waiting for the acknowledgement.
    public func send(_ payload: [UInt8], to topic: String) throws(BrokerError) {
        let result = mosquitto_publish_v5(
            connection.client, nil, topic, Int32(clamping: payload.count), payload, 1, false, nil)
        guard result == MOSQ_ERR_SUCCESS.rawValue else { throw .system(errorText(result)) }
    }

    /// Returns the next message on the subscriptions; nil where none comes in time.
    public func next(within limit: Duration) throws(BrokerError) -> InboundMessage? {
        let deadline = Clock.boot().advanced(by: limit)
        while messages.isEmpty, Clock.boot() < deadline { _ = try turn(until: deadline) }
        return messages.isEmpty ? nil : messages.removeFirst()
    }

    /// Writes and reads once. Messages are stored for `next`.
    private func turn(until deadline: BootInstant) throws(BrokerError) -> [Notice] {
        let events = connection.wantsToWrite ? POLLIN | POLLOUT : POLLIN
        _ = Self.wait(connection, events, until: min(deadline, Clock.boot().advanced(by: .milliseconds(250))))
        let failure = connection.read() ?? connection.write()
        let notices = connection.board.takeNotices()
        for case .message(let message) in notices { messages.append(message) }
        if notices.isEmpty, let failure { throw .system(failure) }
        return notices
    }

    private static func wait(_ connection: BrokerConnection, _ events: Int32, until deadline: BootInstant)
        -> Bool
    {
        let limit = max(Clock.boot().duration(to: deadline), .zero)
        return Poll.wait([Poll.Interest(connection.descriptor, events: events)], timeout: limit).readable.first
            == true || events & POLLOUT != 0
    }
}
