import Foundation
import Testing

/// Rules of the house that the compiler does not know: which target may import which.
@Suite struct `The architecture` {
    /// Target of the package, as the manifest declares it.
    private struct Target: Decodable {
        let name: String
        let type: String
        let path: String?
        let dependencies: [Dependency]

        /// Path from the package's root.
        var folder: String { path ?? (type == "test" ? "Tests/\(name)" : "Sources/\(name)") }
        var modules: Set<String> { Set(dependencies.map(\.name)) }
    }

    /// `{"byName": ["RealTime", null]}` or `{"product": ["Logging", "swift-log", null, null]}`.
    private struct Dependency: Decodable {
        let name: String

        init(from decoder: any Decoder) throws {
            let kinds = try decoder.singleValueContainer().decode([String: [Part]].self)
            name = try #require(kinds.first?.value.first?.text)
        }

        /// The name comes first; conditions and aliases follow.
        private struct Part: Decodable {
            let text: String?

            init(from decoder: any Decoder) throws {
                text = try? decoder.singleValueContainer().decode(String.self)
            }
        }
    }

    private struct Manifest: Decodable {
        let targets: [Target]
    }

    /// Folders of `Sources`, the lowest first: a target depends on its own floor and on those below.
    private static let floors = ["CModules", "Domain", "Platform", "Adapters", "Capabilities", "HomeGateway"]

    private static func floor(of target: Target) -> Int? {
        floors.firstIndex(of: String(target.folder.split(separator: "/")[1]))
    }

    /// Modules of the toolchain that do I/O, keep time or start threads: not for the domain.
    private static let worldly: Set<String> = [
        "Glibc", "Musl", "Foundation", "FoundationEssentials", "Dispatch", "FoundationNetworking",
    ]
    private static let toolchain: Set<String> = worldly.union(["Synchronization", "UnixSignals"])
    /// Targets of the domain that encode and decode JSON, which takes Foundation.
    private static let coders: Set<String> = ["Contract", "JSONReading"]

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private struct Import: Hashable {
        let target: String
        let module: String
        let file: String
    }

    private static let all = Result { () throws -> [Target] in
        // A scratch directory of its own: the package's is locked while the tests run.
        let scratch = FileManager.default.temporaryDirectory.appending(path: "manifest-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: scratch) }
        let swift = Process()
        let output = Pipe()
        swift.executableURL = URL(filePath: "/usr/bin/env")
        swift.arguments = [
            "swift", "package", "--package-path", root.path, "--scratch-path", scratch.path, "dump-package",
        ]
        swift.standardOutput = output
        try swift.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        swift.waitUntilExit()
        return try JSONDecoder().decode(Manifest.self, from: bytes).targets
    }

    /// Targets under `Sources`.
    private static let targets = all.map { $0.filter { $0.folder.hasPrefix("Sources/") } }

    private static func imports() throws -> [Import] { try imports(of: targets.get()) }

    private static func imports(of targets: [Target]) throws -> [Import] {
        let pattern =
            /^\s*(?:@\w+\s+)*(?:(?:public|package|internal|private|fileprivate)\s+)?import\s+(?:(?:struct|class|enum|func|protocol|var|let|typealias)\s+)?(\w+)/
            .anchorsMatchLineEndings()
        return try targets.flatMap { target in
            let folder = root.appending(path: target.folder)
            let files = try #require(
                FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil), "\(target.folder)")
            var found: [Import] = []
            for case let file as URL in files where file.pathExtension == "swift" {
                for match in try String(contentsOf: file, encoding: .utf8).matches(of: pattern) {
                    found.append(
                        Import(target: target.name, module: String(match.1), file: file.lastPathComponent))
                }
            }
            return found
        }
    }

    @Test func `declares each import as a dependency, and imports each dependency`() throws {
        let imports = try Self.imports()
        #expect(imports.count > 100, "the sources were not found")
        for target in try Self.targets.get() where target.type != "system" {
            let used = Set(imports.filter { $0.target == target.name }.map(\.module))
            let unknown = used.subtracting(target.modules).subtracting(Self.toolchain)
            #expect(unknown.isEmpty, "\(target.name) imports \(unknown.sorted()) and does not declare them")
            let unused = target.modules.subtracting(used)
            #expect(unused.isEmpty, "\(target.name) declares \(unused.sorted()) and does not import them")
        }
    }

    /// Of an import that is not declared, the module may be built later: a build from nothing fails then, at times.
    @Test func `of the tests declares each import of another target`() throws {
        let all = try Self.all.get()
        let names = Set(all.map(\.name))
        let tests = all.filter { !$0.folder.hasPrefix("Sources/") }
        let imports = try Self.imports(of: tests)
        #expect(imports.count > 100, "the tests were not found")
        for target in tests {
            let used = Set(imports.filter { $0.target == target.name }.map(\.module)).intersection(names)
            let unknown = used.subtracting(target.modules)
            #expect(unknown.isEmpty, "\(target.name) imports \(unknown.sorted()) and does not declare them")
        }
    }

    /// SwiftPM refuses a cycle of targets; this refuses a cycle of folders.
    @Test func `lets each floor stand only on itself and on those below`() throws {
        let targets = try Self.targets.get()
        let byName = Dictionary(uniqueKeysWithValues: targets.map { ($0.name, $0) })
        for target in targets {
            let own = try #require(Self.floor(of: target), "\(target.folder) is on no floor")
            for lower in target.modules.compactMap({ byName[$0] }) {
                let floor = try #require(Self.floor(of: lower), "\(lower.folder) is on no floor")
                #expect(floor <= own, "\(target.name) stands below \(lower.name)")
                let isAdapter = Self.floors[own] == "Adapters"
                #expect(!(isAdapter && floor == own), "the adapter \(target.name) imports \(lower.name)")
            }
        }
    }

    @Test func `keeps input, output and clocks out of the domain`() throws {
        let domain = Set(
            try Self.targets.get().filter { Self.floor(of: $0) == Self.floors.firstIndex(of: "Domain") }
                .map(\.name)
        ).subtracting(Self.coders)
        let worldly = try Self.imports().filter {
            domain.contains($0.target) && Self.worldly.contains($0.module)
        }
        #expect(worldly.isEmpty, "\(worldly.map { "\($0.target)/\($0.file) imports \($0.module)" })")
    }

    /// One file holds the gateway and the console, but the code of the console reaches none that keeps data or keys.
    @Test func `keeps the console apart from the gateway's data and keys`() throws {
        let byName = Dictionary(uniqueKeysWithValues: try Self.targets.get().map { ($0.name, $0) })
        var reached: Set<String> = []
        var next = ["ConsoleCommands"]
        while let name = next.popLast() {
            guard let target = byName[name], reached.insert(name).inserted else { continue }
            next += target.modules
        }
        #expect(reached.contains("Web") && reached.contains("ControlLink"))
        let kept: Set<String> = [
            "Vault", "Hub", "Sealing", "MQTTBridge", "Alarms", "ConsentService", "HistoryService", "Commands",
            "ControlSocket",
        ]
        #expect(kept.isSubset(of: byName.keys), "the targets have other names")
        #expect(reached.isDisjoint(with: kept), "\(reached.intersection(kept).sorted())")
    }

    /// Help is called in the same way, at the same time, whether or not somebody is at the desk.
    @Test func `keeps the watch of the desk out of all that calls for help`() throws {
        let importers = Set(try Self.imports().filter { $0.module == "DeskWatch" }.map(\.target))
        #expect(importers == ["HomeGateway"])
        let told: Set<String> = ["GatewayModel", "DeskWatch", "Notices", "RunbookPages"]
        let sources = Self.root.appending(path: "Sources")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var readers: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            if try String(contentsOf: file, encoding: .utf8).contains("deskUnattended") {
                readers.insert(file.deletingLastPathComponent().lastPathComponent)
            }
        }
        #expect(readers == told)
    }

    /// A logind that hangs delays no call.
    @Test func `keeps the lock of logind out of all that calls for help`() throws {
        let importers = Set(try Self.imports().filter { $0.module == "ShutdownDelay" }.map(\.target))
        #expect(importers == ["HomeGateway"])
    }

    @Test func `gives each C module exactly one importer`() throws {
        let modules = Set(
            try Self.targets.get().filter { Self.floor(of: $0) == Self.floors.firstIndex(of: "CModules") }
                .map(\.name))
        let uses = Set(
            try Self.imports().filter { modules.contains($0.module) }.map { [$0.module, $0.target] })
        #expect(Set(uses.map { $0[0] }) == modules)
        #expect(uses.count == modules.count, "\(uses)")
    }

    /// What leaves a house has passed the consent gate. A consumer's session publishes without it.
    @Test func `uses the session of a consumer in no part of the gateway`() throws {
        let sources = Self.root.appending(path: "Sources")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var users: [String] = []
        for case let file as URL in files where file.pathExtension == "swift" {
            guard file.deletingLastPathComponent().lastPathComponent != "MQTTBridge" else { continue }
            if try String(contentsOf: file, encoding: .utf8).contains("ConsumerSession") {
                users.append(file.lastPathComponent)
            }
        }
        #expect(users.isEmpty)
    }

    @Test func `reads received JSON by one reader, which bounds it`() throws {
        let sources = Self.root.appending(path: "Sources")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var readers: [String] = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let code = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter {
                !$0.drop(while: \.isWhitespace).hasPrefix("//")
            }
            if code.contains(where: { $0.contains(/JSONDecoder|JSONSerialization/) }) {
                readers.append(file.lastPathComponent)
            }
        }
        #expect(readers == ["JSONReader.swift"])
    }
}
