public import GatewayModel
public import RealTime
import Synchronization

/// Requests of other threads to the radio. It exists before the radio, so that parts whose events the radio reports to can
/// send requests to it.
public final class RadioInbox: Sendable {
    /// Unbounded: each request comes from a person or from the settings, and none may be lost.
    let requests: Mailbox<RadioRequest>

    /// Errors: `SystemCallError` where the kernel has no descriptor left.
    public init() throws(SystemCallError) {
        requests = try Mailbox()
    }

    /// From now on these wearables and no others; any thread, at any time. Links of those that are no more
    /// here are ended; their bonds stay. One that is the same as before keeps its link.
    public func replace(wearables: [Wearable]) { requests.put(.replace(wearables)) }

    /// Lets each connected wearable of the person that has Immediate Alert (0x1802) buzz or flash as its settings
    /// say, or ends that; any thread, returns at once. For each `.alerted` or `.callFailed` tells the outcome of
    /// it: that bluetoothd took it, not that it was felt.
    public func alarm(_ person: PersonID, isOn: Bool) { requests.put(.alarm(person, isOn: isOn)) }

    /// Lets one wearable buzz for some seconds, so that a person finds it; any thread, returns at once. An alarm of its
    /// wearer comes first.
    ///
    /// - Parameter done: called once on the "bluetooth" thread, within `BuzzOutcome.duration`; must return at once. Not
    ///   called by a radio that is stopped.
    public func buzz(_ device: DeviceID, done: @escaping @Sendable (BuzzOutcome) -> Void) {
        requests.put(.buzz(device, done: done))
    }

    /// From now on bluetoothd's discovery stays on, but for the seconds in which a wearable is connected, and
    /// each BTHome advert it shows is told as `.advertised`; or no more. Any thread, at any time.
    ///
    /// For where the kernel does not let this process listen itself. It is less sure: nothing is heard while
    /// a connection is made, and every neighbour's advert wakes bluetoothd, the bus and this thread.
    public func hearAdverts(_ isOn: Bool) { requests.put(.hearAdverts(isOn)) }

    /// From now on the wearables of these persons are asked where they are (Location and Navigation, 0x1819), and
    /// nobody else's; any thread, at any time. Until then, and after it, no position is subscribed to or read.
    public func followPositions(of persons: Set<PersonID>) { requests.put(.followPositions(of: persons)) }
}

/// Request of another thread to the radio.
enum RadioRequest: Sendable {
    case replace([Wearable])
    case alarm(PersonID, isOn: Bool)
    case buzz(DeviceID, done: @Sendable (BuzzOutcome) -> Void)
    case hearAdverts(Bool)
    case followPositions(of: Set<PersonID>)
}

/// Asks a polling loop to end: set from any thread, seen by the loop, which polls `wakeup`.
final class StopRequest: Sendable {
    let wakeup: Wakeup
    private let requested = Atomic(false)

    init() throws(SystemCallError) { wakeup = try Wakeup() }

    var isRequested: Bool { requested.load(ordering: .acquiring) }

    /// The descriptor is never drained: once asked, a wait for it ends at once.
    func request() {
        requested.store(true, ordering: .releasing)
        wakeup.signal()
    }
}
