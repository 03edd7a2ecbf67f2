import GatewayModel
import Glibc
import RealTime
import WireFormats

/// Event of the scanner besides advertisements. Each is told on a change only, on the "hci" thread.
public enum HCIScanEvent: Hashable, Sendable {
    /// The scanner's own scan runs: everything in range is heard.
    case scanning(adapter: String)
    /// Somebody else scans, most often bluetoothd: adverts are heard under their conditions. Nil where their
    /// scan was running before this scanner looked.
    case listening(adapter: String, ScanConditions?)
    case unavailable(ScanObstacle)
    /// The scanner's own scan runs, and nothing at all was heard for half a minute: there may be nothing, or
    /// the controller is deaf. The scan is started anew every half minute; `heardAgain` and `scanning` follow when
    /// something is heard. `hasHeard`: this scanner heard adverts often enough before that others are on the air.
    case silent(adapter: String, hasHeard: Bool)
    /// The first advert after `silent`, whoever's scan brings it.
    case heardAgain(adapter: String)
    /// The kernel had no room for so many packets more: this process did not read in time.
    case lost(packets: Int)
    /// So many more events could not be read. Nothing of them is shown: they are other people's.
    case malformed(events: Int)
}

/// Why advertisements cannot be heard.
public struct ScanObstacle: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case noPermission, noBluetooth, noAdapter, adapterDown, refused
    }

    public let kind: Kind
    /// The observation.
    public let reason: String
    /// The remedy.
    public let remedy: String
}

extension ScanObstacle {
    static func socket(_ error: SystemCallError) -> ScanObstacle {
        switch error.number {
        case EPERM, EACCES:
            ScanObstacle(
                kind: .noPermission, reason: "the kernel does not let this process hear the radio: \(error)",
                remedy: "Grant CAP_NET_RAW: AmbientCapabilities=CAP_NET_RAW in the unit")
        case EAFNOSUPPORT, EPROTONOSUPPORT:
            ScanObstacle(
                kind: .noBluetooth, reason: "there are no Bluetooth sockets here: \(error)",
                remedy:
                    "Load the module (modprobe bluetooth), and allow AF_BLUETOOTH in RestrictAddressFamilies=")
        default:
            ScanObstacle(
                kind: .refused, reason: "the Bluetooth socket cannot be used: \(error)",
                remedy: "See: dmesg; it is tried again")
        }
    }

    static func list(_ failure: LocalAdapters.Failure) -> ScanObstacle {
        let kind: Kind = failure == .noBluetoothInKernel ? .noBluetooth : .refused
        return ScanObstacle(
            kind: kind, reason: failure.description, remedy: "See: hciconfig -a; it is tried again")
    }

    static func noAdapter(wanted: String?, present: [LocalAdapter]) -> ScanObstacle {
        let names = present.map { "\($0.name) (\($0.address))" }.joined(separator: ", ")
        let seen = present.isEmpty ? "the kernel has no Bluetooth adapter" : "the kernel has \(names)"
        let missing = wanted.map { ", not \($0) as the settings ask" } ?? ""
        return ScanObstacle(
            kind: .noAdapter, reason: seen + missing, remedy: "Plug one in, or name one that is there")
    }

    static func down(_ adapter: String) -> ScanObstacle {
        ScanObstacle(
            kind: .adapterDown, reason: "\(adapter) is switched off",
            remedy: "Switch it on: rfkill unblock bluetooth; bluetoothctl power on")
    }

    static func refused(_ command: ScanCommand, status: UInt8) -> ScanObstacle {
        ScanObstacle(
            kind: .refused,
            reason: "the controller answers \(command.name) with error 0x\(String(status, radix: 16))",
            remedy: "Use another adapter if it stays so; it is tried again")
    }

    static func unanswered(_ command: ScanCommand) -> ScanObstacle {
        ScanObstacle(
            kind: .refused, reason: "the controller does not answer \(command.name)",
            remedy: "Unplug the adapter and plug it in again if it stays so; it is tried again")
    }
}

/// Conditions of the controller's scan, by anybody's orders.
public struct ScanConditions: Hashable, Sendable {
    /// Asks advertisers for more (scan requests); a passive scan only listens.
    public let isActive: Bool
    /// The radio listens for `window` out of each `interval`.
    public let interval: Duration
    public let window: Duration
    /// Only devices of the controller's list are reported: so the kernel waits for bonded devices. Beacons
    /// and buttons are not heard.
    public let hearsListedOnly: Bool
    /// An advertiser is reported once, then not again until the scan is started anew, unless its data changes.
    public let filtersDuplicates: Bool

    /// Conditions that this scanner asks for: hear everything, all the time, and let nobody know.
    ///
    /// 30 ms are the fast scan window and the shortest fast scan interval of the Generic Access Profile
    /// (Core 5.4, Vol 3, Part C, Appendix A). Equal, they leave no gap; the radio changes channel with each.
    static let own = ScanConditions(
        isActive: false, interval: .milliseconds(30), window: .milliseconds(30), hearsListedOnly: false,
        filtersDuplicates: false)
}

/// Faults of single packets, told as sums every ten seconds, where there is more.
struct ScanFigures: Sendable {
    static let pause = Duration.seconds(10)

    /// Monitor packets that are shorter than they say. Not one is expected: the kernel writes them.
    var malformedPackets = 0
    private var toldDrops = 0
    private var toldMalformed = 0
    private var lookedAt: BootInstant?

    /// The kernel counts from the socket's opening.
    mutating func opened() { toldDrops = 0 }

    /// Whether it is time to look; if so, the next time is a pause later.
    mutating func isDue(at now: BootInstant) -> Bool {
        guard lookedAt.map({ $0.duration(to: now) >= Self.pause }) ?? true else { return false }
        lookedAt = now
        return true
    }

    mutating func changes(drops: UInt32, counts: AdvertIntake.Counts) -> [HCIScanEvent] {
        let lost = Int(drops) - toldDrops
        let malformed = counts.malformed + malformedPackets - toldMalformed
        toldDrops += lost
        toldMalformed += malformed
        return (lost > 0 ? [.lost(packets: lost)] : [])
            + (malformed > 0 ? [.malformed(events: malformed)] : [])
    }
}
