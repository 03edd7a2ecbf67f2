// swift-tools-version: 6.2
import PackageDescription

// The cloud half of HomeGateway. Dependencies point down: the executable, the web server, the capabilities, the pages that
// they share, the stores, the domain. `ArchitectureTests` holds the directions within a target.

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
        // Users, their passwords and passkeys (WebAuthn).
        library("CArgon2", pkgConfig: "libargon2", apt: "libargon2-dev"),
        part("Accounts", on: "CArgon2", "Crypto", "TrackMeContract"),
        // Messages of the gateways: bytes of the contract to values.
        part("ContractReading", on: "TrackMeContract"),
        // The settings file of the server.
        part("ServerSettings", on: "TrackMeContract"),
        // The database beneath the stores, and its two engines.
        part("SQLDatabase"),
        part("SQLiteEngine", on: "GRDB", "SQLDatabase"),
        library("CPostgres", pkgConfig: "libpq", apt: "libpq-dev"),
        part("PostgresEngine", on: "CPostgres", "SQLDatabase", "TrackMeContract"),
        // Stores that all capabilities share: accounts, links, readings, commands to houses.
        part("Store", on: "Accounts", "ContractReading", "Crypto", "SQLDatabase", "TrackMeContract"),
        // Rounds of a service, and threads that send HTTP requests.
        part("Background", on: "Logging", "ServiceLifecycle", "TrackMeContract"),
        // Links of accounts to houses with their commands, and live readings.
        part("Houses", on: "Accounts", "Background", "Logging", "ServiceLifecycle", "Store", "TrackMeContract"),
        // Messages of the broker into the stores.
        part(
            "Intake", on: "Accounts", "Background", "ContractReading", "Houses", "Logging", "ServiceLifecycle",
            "Store", "TrackMeContract"),
        // Pages that all users have, and the parts of every page.
        part(
            "WebPages",
            embedding: ["charts.css", "live-part.js", "map.css", "passkeys.js", "readings.js", "site.css"],
            on: "Accounts", "ContractReading", "Houses", "Logging", "Store", "TrackMeContract"),
        // One capability each, with folders: its decisions, its stores, its service, its pages.
        part(
            "Desk", embedding: ["Pages/desk.css"], on: "Accounts", "Background", "ContractReading", "Crypto",
            "Logging", "SQLDatabase", "ServiceLifecycle", "Store", "TrackMeContract", "WebPages"),
        part("Fleet", on: "Accounts", "Houses", "Store", "TrackMeContract", "WebPages"),
        part(
            "Groups", on: "Accounts", "Background", "Crypto", "Logging", "Parties", "SQLDatabase",
            "ServiceLifecycle", "Store", "TrackMeContract", "WebPages"),
        part(
            "Parties", on: "Accounts", "Background", "ContractReading", "Crypto", "Houses", "Logging",
            "SQLDatabase", "ServiceLifecycle", "Store", "TrackMeContract", "WebPages"),
        part(
            "Runs", embedding: ["Pages/run.js"], on: "Accounts", "Background", "ContractReading", "Crypto",
            "Houses", "Logging", "SQLDatabase", "ServiceLifecycle", "Store", "TrackMeContract", "WebPages"),
        // The tables and exports of all of them.
        part(
            "Schema", on: "Desk", "Groups", "Parties", "Runs", "SQLDatabase", "Store", "TrackMeContract"),
        // The one file that names the HTTP server.
        part(
            "WebServer", on: "Accounts", "Hummingbird", "Logging", "ServiceLifecycle", "TrackMeContract",
            "WebPages"),

        // The server and its commands.
        program(
            "TrackMe", in: "Sources", on: "Accounts", "ArgumentParser", "Crypto", "Desk", "Fleet", "Groups",
            "Houses", "Intake", "Logging", "Parties", "PostgresEngine", "Runs", "SQLDatabase", "SQLiteEngine",
            "Schema", "ServerSettings", "ServiceLifecycle", "Store", "TrackMeContract", "UnixSignals",
            "WebPages", "WebServer"),

        // Fixtures of several test targets.
        fixture(
            "StoreSamples", on: "Accounts", "Groups", "PostgresEngine", "SQLDatabase", "SQLiteEngine", "Store",
            "TrackMeContract", "TrackMeTesting"),
        fixture(
            "SiteSamples", on: "Accounts", "Crypto", "Houses", "Logging", "SQLDatabase", "Store",
            "StoreSamples", "TrackMeContract", "TrackMeTesting", "WebPages"),

        program(
            "RetentionBench", in: "Benchmarks", on: "Accounts", "ArgumentParser", "PostgresEngine",
            "SQLDatabase", "SQLiteEngine", "Schema", "Store", "TrackMeContract"),

        tests(of: "Background", on: "Background", "Logging", "ServiceLifecycle"),
        tests(of: "ContractReading", on: "ContractReading", "TrackMeContract", "TrackMeTesting"),
        tests(
            of: "Desk", on: "Accounts", "ContractReading", "Crypto", "Desk", "Logging", "SQLDatabase",
            "SiteSamples", "Store", "StoreSamples", "TrackMeContract", "TrackMeTesting", "WebPages"),
        tests(
            of: "Groups", on: "Accounts", "Groups", "Logging", "Parties", "SQLDatabase", "Store",
            "StoreSamples", "TrackMeContract", "TrackMeTesting"),
        tests(
            of: "Parties", on: "Accounts", "ContractReading", "Crypto", "Desk", "Groups", "Houses", "Intake",
            "Logging", "Parties", "Runs", "SQLDatabase", "ServiceLifecycle", "SiteSamples", "Store",
            "StoreSamples", "TrackMeContract", "TrackMeTesting", "WebPages"),
        tests(
            of: "Fleet", on: "Accounts", "Fleet", "SQLDatabase", "SiteSamples", "Store", "StoreSamples",
            "TrackMeContract", "WebPages"),
        tests(
            of: "Schema", on: "Accounts", "ContractReading", "Parties", "SQLDatabase", "Schema", "Store",
            "StoreSamples", "TrackMeContract"),
        tests(
            of: "Runs", on: "Accounts", "ContractReading", "Runs", "SQLDatabase", "SiteSamples", "Store",
            "StoreSamples", "TrackMeContract", "TrackMeTesting", "WebPages"),
        tests(
            of: "Accounts", exclude: ["webauthn-vectors.json"], on: "Accounts", "Crypto", "TrackMeContract",
            "TrackMeTesting"),
        tests(of: "ServerSettings", on: "ServerSettings", "TrackMeContract", "TrackMeTesting", "WebPages"),
        tests(
            of: "WebServer", on: "Accounts", "Logging", "ServiceLifecycle", "SiteSamples", "Store",
            "TrackMeContract", "TrackMeTesting", "WebPages", "WebServer"),
        tests(of: "Architecture", on: "TrackMeTesting"),
        tests(of: "Database", on: "PostgresEngine", "SQLDatabase", "StoreSamples", "TrackMeTesting"),
        tests(
            of: "Store", on: "Accounts", "SQLDatabase", "SQLiteEngine", "Store", "StoreSamples",
            "TrackMeContract", "TrackMeTesting"),
        // Commands of the built program.
        tests(
            of: "Command", on: "Accounts", "Parties", "SQLDatabase", "SQLiteEngine", "Schema", "Store",
            "StoreSamples", "TrackMeContract", "TrackMeTesting"),
        tests(
            of: "WebPages", on: "Accounts", "ContractReading", "SiteSamples", "Store", "StoreSamples",
            "TrackMeContract", "TrackMeTesting", "WebPages"),
        tests(
            of: "Intake", on: "Accounts", "ContractReading", "Houses", "Intake", "Logging", "Parties",
            "SQLDatabase", "Store", "StoreSamples", "TrackMeContract", "TrackMeTesting"),
    ]
)
