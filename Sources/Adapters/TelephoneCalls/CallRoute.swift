import Audio
import GatewayModel
import HelpLine

/// How calls leave this machine. Made, used and dropped on the channel's thread; nothing here waits.
protocol CallRoute: AnyObject {
    /// Calls a recipient. The outcome comes as events of `number`.
    func dial(_ number: Int, _ recipient: PhoneNumber)

    /// Ends a call, in each state. No more events of it come.
    func hangUp(_ number: Int)

    /// Plays on an answered call, in place of any sound before.
    func play(_ number: Int, _ sound: CallSound)

    /// Looks whether calls could leave now, without calling anybody. `advance` tells.
    func look()

    /// Addresses that a look-up has found; empty where it found none.
    func found(_ addresses: [String])

    /// When `advance` has something to do at the latest.
    var deadline: BootInstant? { get }

    /// Advances all calls, and returns the events since the last time.
    func advance(at now: BootInstant) -> [RouteEvent]

    /// Runs `step` whenever one of the descriptors or one of the route's own can be read, until it returns false.
    func run(waitingFor descriptors: [Int32], step: @escaping () -> Bool) throws
}

enum RouteEvent: Hashable, Sendable {
    case call(Int, CallEvent)
    case looked(ChannelTest)
    case note(CallNote)
}
