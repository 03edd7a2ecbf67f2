/// The small files of a state directory as they were at one moment, while a gateway may be writing. Blocking I/O.
///
/// The gateway writes a mark after each change of a file. Two equal readings of the marks, and of the head of the ledger, with
/// the files read in between show that nothing changed. Databases and logs of lines are behind their marks at no time, so
/// they are copied afterwards.
public struct StateGroup: Sendable {
    /// Content by the name of the file.
    public let files: [String: [UInt8]]

    /// Logs that only grow, and may be large.
    private static let logs: Set<String> = ["passings.jsonl", "corrections.jsonl"]
    /// The gateway changes these files some times a minute; each try takes milliseconds.
    private static let tries = 50

    /// Whether a file is copied apart from the others: a database, a log, or one of more than 16 MiB.
    public static func isApart(_ name: String, size: Int) -> Bool {
        name.hasSuffix(".sqlite") || logs.contains(name) || size > 16 << 20
    }

    /// - Parameters:
    ///   - directory: absolute.
    ///   - names: lists the files that are not apart.
    /// - Throws: where the files did not rest for the time of one reading.
    public init(
        of directory: String, names: () throws(DiskFailure) -> [String]
    ) throws(DiskFailure) {
        for _ in 0..<Self.tries {
            let before = try Self.token(directory)
            let listed = try names()
            var files: [String: [UInt8]] = [:]
            for name in listed {
                files[name] = try DurableFile.read(directory + "/" + name)
            }
            if let before, try Self.token(directory) == before, files.count == listed.count,
                try names() == listed
            {
                if files[StateMarks.fileName] != nil { files[StateMarks.fileName] = before.marks }
                self.files = files
                return
            }
        }
        throw DiskFailure(
            "\(directory): its files changed at each of \(Self.tries) readings; try again, or stop the gateway for the backup",
            isForbidden: false, isDamage: false)
    }

    private struct Token: Equatable {
        let marks: [UInt8]
        let head: [UInt8]?

        static func == (left: Token, right: Token) -> Bool {
            left.head == right.head && left.filesMarks == right.filesMarks
        }

        /// Lines of files that are not apart.
        private var filesMarks: [String: StateMarks.Mark] {
            StateMarks.parse(marks).marks.filter { !StateGroup.isApart($0.key, size: 0) }
        }
    }

    /// Nil where a line was being written.
    private static func token(_ directory: String) throws(DiskFailure) -> Token? {
        let marks = try DurableFile.read(directory + "/" + StateMarks.fileName) ?? []
        guard StateMarks.parse(marks).bad == 0 else { return nil }
        return Token(marks: marks, head: try DurableFile.read(LedgerPaths(directory: directory).head))
    }
}
