import GatewayModel
public import RealTime

/// Lasting session of a consumer of the contract: the cloud half, or a tool at a desk.
///
/// It subscribes at QoS 1, hands over the messages of one read as a batch, and acknowledges them after the batch is
/// committed. A batch that is not committed comes again on the next connection, and so does one that was committed
/// while the connection ended: the consumer keeps one message of an id.
///
/// It runs on a thread of its own, with the connections, the back-off and the brokers of a `BrokerSession`. It has no
/// part in the messages of a gateway: those pass the consent gate.
public final class ConsumerSession: Sendable {
    /// Maximum number of messages in a batch, and of messages that the broker sends before the first acknowledgement
    /// (with MQTT 5; with 3.1.1 the broker's own limit is lower, 20 as a rule). At 118 bytes a row a batch is one
    /// short transaction.
    public static let batchLimit = 1_000

    private let settings: BrokerSettings
    private let filters: [String]
    private let commit: @Sendable ([InboundMessage]) throws -> Void
    private let onEvent: @Sendable (BrokerEvent) -> Void
    private let control: SessionControl
    private let queue = ConsumerQueue()

    /// - Parameters:
    ///   - settings: `sessionExpiry` above zero makes the session lasting. The will is not used.
    ///   - filters: topic filters, requested at QoS 1 on every connection. `$share/<group>/<filter>` shares the messages
    ///     of a filter between the sessions of a group (MQTT 5 section 4.8.2).
    ///   - commit: called on the session's thread with 1...`batchLimit` messages, in the broker's order. It may wait
    ///     for a disk. Meanwhile nothing is sent or received, not even a keep-alive: it must return within the
    ///     keep-alive of the settings. If it throws, the connection is dropped, and all messages of the batch come
    ///     again after the back-off. A message that can never be committed must be put aside, or it stops the session.
    ///   - onEvent: called on the session's thread; must not block.
    /// - Throws: `BrokerError` if the settings or the TLS files are unusable.
    public init(
        settings: BrokerSettings, filters: [String],
        commit: @escaping @Sendable ([InboundMessage]) throws -> Void,
        onEvent: @escaping @Sendable (BrokerEvent) -> Void
    ) throws(BrokerError) {
        var settings = settings
        settings.will = { nil }
        settings.receiveMaximum = UInt16(Self.batchLimit)
        try settings.validate(subscriptions: filters)
        self.settings = settings
        self.filters = filters
        self.commit = commit
        self.onEvent = onEvent
        control = try SessionControl()
    }

    /// Runs until `stop`, or until its task is cancelled, which stops without a drain. Call it once.
    ///
    /// Returns when the thread has ended, the library's client is freed and every `publish` has its answer.
    /// - Throws: if no thread can be made.
    public func run() async throws(SystemCallError) {
        defer { queue.close() }
        try await control.run(onThread: "mqtt-consumer") { [self] in
            let host = ConsumerHost(queue: queue, control: control, commit: commit, onEvent: onEvent)
            let runner = ConnectionRunner(settings: settings, subscriptions: filters, host: host) { nil }
            SessionLoop(settings: settings, onEvent: onEvent, control: control, connector: runner).run()
        }
    }

    /// Publishes a message at QoS 1, not retained, and returns when the broker has acknowledged it.
    ///
    /// The message waits over lost connections, in memory alone, and may reach the broker twice. Callable from any
    /// task, also before `run`.
    /// - Throws: `PublishFailure`; after `stopped` the broker may have the message.
    public func publish(_ payload: [UInt8], to topic: String) async throws(PublishFailure) {
        var random = SystemRandomNumberGenerator()
        let id = MessageID(wall: Clock.wall(), using: &random)
        let order = ConsumerQueue.Order(id: id, topic: topic, payload: payload)
        try await queue.answer(to: order) { control.wake(urgently: true) }.get()
    }

    /// Ends the session: waits up to `drain` until the broker has acknowledged the messages under way, and disconnects.
    /// The broker keeps the session. Callable from any thread; `run` returns when it is done.
    public func stop(drain: Duration) {
        control.stop(by: Clock.boot().advanced(by: drain))
    }
}
