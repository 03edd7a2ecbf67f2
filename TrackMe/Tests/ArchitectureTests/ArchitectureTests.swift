import Foundation
import TestSupport
import Testing

/// Rules of the package that the compiler does not know: which target may import which module.
@Suite struct `The architecture of the cloud half` {
    private struct Import: Hashable {
        let target, file, module: String
    }

    private static let sources = Repository.root.appending(path: "TrackMe/Sources")

    private static func imports() throws -> [Import] {
        let pattern =
            /(?m)^\s*(?:(?:public|package|internal|private)\s+)?import\s+(?:(?:struct|class|enum|func)\s+)?(\w+)/
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var found: [Import] = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let target = file.path.dropFirst(sources.path.count + 1).prefix { $0 != "/" }
            for match in try String(contentsOf: file, encoding: .utf8).matches(of: pattern) {
                found.append(
                    Import(target: String(target), file: file.lastPathComponent, module: String(match.1)))
            }
        }
        return found
    }

    @Test func `names the HTTP server in one file`() throws {
        let files = Set(try Self.imports().filter { $0.module == "Hummingbird" }.map(\.file))
        #expect(files == ["WebServer.swift"])
    }

    @Test func `brings no second BoringSSL`() throws {
        let forbidden: Set = ["HummingbirdTLS", "HummingbirdTesting", "NIOSSL", "AsyncHTTPClient", "JWTKit"]
        #expect(try Self.imports().filter { forbidden.contains($0.module) }.isEmpty)
    }

    @Test func `has one importer of each C module`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path).filter { name in
            FileManager.default.fileExists(
                atPath: Self.sources.appending(path: "\(name)/module.modulemap").path)
        }
        let imports = try Self.imports().filter { names.contains($0.module) }
        let modules = Dictionary(grouping: imports, by: \.module)
        #expect(
            modules.mapValues { Set($0.map(\.target)) } == [
                "CArgon2": ["PasswordHashing"], "CPostgres": ["PostgresEngine"],
            ])
    }

    /// Requests to addresses that strangers chose pass the rule of addresses in `Webhooks`. The operator chose the address of
    /// the outside service.
    @Test func `sends HTTP requests from known targets`() throws {
        let targets = Set(
            try Self.imports().filter { ["HTTPTransfers", "FoundationNetworking"].contains($0.module) }.map(
                \.target))
        #expect(targets == ["DeskForwarding", "HTTPSending", "Webhooks"])
    }

    @Test func `keeps SQL in the targets of the database`() throws {
        let targets = Set(try Self.imports().filter { $0.module == "SQLDatabase" }.map(\.target))
        let stores: Set = ["DeskStores", "GroupStores", "PartyStores", "RunStores", "Schema", "Store"]
        #expect(targets == stores.union(["PostgresEngine", "SQLiteEngine", "TrackMe"]), "\(targets)")
    }

    /// The stores know neither of the two databases; the executable chooses one.
    @Test func `has one importer of GRDB, and chooses the engine in the executable`() throws {
        let imports = try Self.imports()
        #expect(Set(imports.filter { $0.module == "GRDB" }.map(\.target)) == ["SQLiteEngine"])
        let engines: Set = ["PostgresEngine", "SQLiteEngine"]
        #expect(Set(imports.filter { engines.contains($0.module) }.map(\.target)) == ["TrackMe"])
    }

    /// The decisions about accounts, passkeys, third parties and groups know no disk, no network and no clock.
    @Test(arguments: ["Accounts", "Groups", "Parties", "Passkeys"]) func `keeps the domain pure`(target: String)
        throws
    {
        let allowed: Set = [
            "Accounts", "Consent", "Crypto", "FoundationEssentials", "GatewayModel", "JSONReading",
            "PageSecurity",
        ]
        let used = Set(try Self.imports().filter { $0.target == target }.map(\.module))
        #expect(used.isSubset(of: allowed), "\(used.subtracting(allowed))")
        #expect(!used.isEmpty)
    }
}
