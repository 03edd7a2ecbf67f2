import GRDB
import GatewayModel
import Glibc

/// Reader of `state.sqlite` for commands that run beside the gateway: changes nothing, repairs nothing. Blocking I/O.
public struct StateReader: Sendable {
    public let path: String
    private let directory: String

    /// - Parameter directory: the state directory, absolute.
    public init(in directory: String) {
        path = StateSchema.path(in: directory)
        self.directory = directory
    }

    /// Rows of a table by key, and how many cannot be read. Before the first start of this version they come from the
    /// files of the earlier one.
    public func rows(of table: StateTable) throws(DiskFailure) -> (rows: [StateRow], unreadable: Int) {
        guard try DurableFile.exists(path) else {
            return try EarlierStateFiles(in: directory, marks: nil).peek(table)
        }
        // SQLite tells only that it cannot open the file.
        guard access(path, R_OK) == 0 else { throw DiskFailure("opening", path) }
        return try DiskFailure.translating("reading", path) {
            var configuration = Configuration()
            configuration.readonly = true
            configuration.busyMode = .timeout(5)
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            defer { try? queue.close() }
            let found = try queue.read { db in try StateSchema.rows(of: table, in: db) }
            return (found.sound, found.bad)
        }
    }
}
