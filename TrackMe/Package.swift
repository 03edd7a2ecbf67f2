// swift-tools-version: 6.2
import PackageDescription

// The cloud half of HomeGateway. Dependencies point down: the executable, the web server, the pages, intake and
// outgoing commands, the stores, the domain. `ArchitectureTests` holds every import to that.

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// The parts that are shared with the gateway.
let shared = Target.Dependency.product(name: "TrackMeContract", package: "HomeGateway")
let testing = Target.Dependency.product(name: "TrackMeTesting", package: "HomeGateway")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let signals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")

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
        .target(name: "Accounts", dependencies: [shared, crypto], swiftSettings: strict),

        // Passkeys (WebAuthn): challenges, and verification of the answers of browsers.
        .target(name: "Passkeys", dependencies: ["Accounts", shared, crypto], swiftSettings: strict),

        // Messages of the gateways: bytes of the contract to values.
        .target(name: "ContractReading", dependencies: [shared], swiftSettings: strict),

        // Life of an emergency call at the desk, and its attendance.
        .target(name: "Desk", dependencies: ["ContractReading", shared], swiftSettings: strict),

        // Third parties, their requests and the answers.
        .target(name: "Parties", dependencies: [shared, crypto], swiftSettings: strict),

        // Runs: definitions, commands, and the picture for spectators.
        .target(
            name: "Runs", dependencies: ["Accounts", "ContractReading", "Store", shared], swiftSettings: strict),

        // Figures of groups: consent, weekly tables with noise, questions and answers.
        .target(name: "Groups", dependencies: ["Accounts", shared], swiftSettings: strict),

        // Adapters: one outside thing each.
        .systemLibrary(name: "CArgon2", pkgConfig: "libargon2", providers: [.apt(["libargon2-dev"])]),
        .target(name: "PasswordHashing", dependencies: ["Accounts", "CArgon2"], swiftSettings: strict),
        .target(
            name: "Store", dependencies: ["Accounts", "ContractReading", "Parties", "Passkeys", shared],
            swiftSettings: strict),

        // The database behind the stores, and its two engines.
        .target(name: "SQLDatabase", swiftSettings: strict),
        .target(name: "SQLiteEngine", dependencies: ["SQLDatabase", grdb], swiftSettings: strict),
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .target(
            name: "PostgresEngine", dependencies: ["CPostgres", "SQLDatabase", shared], swiftSettings: strict),
        .target(
            name: "StoreLite",
            dependencies: [
                "Accounts", "ContractReading", "Passkeys", "SQLDatabase", "Store", shared, crypto,
            ],
            swiftSettings: strict),

        .target(
            name: "DeskLite",
            dependencies: ["ContractReading", "Desk", "SQLDatabase", "StoreLite", shared, crypto],
            swiftSettings: strict),
        .target(
            name: "PartiesLite",
            dependencies: ["Accounts", "Parties", "SQLDatabase", "Store", "StoreLite", shared, crypto],
            swiftSettings: strict),
        .target(
            name: "GroupsLite", dependencies: ["Accounts", "Groups", "SQLDatabase", "StoreLite", shared],
            swiftSettings: strict),

        .target(
            name: "RunsLite",
            dependencies: [
                "Accounts", "ContractReading", "Runs", "SQLDatabase", "Store", "StoreLite", shared,
            ],
            swiftSettings: strict),

        // The tables and exports of all of them.
        .target(
            name: "SchemaLite",
            dependencies: [
                "DeskLite", "GroupsLite", "PartiesLite", "RunsLite", "SQLDatabase", "Store", "StoreLite",
                shared,
            ], swiftSettings: strict),

        // Capabilities.
        .target(
            name: "DeskService", dependencies: ["Desk", shared, logging, lifecycle], swiftSettings: strict),
        .target(
            name: "Live", dependencies: ["Accounts", "Store", shared, logging, lifecycle],
            swiftSettings: strict),
        .target(
            name: "Linking", dependencies: ["Accounts", "Store", shared, logging, lifecycle],
            swiftSettings: strict),
        .target(
            name: "Intake",
            dependencies: [
                "Accounts", "ContractReading", "Linking", "Live", "Parties", "Store", shared, logging,
                lifecycle,
            ],
            swiftSettings: strict),
        .target(
            name: "WebPages",
            dependencies: [
                "Accounts", "ContractReading", "Linking", "Live", "Passkeys", "Store", shared, crypto, logging,
            ], swiftSettings: strict),
        .target(
            name: "DeskPages",
            dependencies: ["Accounts", "ContractReading", "Desk", "DeskService", "WebPages", shared],
            swiftSettings: strict),
        .target(
            name: "FleetService", dependencies: ["Accounts", "Linking", "Store", shared], swiftSettings: strict),
        .target(
            name: "FleetPages", dependencies: ["Accounts", "FleetService", "Store", "WebPages", shared],
            swiftSettings: strict),
        .target(
            name: "RunService",
            dependencies: ["Accounts", "Linking", "Runs", "Store", shared, logging, lifecycle],
            swiftSettings: strict),
        .target(
            name: "RunPages",
            dependencies: [
                "Accounts", "RunService", "Runs", "Store", "WebPages", shared, crypto, logging, lifecycle,
            ],
            swiftSettings: strict),
        .target(
            name: "PartyService",
            dependencies: ["Accounts", "Linking", "Parties", "Store", shared, crypto, logging, lifecycle],
            swiftSettings: strict),
        .target(name: "HTTPSending", dependencies: [shared, lifecycle], swiftSettings: strict),
        .target(
            name: "Webhooks", dependencies: ["HTTPSending", "Parties", "PartyService", shared, lifecycle],
            swiftSettings: strict),
        .target(
            name: "DeskForwarding",
            dependencies: [
                "ContractReading", "Desk", "DeskService", "HTTPSending", shared, logging, lifecycle,
            ], swiftSettings: strict),
        .target(
            name: "PartyPages",
            dependencies: ["Accounts", "Parties", "PartyService", "Store", "WebPages", shared],
            swiftSettings: strict),
        .target(
            name: "GroupService", dependencies: ["Groups", shared, logging, lifecycle], swiftSettings: strict),
        .target(
            name: "GroupPages",
            dependencies: ["Accounts", "Groups", "Parties", "PartyPages", "Store", "WebPages", shared, crypto],
            swiftSettings: strict),
        .target(
            name: "WebServer",
            dependencies: [
                "Accounts", "WebPages", shared, logging, lifecycle,
                .product(name: "Hummingbird", package: "hummingbird"),
            ],
            swiftSettings: strict),

        .executableTarget(
            name: "TrackMe",
            dependencies: [
                "Accounts", "Desk", "DeskForwarding", "DeskLite", "DeskPages", "DeskService", "FleetPages",
                "FleetService", "GroupPages", "GroupService", "Groups", "GroupsLite", "Intake", "Linking",
                "Live",
                "Parties", "PartiesLite", "PartyPages", "PartyService", "Passkeys", "PasswordHashing",
                "PostgresEngine", "RunPages", "RunService", "Runs", "RunsLite", "SQLDatabase", "SQLiteEngine",
                "SchemaLite",
                "Store", "StoreLite", "WebPages", "WebServer", "Webhooks",
                crypto, shared, logging, lifecycle, signals,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),

        .testTarget(
            name: "ContractReadingTests", dependencies: ["ContractReading", shared, testing],
            swiftSettings: strict),
        .testTarget(
            name: "DeskTests", dependencies: ["ContractReading", "Desk", shared], swiftSettings: strict),
        .testTarget(
            name: "DeskPagesTests",
            dependencies: ["ContractReading", "Desk", "DeskPages", shared], swiftSettings: strict),
        .testTarget(
            name: "DeskLiteTests",
            dependencies: [
                "Accounts", "ContractReading", "Desk", "DeskForwarding", "DeskLite", "DeskPages", "DeskService",
                "SQLDatabase", "SiteSamples", "StoreLite", "StoreSamples", "WebPages", shared, testing, crypto,
                logging,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "WebhooksTests",
            dependencies: [
                "Accounts", "Parties", "PartiesLite", "PartyService", "SQLDatabase", "Store", "StoreLite",
                "StoreSamples", "Webhooks", shared, testing, crypto, logging, lifecycle,
            ], swiftSettings: strict),
        .testTarget(name: "GroupsTests", dependencies: ["Accounts", "Groups", shared], swiftSettings: strict),
        .testTarget(
            name: "GroupsLiteTests",
            dependencies: [
                "Accounts", "GroupService", "Groups", "GroupsLite", "Parties", "PartiesLite", "SQLDatabase",
                "Store", "StoreLite", "StoreSamples", shared, testing, logging, lifecycle,
            ], swiftSettings: strict),
        .testTarget(name: "PartiesTests", dependencies: ["Parties", shared], swiftSettings: strict),
        .testTarget(
            name: "PartiesLiteTests",
            dependencies: [
                "Accounts", "Parties", "PartiesLite", "SQLDatabase", "Store", "StoreLite",
                "StoreSamples", shared, testing,
            ], swiftSettings: strict),
        .testTarget(
            name: "PartyPagesTests",
            dependencies: [
                "Accounts", "DeskLite", "DeskPages", "DeskService", "GroupPages", "Groups", "GroupsLite",
                "Intake", "Linking", "Live", "Parties", "PartiesLite", "PartyPages", "PartyService", "RunPages",
                "RunService", "RunsLite", "SQLDatabase", "SiteSamples", "Store", "StoreLite", "StoreSamples",
                "WebPages", shared, testing, crypto, logging,
            ], swiftSettings: strict),
        .testTarget(
            name: "FleetPagesTests",
            dependencies: [
                "Accounts", "FleetPages", "FleetService", "SiteSamples", "SQLDatabase", "Store", "StoreLite",
                "StoreSamples",
                "WebPages", shared, testing,
            ], swiftSettings: strict),
        .testTarget(
            name: "SchemaLiteTests",
            dependencies: [
                "Accounts", "SQLDatabase", "SchemaLite", "Store", "StoreLite", "StoreSamples", shared,
            ], swiftSettings: strict),
        .testTarget(
            name: "RunsTests",
            dependencies: [
                "Accounts", "ContractReading", "Runs", "RunsLite", "SQLDatabase", "Store", "StoreLite",
                "StoreSamples", shared, testing,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "RunPagesTests",
            dependencies: [
                "Accounts", "ContractReading", "RunPages", "RunService", "Runs", "RunsLite", "SQLDatabase",
                "SiteSamples", "Store", "StoreLite", "StoreSamples", "WebPages", shared, testing,
            ], swiftSettings: strict),
        .testTarget(
            name: "PasskeysTests", dependencies: ["Accounts", "Passkeys", shared, testing, crypto],
            exclude: ["webauthn-vectors.json"],
            swiftSettings: strict),
        .testTarget(
            name: "AccountsTests", dependencies: ["Accounts", "PasswordHashing", shared],
            swiftSettings: strict),
        .testTarget(
            name: "ServerSettingsTests", dependencies: ["WebPages", shared, testing], swiftSettings: strict),
        .testTarget(
            name: "WebServerTests",
            dependencies: [
                "Accounts", "SiteSamples", "Store", "StoreLite", "WebPages", "WebServer", shared, testing,
                logging,
                lifecycle,
            ], swiftSettings: strict),
        .testTarget(name: "ArchitectureTests", dependencies: [testing], swiftSettings: strict),
        // Fixtures of several test targets.
        .target(
            name: "StoreSamples",
            dependencies: [
                "Accounts", "Groups", "PostgresEngine", "SQLDatabase", "SQLiteEngine", "Store", "StoreLite",
                shared,
                testing,
            ],
            path: "Tests/StoreSamples", swiftSettings: strict),
        .target(
            name: "SiteSamples",
            dependencies: [
                "Accounts", "Linking", "Live", "Passkeys", "PasswordHashing", "SQLDatabase", "Store",
                "StoreLite",
                "StoreSamples", "WebPages", shared, testing, crypto, logging,
            ], path: "Tests/SiteSamples", swiftSettings: strict),
        .testTarget(
            name: "DatabaseTests", dependencies: ["PostgresEngine", "SQLDatabase", "StoreSamples", testing],
            swiftSettings: strict),
        .testTarget(
            name: "StoreTests",
            dependencies: [
                "Accounts", "Passkeys", "PostgresEngine", "SQLDatabase", "SQLiteEngine", "Store", "StoreLite",
                "StoreSamples",
                shared, testing,
            ],
            swiftSettings: strict),
        // Commands of the built program.
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "Accounts", "PasswordHashing", "SQLDatabase", "SQLiteEngine", "SchemaLite", "Store",
                "StoreLite", "StoreSamples", shared, testing,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "WebPagesTests",
            dependencies: [
                "Accounts", "ContractReading", "Linking", "Live", "Passkeys", "PasswordHashing", "SiteSamples",
                "Store",
                "StoreLite",
                "StoreSamples", "WebPages", shared, testing, logging,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "IntakeTests",
            dependencies: [
                "Accounts", "ContractReading", "Intake", "Linking", "Live", "Parties", "SQLDatabase", "Store",
                "StoreLite",
                "StoreSamples", shared, testing, logging,
            ],
            swiftSettings: strict),
    ]
)
