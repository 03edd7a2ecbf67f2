import Foundation
import TestSupport
import Testing

/// Rules of the package that the compiler does not know: which target may import which module.
@Suite struct `The architecture of the cloud half` {
    private struct Import: Hashable {
        /// The target, and its folder where it has some: `Desk/Domain`.
        let target, part: String
        let file, module: String
    }

    private static let sources = Repository.root.appending(path: "TrackMe/Sources")

    private static func imports() throws -> [Import] {
        let pattern =
            /(?m)^\s*(?:(?:public|package|internal|private)\s+)?import\s+(?:(?:struct|class|enum|func)\s+)?(\w+)/
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var found: [Import] = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let folders = file.path.dropFirst(sources.path.count + 1).split(separator: "/").dropLast()
            for match in try String(contentsOf: file, encoding: .utf8).matches(of: pattern) {
                found.append(
                    Import(
                        target: String(folders[0]), part: folders.prefix(2).joined(separator: "/"),
                        file: file.lastPathComponent, module: String(match.1)))
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
            modules.mapValues { Set($0.map(\.part)) } == [
                "CArgon2": ["Accounts/Hashing"], "CPostgres": ["PostgresEngine"],
            ])
    }

    /// Requests to addresses that strangers chose pass the rule of addresses in `Webhooks`. The operator chose the address of
    /// the outside service.
    @Test func `sends HTTP requests from known places`() throws {
        let parts = Set(
            try Self.imports().filter { ["HTTPTransfers", "FoundationNetworking"].contains($0.module) }
                .map(\.part))
        #expect(parts == ["Background", "Desk/Forwarding", "Parties/Webhooks"])
    }

    @Test func `keeps SQL in the stores`() throws {
        let parts = Set(try Self.imports().filter { $0.module == "SQLDatabase" }.map(\.part))
        let stores: Set = [
            "Desk/Stores", "Groups/Stores", "Parties/Stores", "Runs/Stores", "Schema", "Store",
        ]
        #expect(parts == stores.union(["PostgresEngine", "SQLiteEngine", "TrackMe"]), "\(parts)")
    }

    /// The stores know neither of the two databases; the executable chooses one.
    @Test func `has one importer of GRDB, and chooses the engine in the executable`() throws {
        let imports = try Self.imports()
        #expect(Set(imports.filter { $0.module == "GRDB" }.map(\.target)) == ["SQLiteEngine"])
        let engines: Set = ["PostgresEngine", "SQLiteEngine"]
        #expect(Set(imports.filter { engines.contains($0.module) }.map(\.target)) == ["TrackMe"])
    }

    /// The decisions of a capability know no disk, no network and no clock.
    @Test(arguments: ["Accounts", "Desk", "Groups", "Parties"]) func `keeps the domain pure`(target: String)
        throws
    {
        let allowed: Set = [
            "Accounts", "Consent", "ContractReading", "Crypto", "FoundationEssentials", "GatewayModel",
            "JSONReading", "PageSecurity", "SOSLocal",
        ]
        let used = Set(try Self.imports().filter { $0.part == target + "/Domain" }.map(\.module))
        #expect(used.isSubset(of: allowed), "\(used.subtracting(allowed))")
        #expect(!used.isEmpty)
    }

    /// A capability stands on the stores and the pages that all share, never beside another one but where it is named here.
    @Test func `lets a capability know the others that it needs, and no more`() throws {
        let capabilities: Set = ["Desk", "Fleet", "Groups", "Parties", "Runs"]
        let known = Set(
            try Self.imports().filter { capabilities.contains($0.target) && capabilities.contains($0.module) }
                .map { "\($0.target) on \($0.module)" })
        #expect(known == ["Groups on Parties"])
        let shared = try Self.imports().filter {
            ["Accounts", "Houses", "Intake", "Store", "WebPages"].contains($0.target)
        }
        #expect(shared.filter { capabilities.contains($0.module) }.isEmpty)
    }
}
