/// What the scanner tells besides advertisements. Each is told on a change only, on the "hci" thread.
public enum HCIScanEvent: Hashable, Sendable {
    /// The scanner's own scan runs: everything in range is heard.
    case scanning(adapter: String)
    /// Somebody else scans, most often bluetoothd: what comes is heard under their conditions. Nil where
    /// their scan was running before this scanner looked.
    case listening(adapter: String, ScanConditions?)
    case unavailable(ScanObstacle)
    /// The scanner's own scan runs, and nothing at all was heard for half a minute: there may be nothing, or
    /// the controller is deaf. The scan is started anew every half minute; `scanning` follows when something
    /// is heard.
    case silent(adapter: String)
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
    /// What was seen.
    public let reason: String
    /// What to do.
    public let remedy: String
}
