import GatewayModel
import RealTime

/// How texts reach the network from this machine. Made, used and dropped on the channel's thread; nothing here
/// waits for anybody.
protocol SMSBackend: AnyObject {
    /// How many texts it takes at a time.
    var atOnce: Int { get }

    /// Attempts it once. `advance` reports the outcome of `number` within the attempt's limit.
    func start(_ number: Int, _ text: OutgoingText)

    /// Looks whether texts could be sent now, without sending one. `advance` tells.
    func look()

    /// Looks for texts that came in, from now on or no longer. `advance` reports each of them once.
    func listen(_ isOn: Bool)

    /// Deletes a text that `advance` has reported.
    func discard(_ text: IncomingText)

    /// Descriptors to wait for besides `deadline`.
    var interests: [Poll.Interest] { get }

    /// When `advance` has something to do at the latest.
    var deadline: BootInstant? { get }

    /// Advances all texts, and returns the outcomes of those that have ended, and the texts that came in.
    func advance(at now: BootInstant) -> [TextWayEvent]
}
