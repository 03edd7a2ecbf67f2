public import Foundation
import PostgresEngine
public import SQLDatabase
import SQLiteEngine
import Synchronization
import TestSupport

/// Databases on which the stores are tested.
public enum TestEngine: String, CaseIterable, Sendable {
    case sqlite, postgres

    /// Of tests without a choice of their own: `TRACKME_TEST_DATABASE`, else SQLite.
    public static let standard =
        ProcessInfo.processInfo.environment["TRACKME_TEST_DATABASE"].flatMap { TestEngine(rawValue: $0) }
        ?? .sqlite
}

/// A database of one test, empty but for its schema, and removed with it.
public final class TestDatabase: Sendable {
    private enum Place {
        case file(ScratchDirectory)
        case name(String, PostgresServer)
    }

    /// Databases with a schema, by the names of its steps.
    private static let templates = Mutex<[[String]: String]>([:])

    private let migrations: [Migration]
    private let place: Place

    public init(_ engine: TestEngine = .standard, migrations: [Migration]) throws {
        self.migrations = migrations
        switch engine {
        case .sqlite: place = .file(try ScratchDirectory())
        case .postgres:
            let server = try PostgresServer.shared()
            let template = try Self.templates.withLock { templates in
                if let known = templates[migrations.map(\.name)] { return known }
                let name = try server.createDatabase()
                try DatabasePool(
                    postgres: try PostgresAddress(server.address(of: name)), migrations: migrations
                ).close()
                templates[migrations.map(\.name)] = name
                return name
            }
            place = .name(try server.createDatabase(from: template), server)
        }
    }

    deinit {
        if case .name(let name, let server) = place { server.dropDatabase(name) }
    }

    /// Opens it, as each process of a server does.
    ///
    /// - Parameter other: nil for the steps that it was made with.
    public func open(migrations other: [Migration]? = nil) throws -> DatabasePool {
        let migrations = other ?? migrations
        switch place {
        case .file(let scratch):
            return try DatabasePool(path: scratch.file("trackme.sqlite").path, migrations: migrations)
        case .name(let name, let server):
            return try DatabasePool(
                postgres: try PostgresAddress(server.address(of: name)), migrations: migrations, threads: 4)
        }
    }

    /// Claim of it, which is not acquired yet.
    public func claim() throws -> any DatabaseClaim {
        switch place {
        case .file(let scratch): FileClaim(path: scratch.file("trackme.sqlite").path)
        case .name(let name, let server): PostgresClaim(try PostgresAddress(server.address(of: name)))
        }
    }

    /// Ends all connections, as a failover does it; nothing on SQLite.
    public func endConnections() throws {
        if case .name(let name, let server) = place { try server.endConnections(of: name) }
    }

    /// Folder of the file; nil on PostgreSQL.
    public var folder: URL? {
        if case .file(let scratch) = place { scratch.url } else { nil }
    }
}
