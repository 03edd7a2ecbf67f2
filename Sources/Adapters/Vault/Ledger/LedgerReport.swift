public import Consent
public import GatewayModel

/// What a look at the ledger finds, changing nothing.
public struct LedgerReport: Sendable {
    /// All that could be read, in the order of the file.
    public let entries: [ConsentEntry]
    /// Empty where every line is as the gateway wrote it.
    public let flaws: [LedgerFlaw]
    /// Whose ledger it says it is; nil where nothing was ever written.
    public let gateway: GatewayID?
    public let began: WallTime?
    /// Where it ends; nil where nothing was ever written.
    public let mark: LedgerMark?
    /// Lines of `ledger.head` that are not in the ledger: torn by a power cut, or cut off. The next start puts them
    /// back.
    public let isTailTorn: Bool

    /// - Parameter directory: absolute; a gateway may be writing there.
    public init(of directory: String) throws(DiskFailure) {
        let paths = LedgerPaths(directory: directory)
        var walk: LedgerWalk
        var head: [UInt8]?
        // A gateway that wrote in between has changed the head.
        repeat {
            head = try DurableFile.read(paths.head)
            walk = LedgerWalk(ledger: try DurableFile.read(paths.ledger), head: head)
        } while try DurableFile.read(paths.head) != head
        (entries, flaws, gateway, began) = (walk.entries, walk.flaws, walk.gateway, walk.began)
        isTailTorn = walk.isTailTorn
        mark = walk.head?.end.mark
    }
}
