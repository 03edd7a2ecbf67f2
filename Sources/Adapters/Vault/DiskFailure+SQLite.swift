import GRDB

extension DiskFailure {
    /// Runs what GRDB throws out of, and tells of its errors as of any other of the disk's. Statements and
    /// what is stored are left out of the text.
    static func translating<Result>(
        _ doing: String, _ path: String, _ body: () throws -> Result
    ) throws(DiskFailure) -> Result {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw DiskFailure(doing, path, error)
        } catch {
            throw DiskFailure("\(doing) \(path): \(error)", isForbidden: false, isDamage: false)
        }
    }

    private init(_ doing: String, _ path: String, _ error: DatabaseError) {
        let code = error.resultCode
        // The index of the log takes room as well: without it nothing can be opened.
        let isFull = code == .SQLITE_FULL || error.extendedResultCode == .SQLITE_IOERR_SHMSIZE
        self.init(
            "\(doing) \(path): \(error.message ?? "SQLite gives no reason") (SQLite \(error.extendedResultCode.rawValue))",
            isForbidden: [.SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH].contains(code),
            isDamage: [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(code), isFull: isFull)
    }
}
