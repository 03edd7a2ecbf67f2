import Foundation
import Glibc
import Synchronization

/// Debian's own PostgreSQL on a free port of 127.0.0.1, as a user without rights. One server serves all tests of a process,
/// each by a database of its own.
///
/// It does not wait for the disk: the tests end no machine.
public final class PostgresServer: Sendable {
    private static let programs = "/usr/lib/postgresql/15/bin"
    public static var isInstalled: Bool { access("\(programs)/postgres", X_OK) == 0 }

    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    private static let started = Result { try PostgresServer() }
    /// Removed at the end of the process.
    private static let directory = Mutex<URL?>(nil)

    /// The server of this process. Blocks while it starts, some two seconds.
    public static func shared() throws -> PostgresServer { try started.get() }

    private let port: UInt16
    private let scratch: ScratchDirectory
    private let child: TiedChild
    private let count = Mutex(0)

    private init() throws {
        port = freePort()
        scratch = try ScratchDirectory()
        // PostgreSQL refuses to run as root.
        let user = getuid() == 0 ? ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] : []
        if getuid() == 0, let nobody = getpwnam("nobody") {
            chown(scratch.url.path, nobody.pointee.pw_uid, nobody.pointee.pw_gid)
        }
        Self.directory.withLock { [url = scratch.url] in $0 = url }
        atexit { PostgresServer.removeDirectory() }
        let data = scratch.file("data").path
        let log = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent(
            "postgres-\(getpid()).log")
        defer { try? FileManager.default.removeItem(at: log) }
        let creation = try ChildProcess(
            "/usr/bin/env",
            user + [
                "\(Self.programs)/initdb", "-D", data, "-U", "trackme", "--auth=trust", "--encoding=UTF8",
                "--locale=C", "--no-sync",
            ], output: log)
        guard creation.waitForSuccess() else { throw Failure(description: creation.text) }
        var words = user + ["\(Self.programs)/postgres", "-D", data, "-p", "\(port)"]
        for setting in [
            "listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off", "full_page_writes=off",
            "shared_buffers=64MB", "max_connections=300", "max_wal_size=512MB",
        ] { words += ["-c", setting] }
        child = try TiedChild(words)
        let end = ContinuousClock.now.advanced(by: .seconds(30))
        while !isListening(port) {
            guard child.isRunning, ContinuousClock.now < end else {
                throw Failure(description: child.errors.values.joined(separator: "\n"))
            }
            usleep(20_000)
        }
        // It listens before it takes connections.
        for attempt in 1... {
            let probe = try run("psql", ["-d", "postgres", "-c", "SELECT 1"])
            if probe.isDone { break }
            guard attempt < 100 else { throw Failure(description: probe.text) }
            usleep(50_000)
        }
    }

    private static func removeDirectory() {
        directory.withLock { url in
            if let url { try? FileManager.default.removeItem(at: url) }
        }
    }

    private func run(_ program: String, _ arguments: [String]) throws -> (isDone: Bool, text: String) {
        let output = URL(fileURLWithPath: NSTemporaryDirectory())
            .appendingPathComponent("postgres-\(UUID().uuidString).log")
        defer { try? FileManager.default.removeItem(at: output) }
        let child = try ChildProcess(
            "\(Self.programs)/\(program)",
            ["-h", "127.0.0.1", "-p", "\(port)", "-U", "trackme", "-X"].filter {
                program == "psql" || $0 != "-X"
            }
                + arguments, output: output)
        return (child.waitForSuccess(), child.text)
    }

    /// Makes a database. Blocks, about 50 ms.
    ///
    /// - Parameter template: an existing database without connections; nil for an empty one.
    /// - Returns: its name.
    public func createDatabase(from template: String? = nil) throws -> String {
        let number = count.withLock { count in
            count += 1
            return count
        }
        let name = "test\(number)"
        let result = try run("createdb", ["--template=\(template ?? "template0")", name])
        guard result.isDone else { throw Failure(description: result.text) }
        return name
    }

    /// Ends its connections as well.
    public func dropDatabase(_ name: String) { _ = try? run("dropdb", ["--force", "--if-exists", name]) }

    /// Ends the connections to a database, as an administrator or a failover does it.
    public func endConnections(of name: String) throws {
        _ = try run(
            "psql",
            [
                "-d", "postgres", "-c",
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(name)'",
            ])
    }

    /// Connection string of libpq.
    public func address(of name: String) -> String {
        "host=127.0.0.1 port=\(port) user=trackme dbname=\(name) sslmode=disable"
    }
}
