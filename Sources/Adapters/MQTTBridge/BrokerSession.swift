import GatewayModel
public import RealTime

/// One lasting session with a broker, or the first of several that takes it, on a thread of its own named "mqtt".
///
/// It connects, sends messages of `source` within the window, reports the broker's acknowledgements, and connects again
/// when the connection is lost. It keeps no message: on every loss the library's client is thrown away and the source
/// gives its unacknowledged messages again. The broker may then have a message twice, under one id.
///
/// The broker keeps messages for this gateway while it is away, for `sessionExpiry`. A message may arrive twice as
/// well, and libmosquitto does not show that it is a repeat: `receive` must handle duplicates.
public final class BrokerSession: Sendable {
    private let settings: BrokerSettings
    private let subscriptions: [String]
    private let source: any OutboundSource
    private let receive: @Sendable (InboundMessage) -> InboundReceipt
    private let onEvent: @Sendable (BrokerEvent) -> Void
    private let control: SessionControl
    private let isolation: Isolation

    /// Place of the connection.
    public enum Isolation: Sendable {
        /// On the session's own thread: an assertion of the MQTT library ends the calling process.
        case thread
        /// In a child process of this program, which runs `BrokerSessionProcess`.
        case process(program: String)

        /// A child of the calling program itself, even if its file was replaced meanwhile.
        public static let ownProgram = process(program: "/proc/self/exe")
    }

    /// - Parameters:
    ///   - subscriptions: topic filters, requested on every connection at QoS 1, or as the settings say.
    ///   - source: see `OutboundSource` for the thread on which it is called.
    ///   - receive: called on the mqtt thread, one message at a time in the broker's order; the message is acknowledged
    ///     after it has returned. It may wait for a disk. Meanwhile nothing is sent or received, not even a call for
    ///     help, so it must give up (`notKept`) within a second.
    ///   - onEvent: called on the mqtt thread; must not block.
    /// - Throws: `BrokerError` if the settings or the TLS files are unusable.
    public init(
        settings: BrokerSettings, subscriptions: [String], isolation: Isolation = .thread,
        source: any OutboundSource, receive: @escaping @Sendable (InboundMessage) -> InboundReceipt,
        onEvent: @escaping @Sendable (BrokerEvent) -> Void
    ) throws(BrokerError) {
        try settings.validate(subscriptions: subscriptions)
        self.settings = settings
        self.subscriptions = subscriptions
        self.source = source
        self.isolation = isolation
        self.receive = receive
        self.onEvent = onEvent
        control = try SessionControl()
    }

    /// Runs until `stop`, or until its task is cancelled, which stops without a drain. Call it once.
    ///
    /// Returns when the thread has ended and the library's client is freed.
    /// - Throws: if no thread can be made.
    public func run() async throws(SystemCallError) {
        try await control.run(onThread: "mqtt") { [self] in
            SessionLoop(settings: settings, onEvent: onEvent, control: control, connector: makeConnector())
                .run()
        }
    }

    private func makeConnector() -> any Connector {
        let host = LocalHost(source: source, receive: receive, onEvent: onEvent, control: control)
        switch isolation {
        case .thread:
            return ConnectionRunner(
                settings: settings, subscriptions: subscriptions, host: host,
                will: { [settings] in settings.will().map { Publication($0) } })
        case .process(let program):
            return SessionProcess(
                program: program, settings: settings, subscriptions: subscriptions, host: host)
        }
    }

    /// Announces a new message in the source. Callable from any thread; never blocks.
    /// - Parameter urgently: an alarm waits. This ends the wait before the next attempt to connect, but leaves 0.5 s
    ///   between two attempts. Readings are not urgent, or five wearables would undo the back-off.
    public func wake(urgently: Bool = false) {
        control.wake(urgently: urgently)
    }

    /// Ends the session: sends the remaining messages of the source, waits up to `drain` until all are acknowledged,
    /// and sends DISCONNECT, on which the broker publishes the will. Without a connection it ends at once. Callable
    /// from any thread; `run` returns when it is done.
    /// - Parameter forGood: the broker is told to forget the session, with its queued messages for this gateway (MQTT
    ///   5, and only where there is a connection).
    public func stop(drain: Duration, forGood: Bool = false) {
        control.stop(by: Clock.boot().advanced(by: drain), forGood: forGood)
    }
}
