import Foundation
import Testing

/// The house rules that the compiler does not know: which target may import what.
@Suite struct `The architecture` {
    /// What each target may import besides the standard library's modules. The manifest must agree.
    private static let rooms: [String: Set<String>] = [
        "GatewayModel": [],
        "SOSLocal": ["GatewayModel"],
        "RunBeacon": ["GatewayModel", "WireFormats", "RealModule"],
        "Consent": ["GatewayModel"],
        "WireFormats": ["GatewayModel"],
        "Contract": ["GatewayModel", "Consent", "SOSLocal", "RunBeacon", "JSONReading"],
        "HelpLine": ["GatewayModel", "SOSLocal", "Consent"],
        "JSONReading": [],
        "Markup": ["CExpat"],
        "RealTime": ["GatewayModel", "CLinux"],
        "Systemd": ["GatewayModel", "RealTime", "CSystemd"],
        "Wearables": ["GatewayModel", "WireFormats", "RealTime", "Systemd", "CBlueZ"],
        "Ciphers": ["GatewayModel", "WireFormats", "COpenSSL"],
        "Sealing": ["GatewayModel", "Crypto"],
        "Positioning": ["GatewayModel", "RealTime", "JSONReading", "CGPSD"],
        "HouseAlarm": ["GatewayModel", "SOSLocal", "RealTime", "CALSA", "CGPIO"],
        "MQTTBridge": ["GatewayModel", "Consent", "Contract", "RealTime", "CMosquitto"],
        "AmbulanceService": [
            "GatewayModel", "Consent", "SOSLocal", "HelpLine", "RealTime", "JSONReading", "CCurl",
        ],
        "CareCentre": ["GatewayModel", "SOSLocal", "Consent", "HelpLine", "RealTime", "Markup", "CSIP"],
        "TextMessages": ["GatewayModel", "SOSLocal", "Consent", "HelpLine", "RealTime", "Systemd"],
        "Vault": [
            "GatewayModel", "SOSLocal", "Consent", "Contract", "RunBeacon", "JSONReading", "Crypto",
            "DequeModule",
            "GRDB",
        ],
        "CloudCommands": ["GatewayModel", "SOSLocal", "Consent", "RunBeacon", "Crypto", "JWTKit"],
        "Settings": ["GatewayModel", "SOSLocal", "RunBeacon", "Markup", "CToml"],
        "HomeGateway": [
            "GatewayModel", "SOSLocal", "RunBeacon", "Consent", "Contract", "WireFormats", "RealTime",
            "Systemd", "HelpLine", "AmbulanceService", "CareCentre", "TextMessages", "HouseAlarm", "Wearables",
            "Ciphers", "Sealing", "Positioning", "MQTTBridge", "Vault", "Settings", "CloudCommands",
            "JSONReading",
            "ArgumentParser",
            "Logging", "ServiceLifecycle",
        ],
    ]

    /// Modules of the toolchain that do I/O, keep time or start threads: not for the domain.
    private static let worldly: Set<String> = [
        "Glibc", "Musl", "Foundation", "FoundationEssentials", "Dispatch", "FoundationNetworking",
    ]
    private static let toolchain: Set<String> = worldly.union(["Synchronization", "UnixSignals"])
    private static let domain: Set<String> = [
        "GatewayModel", "SOSLocal", "RunBeacon", "Consent", "WireFormats", "HelpLine",
    ]

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private struct Import: Hashable {
        let target: String
        let module: String
        let file: String
    }

    private static func imports() throws -> [Import] {
        let sources = root.appending(path: "Sources")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        let pattern =
            /^\s*(?:@\w+\s+)*(?:(?:public|package|internal|private|fileprivate)\s+)?import\s+(?:(?:struct|class|enum|func|protocol|var|let|typealias)\s+)?(\w+)/
            .anchorsMatchLineEndings()
        var found: [Import] = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let target = file.path.dropFirst(sources.path.count + 1).split(separator: "/")[0]
            for match in try String(contentsOf: file, encoding: .utf8).matches(of: pattern) {
                found.append(
                    Import(target: String(target), module: String(match.1), file: file.lastPathComponent))
            }
        }
        return found
    }

    @Test func `lets each target import only its neighbours`() throws {
        let imports = try Self.imports()
        #expect(imports.count > 100, "the sources were not found")
        let forbidden = imports.filter { use in
            guard let allowed = Self.rooms[use.target] else { return true }
            return !allowed.contains(use.module) && !Self.toolchain.contains(use.module)
        }
        #expect(
            forbidden.isEmpty, "forbidden: \(forbidden.map { "\($0.target)/\($0.file) imports \($0.module)" })")
    }

    @Test func `keeps input, output and clocks out of the domain`() throws {
        let worldly = try Self.imports().filter {
            Self.domain.contains($0.target) && Self.worldly.contains($0.module)
        }
        #expect(worldly.isEmpty, "\(worldly.map { "\($0.target)/\($0.file) imports \($0.module)" })")
    }

    @Test func `gives each C module exactly one importer`() throws {
        let uses = Set(
            try Self.imports().filter {
                $0.module.wholeMatch(of: /C[A-Z]\w+/) != nil && $0.module != "Contract"
            }
            .map { [$0.module, $0.target] })
        let modules = uses.map { $0[0] }
        #expect(
            Set(modules) == [
                "CLinux", "CToml", "CALSA", "CBlueZ", "CCurl", "CExpat", "CGPIO", "CGPSD", "CMosquitto",
                "COpenSSL", "CSIP", "CSystemd",
            ])
        #expect(modules.count == Set(modules).count, "\(uses)")
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

    @Test func `is what the manifest says`() throws {
        let manifest = try String(contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8)
        for (target, allowed) in Self.rooms {
            let pattern = try Regex(
                #"arget\(\s*name: "\#(target)"(?:,\s*dependencies: \[(.*?)\])?,\s*swiftSettings"#
            )
            .dotMatchesNewlines()
            let match = try #require(manifest.firstMatch(of: pattern), "no target \(target) in the manifest")
            let list = match.output[1].substring.map(String.init) ?? ""
            let names = list.matches(of: /(?:^|[\s,\[])"(\w+)"|name: "(\w+)"/).compactMap { $0.1 ?? $0.2 }
            #expect(Set(names.map(String.init)) == allowed, "\(target) depends on \(names)")
        }
    }
}
