import GRDB

extension DiskFailure {
    /// Runs `body`, and converts errors of GRDB to `DiskFailure`. The text contains no SQL statements and no stored
    /// values.
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
        // The index of the log needs disk space as well. Without it the database cannot be opened.
        let isFull = code == .SQLITE_FULL || error.extendedResultCode == .SQLITE_IOERR_SHMSIZE
        self.init(
            "\(doing) \(path): \(error.message ?? "SQLite gives no reason") (SQLite \(error.extendedResultCode.rawValue))",
            isForbidden: [.SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH].contains(code),
            isDamage: [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(code), isFull: isFull)
    }
}
