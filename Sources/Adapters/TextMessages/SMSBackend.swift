import GatewayModel
import RealTime

/// How texts reach the network from this machine. Made, used and dropped on the channel's thread; nothing here
/// waits for anybody.
protocol SMSBackend: AnyObject {
    /// How many texts it takes at a time.
    var atOnce: Int { get }

    /// Attempts it once. `advance` tells of `number` what became of it, within the attempt's limit.
    func start(_ number: Int, _ text: OutgoingText)

    /// Looks whether texts could be sent now, without sending one. `advance` tells.
    func look()

    /// What to wait for besides `deadline`.
    var interests: [Poll.Interest] { get }

    /// When `advance` has something to do at the latest.
    var deadline: BootInstant? { get }

    /// Goes on with everything, and tells what has ended.
    func advance(at now: BootInstant) -> [TextWayEvent]
}
