// swift-tools-version: 6.2
import PackageDescription

// The cloud half of HomeGateway. Dependencies point down: the executable, the web server, the pages, intake and
// outgoing commands, the stores, the domain. `ArchitectureTests` holds every import to that.

/// Products of other packages, with their packages. `TrackMeContract` are the parts that are shared with the gateway.
let products = [
    "ArgumentParser": "swift-argument-parser", "Crypto": "swift-crypto", "GRDB": "GRDB.swift",
    "Hummingbird": "hummingbird", "Logging": "swift-log", "ServiceLifecycle": "swift-service-lifecycle",
    "TrackMeContract": "HomeGateway", "TrackMeTesting": "HomeGateway",
    "UnixSignals": "swift-service-lifecycle",
]

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// Targets of this package and `products` by their names.
func dependencies(_ names: [String]) -> [Target.Dependency] {
    names.map { name in
        products[name].map { .product(name: name, package: $0) } ?? .byName(name: name)
    }
}

func library(_ name: String, pkgConfig: String, apt: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

/// - Parameter files: files whose bytes the target has as `PackageResources`.
func part(_ name: String, embedding files: [String] = [], on needs: String...) -> Target {
    .target(
        name: name, dependencies: dependencies(needs), resources: files.map { .embedInCode($0) },
        swiftSettings: strict)
}

func program(_ name: String, in folder: String, on needs: String...) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies(needs), path: "\(folder)/\(name)", swiftSettings: strict)
}

func fixture(_ name: String, on needs: String...) -> Target {
    .target(
        name: name, dependencies: dependencies(needs), path: "Tests/\(name)", swiftSettings: strict)
}

/// Tests of a target, or of a part of the product.
func tests(of name: String, exclude: [String] = [], on needs: String...) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: dependencies(needs), exclude: exclude, swiftSettings: strict)
}

let package = Package(
    name: "TrackMe",
    products: [
        .executable(name: "trackme", targets: ["TrackMe"])
    ],
    dependencies: [
        .package(name: "HomeGateway", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        // Without its traits. HummingbirdTLS and HummingbirdTesting would bring a second BoringSSL.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // Domain: pure values and decisions. No I/O, no C module, no clock.
        part("Accounts", on: "Crypto", "TrackMeContract"),
        // Passkeys (WebAuthn): challenges, and verification of the answers of browsers.
        part("Passkeys", on: "Accounts", "Crypto", "TrackMeContract"),
        // Messages of the gateways: bytes of the contract to values.
        part("ContractReading", on: "TrackMeContract"),
        // Life of an emergency call at the desk, and its attendance.
        part("Desk", on: "ContractReading", "TrackMeContract"),
        // Third parties, their requests and the answers.
        part("Parties", on: "TrackMeContract"),
        // Runs: definitions, commands, and the picture for spectators.
        part("Runs", on: "Accounts", "ContractReading", "Store", "TrackMeContract"),
        // Figures of groups: consent, weekly tables with noise, questions and answers.
        part("Groups", on: "Accounts", "TrackMeContract"),
        // Blocks of readings: bytes of many readings or IDs, packed and read.
        part("ReadingBlocks", on: "Crypto", "TrackMeContract"),

        // Adapters: one outside thing each.
        // The settings file of the server.
        part("ServerSettings", on: "TrackMeContract"),
        library("CArgon2", pkgConfig: "libargon2", apt: "libargon2-dev"),
        part("PasswordHashing", on: "Accounts", "CArgon2"),
        part(
            "Store", on: "Accounts", "ContractReading", "Crypto", "Parties", "Passkeys", "ReadingBlocks",
            "SQLDatabase", "TrackMeContract"),
        // The database behind the stores, and its two engines.
        part("SQLDatabase"),
        part("SQLiteEngine", on: "GRDB", "SQLDatabase"),
        library("CPostgres", pkgConfig: "libpq", apt: "libpq-dev"),
        part("PostgresEngine", on: "CPostgres", "SQLDatabase", "TrackMeContract"),
        part(
            "DeskStores", on: "ContractReading", "Crypto", "Desk", "SQLDatabase", "Store", "TrackMeContract"),
        part(
            "PartyStores", on: "Accounts", "Crypto", "Parties", "SQLDatabase", "Store", "TrackMeContract"),
        part("GroupStores", on: "Accounts", "Groups", "SQLDatabase", "Store", "TrackMeContract"),
        part(
            "RunStores", on: "Accounts", "ContractReading", "Runs", "SQLDatabase", "Store", "TrackMeContract"),
        // The tables and exports of all of them.
        part(
            "Schema", on: "DeskStores", "GroupStores", "PartyStores", "RunStores", "SQLDatabase", "Store",
            "TrackMeContract"),

        // Capabilities.
        part("Rounds", on: "Logging", "ServiceLifecycle"),
        part(
            "DeskService", on: "Desk", "DeskStores", "Logging", "Rounds", "ServiceLifecycle", "TrackMeContract"),
        part("Live", on: "Accounts", "Logging", "Rounds", "ServiceLifecycle", "Store", "TrackMeContract"),
        part("Linking", on: "Accounts", "Logging", "Rounds", "ServiceLifecycle", "Store", "TrackMeContract"),
        part(
            "Intake", on: "Accounts", "ContractReading", "Linking", "Live", "Logging", "Parties", "Rounds",
            "ServiceLifecycle", "Store", "TrackMeContract"),
        part(
            "WebPages",
            embedding: ["charts.css", "live-part.js", "map.css", "passkeys.js", "readings.js", "site.css"],
            on: "Accounts", "ContractReading", "Linking", "Live", "Logging", "Passkeys", "Store",
            "TrackMeContract"),
        part(
            "DeskPages", embedding: ["desk.css"], on: "Accounts", "ContractReading", "Desk", "DeskService",
            "DeskStores", "TrackMeContract", "WebPages"),
        part("FleetService", on: "Accounts", "Linking", "Store", "TrackMeContract"),
        part("FleetPages", on: "Accounts", "FleetService", "Store", "TrackMeContract", "WebPages"),
        part(
            "RunService", on: "Accounts", "Linking", "Logging", "Rounds", "RunStores", "Runs",
            "ServiceLifecycle", "Store", "TrackMeContract"),
        part(
            "RunPages", embedding: ["run.js"], on: "Accounts", "Crypto", "Logging", "RunService", "RunStores",
            "Runs", "ServiceLifecycle", "Store", "TrackMeContract", "WebPages"),
        part(
            "PartyService", on: "Accounts", "Crypto", "Linking", "Logging", "Parties", "PartyStores", "Rounds",
            "ServiceLifecycle", "Store", "TrackMeContract"),
        part("HTTPSending", on: "ServiceLifecycle", "TrackMeContract"),
        part("Webhooks", on: "HTTPSending", "Parties", "PartyService", "ServiceLifecycle", "TrackMeContract"),
        part(
            "DeskForwarding", on: "ContractReading", "Desk", "DeskService", "DeskStores", "HTTPSending",
            "Logging", "ServiceLifecycle", "TrackMeContract"),
        part(
            "PartyPages", on: "Accounts", "Crypto", "Parties", "PartyService", "PartyStores", "Store",
            "TrackMeContract", "WebPages"),
        part(
            "GroupService", on: "GroupStores", "Groups", "Logging", "Rounds", "ServiceLifecycle",
            "TrackMeContract"),
        part(
            "GroupPages", on: "Accounts", "Crypto", "GroupStores", "Groups", "Parties", "PartyPages", "Store",
            "TrackMeContract", "WebPages"),
        part(
            "WebServer", on: "Accounts", "Hummingbird", "Logging", "ServiceLifecycle", "TrackMeContract",
            "WebPages"),

        // The server and its commands.
        program(
            "TrackMe", in: "Sources", on: "Accounts", "ArgumentParser", "Crypto", "Desk", "DeskForwarding",
            "DeskPages", "DeskService", "DeskStores", "FleetPages", "FleetService", "GroupPages",
            "GroupService", "GroupStores", "Groups", "Intake", "Linking", "Live", "Logging", "Parties",
            "PartyPages", "PartyService", "PartyStores", "Passkeys", "PasswordHashing", "PostgresEngine",
            "RunPages", "RunService", "RunStores", "SQLDatabase", "SQLiteEngine", "Schema", "ServerSettings",
            "ServiceLifecycle", "Store", "TrackMeContract", "UnixSignals", "WebPages", "WebServer", "Webhooks"),

        // Fixtures of several test targets.
        fixture(
            "StoreSamples", on: "Accounts", "Groups", "PostgresEngine", "SQLDatabase", "SQLiteEngine", "Store",
            "TrackMeContract", "TrackMeTesting"),
        fixture(
            "SiteSamples", on: "Accounts", "Crypto", "Linking", "Live", "Logging", "Passkeys",
            "PasswordHashing", "SQLDatabase", "Store", "StoreSamples", "TrackMeContract", "TrackMeTesting",
            "WebPages"),

        program(
            "RetentionBench", in: "Benchmarks", on: "Accounts", "ArgumentParser", "PostgresEngine",
            "SQLDatabase", "SQLiteEngine", "Schema", "Store", "TrackMeContract"),

        tests(of: "Rounds", on: "Logging", "Rounds", "ServiceLifecycle"),
        tests(of: "ContractReading", on: "ContractReading", "TrackMeContract", "TrackMeTesting"),
        tests(of: "Desk", on: "ContractReading", "Desk", "TrackMeContract"),
        tests(of: "DeskPages", on: "ContractReading", "Desk", "DeskPages", "TrackMeContract"),
        tests(
            of: "DeskStores", on: "Accounts", "ContractReading", "Crypto", "Desk", "DeskForwarding",
            "DeskPages", "DeskService", "DeskStores", "Logging", "SQLDatabase", "SiteSamples", "Store",
            "StoreSamples", "TrackMeContract", "TrackMeTesting", "WebPages"),
        tests(
            of: "Webhooks", on: "Accounts", "Logging", "Parties", "PartyService", "PartyStores", "SQLDatabase",
            "ServiceLifecycle", "Store", "StoreSamples", "TrackMeContract", "TrackMeTesting", "Webhooks"),
        tests(of: "ReadingBlocks", on: "ReadingBlocks", "TrackMeContract", "TrackMeTesting"),
        tests(of: "Groups", on: "Groups", "TrackMeContract"),
        tests(
            of: "GroupStores", on: "Accounts", "GroupService", "GroupStores", "Groups", "Logging", "Parties",
            "PartyStores", "SQLDatabase", "Store", "StoreSamples", "TrackMeContract", "TrackMeTesting"),
        tests(of: "Parties", on: "Parties", "TrackMeContract"),
        tests(
            of: "PartyStores", on: "Accounts", "Parties", "PartyStores", "SQLDatabase", "Store", "StoreSamples",
            "TrackMeContract", "TrackMeTesting"),
        tests(
            of: "PartyPages", on: "Accounts", "Crypto", "DeskPages", "DeskService", "DeskStores", "GroupPages",
            "GroupStores", "Groups", "Intake", "Linking", "Live", "Logging", "Parties", "PartyPages",
            "PartyService", "PartyStores", "RunPages", "RunService", "RunStores", "SQLDatabase", "SiteSamples",
            "Store", "StoreSamples", "TrackMeContract", "TrackMeTesting", "WebPages"),
        tests(
            of: "FleetPages", on: "Accounts", "FleetPages", "FleetService", "SQLDatabase", "SiteSamples",
            "Store", "StoreSamples", "TrackMeContract", "WebPages"),
        tests(
            of: "Schema", on: "Accounts", "Parties", "PartyStores", "SQLDatabase", "Schema", "Store",
            "StoreSamples", "TrackMeContract"),
        tests(
            of: "Runs", on: "Accounts", "ContractReading", "RunStores", "Runs", "SQLDatabase", "Store",
            "StoreSamples", "TrackMeContract", "TrackMeTesting"),
        tests(
            of: "RunPages", on: "Accounts", "RunPages", "RunService", "RunStores", "Runs", "SQLDatabase",
            "SiteSamples", "Store", "StoreSamples", "TrackMeContract", "TrackMeTesting", "WebPages"),
        tests(
            of: "Passkeys", exclude: ["webauthn-vectors.json"], on: "Accounts", "Crypto", "Passkeys",
            "TrackMeContract", "TrackMeTesting"),
        tests(of: "Accounts", on: "Accounts", "PasswordHashing"),
        tests(of: "ServerSettings", on: "ServerSettings", "TrackMeContract", "TrackMeTesting", "WebPages"),
        tests(
            of: "WebServer", on: "Accounts", "Logging", "ServiceLifecycle", "SiteSamples", "Store",
            "TrackMeContract", "TrackMeTesting", "WebPages", "WebServer"),
        tests(of: "Architecture", on: "TrackMeTesting"),
        tests(of: "Database", on: "PostgresEngine", "SQLDatabase", "StoreSamples", "TrackMeTesting"),
        tests(
            of: "Store", on: "Accounts", "Passkeys", "ReadingBlocks", "SQLDatabase", "SQLiteEngine", "Store",
            "StoreSamples", "TrackMeContract", "TrackMeTesting"),
        // Commands of the built program.
        tests(
            of: "Command", on: "Accounts", "Parties", "PartyStores", "PasswordHashing", "SQLDatabase",
            "SQLiteEngine", "Schema", "Store", "StoreSamples", "TrackMeContract", "TrackMeTesting"),
        tests(
            of: "WebPages", on: "Accounts", "ContractReading", "Passkeys", "PasswordHashing", "SiteSamples",
            "Store", "StoreSamples", "TrackMeContract", "TrackMeTesting", "WebPages"),
        tests(
            of: "Intake", on: "Accounts", "Intake", "Live", "Logging", "Parties", "SQLDatabase", "Store",
            "StoreSamples", "TrackMeContract", "TrackMeTesting"),
    ]
)
