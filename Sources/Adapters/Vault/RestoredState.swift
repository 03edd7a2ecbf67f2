import Glibc

/// Treatment of a state directory out of a backup, before a gateway uses it. The gateway may have gone on after the backup was
/// made, so decisions and commands may be missing. Blocking I/O.
public enum RestoredState {
    /// Name of the file that stands in a state directory while a restore is under way.
    static let markerName = "restore-unfinished"

    /// - The consent ledger is marked as incomplete: the first start sets it aside and begins another one, in which nobody's
    ///   data leave the house until the person accepts anew. A withdrawal may be missing, also where there is no ledger yet
    ///   and the settings accept.
    /// - The memory of commands is emptied: commands that were issued before the first start are refused.
    ///
    /// - Parameter directory: absolute; no gateway uses it.
    public static func settle(in directory: String) throws(DiskFailure) {
        if try DurableFile.exists(StateSchema.path(in: directory)) {
            let state = StateDatabase(in: directory)
            try state.apply([.clear(.commandMemory)])
            state.close()
        }
        let paths = LedgerPaths(directory: directory)
        let walk = LedgerWalk(
            ledger: try DurableFile.read(paths.ledger), head: try DurableFile.read(paths.head))
        let marks = StateMarks(in: directory, boot: "restored")
        // Lines count from 0, marks from 1: one line more than there is, or was.
        let next = max((walk.head?.end.seq ?? -1) + 2, (marks[LedgerFile.markName]?.sequence ?? 0) + 1)
        marks.note(LedgerFile.markName, next, detail: "restored", isSynced: true)
    }

    // MARK: A restore under way

    /// Whether a restore began here and has not ended: the files may be of two times.
    public static func isUnfinished(in directory: String) -> Bool {
        access(directory + "/" + markerName, F_OK) == 0
    }

    /// The observation and its remedy, for people; nil where no restore is unfinished.
    public static func warning(in directory: String) -> String? {
        guard isUnfinished(in: directory) else { return nil }
        return
            "\(directory): a restore was interrupted, and the files are of two times. Run it again: homegateway restore FILE"
    }

    /// Durable when it returns.
    public static func begin(in directory: String) throws(DiskFailure) {
        try DurableFile.replace(
            directory + "/" + markerName,
            with: Array("A restore was interrupted. Run homegateway restore again.\n".utf8))
    }

    public static func end(in directory: String) throws(DiskFailure) {
        try DurableFile.remove(directory + "/" + markerName)
        try DurableFile.syncDirectory(of: directory + "/" + markerName)
    }

    /// Names in a state directory that a backup leaves out, and a restore leaves where they are.
    public static func isOfThisBox(_ name: String) -> Bool { name == "gateway.lock" || name == markerName }
}
