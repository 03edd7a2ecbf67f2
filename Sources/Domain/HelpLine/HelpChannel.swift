public import Consent
public import GatewayModel
public import SOSLocal

/// One way out of the house for a call for help.
///
/// A channel makes one attempt of each message, with its protocol's own retransmissions and a time limit,
/// and reports its outcome. Whether and when it is tried again, and which others are told, the machine decides.
/// Several messages of one alarm are sent in the order in which they were given.
public protocol HelpChannel: AnyObject, Sendable {
    var id: ChannelID { get }

    /// Takes a message and returns at once; may be called from any thread.
    func send(_ message: Cleared<HelpMessage>)

    /// Takes a notice and returns at once; may be called from any thread. One attempt, which delays no call for help,
    /// and then one `ChannelReports.noticed`.
    func send(_ notice: Cleared<NoticeMessage>)

    /// Tries the way without troubling a person at its end, and reports `ChannelReports.tested`. At once,
    /// from any thread.
    func test()

    /// Server that the channel reaches by TCP without a lasting session; nil for other channels. Between two tests a connection
    /// that cannot be opened shows that the way to it is lost.
    var server: (host: String, port: Int)? { get }

    /// Until `stop`; makes the attempts on threads of its own.
    func run() async throws

    /// Ends after each message that was given before has been attempted once, or after
    /// `HelpChannelLimits.stop`.
    func stop()
}

extension HelpChannel {
    public var server: (host: String, port: Int)? { nil }
}

/// Receiver of the outcomes of a channel's messages. Called on the channel's thread; must return at once.
public struct ChannelReports: Sendable {
    /// About one alarm. `dispatched` as an attempt begins, then at most one of `handedOver` and `failed`
    /// (or `retracted` and `retractionFailed`), and `accepted` whenever a person answers.
    public let about: @Sendable (ChannelEvent) -> Void
    public let tested: @Sendable (ChannelTest) -> Void
    /// Outcome of a notice.
    public let noticed: @Sendable (NoticeMessage, NoticeOutcome) -> Void

    public init(
        about: @escaping @Sendable (ChannelEvent) -> Void, tested: @escaping @Sendable (ChannelTest) -> Void,
        noticed: @escaping @Sendable (NoticeMessage, NoticeOutcome) -> Void
    ) {
        self.about = about
        self.tested = tested
        self.noticed = noticed
    }
}

/// Outcome of a test of a channel.
public enum ChannelTest: Hashable, Sendable {
    case works(detail: String)
    /// `reason` is for the installer: the observation, the expectation, the remedy.
    case fails(reason: String)
}

/// Limits that hold for every channel.
public enum HelpChannelLimits {
    /// The longest that one attempt may take where the settings say nothing else.
    public static let attempt = Duration.seconds(10)
    /// The longest that a channel may take to end.
    public static let stop = Duration.seconds(2)
}
