// swift-tools-version: 6.2
import PackageDescription

// The manifest is the architecture: each folder of `Sources` is a floor, and dependencies point down, from the
// executable through capabilities and adapters to the domain. `ArchitectureTests` holds every import to that.

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "HomeGateway",
    products: [
        .executable(name: "homegateway", targets: ["HomeGateway"]),
        // The parts that the package `TrackMe` shares with the gateway.
        .library(
            name: "TrackMeContract",
            targets: [
                "CAP", "CSVTables", "Charts", "CloudCommands", "Consent", "Contract", "GatewayModel", "HTML",
                "HTTPTransfers", "HelpLine", "JSONReading", "MQTTBridge", "RealTime", "RunBeacon", "SOSLocal",
                "Settings",
            ]),
        // Fixtures for the tests of that package: a real broker, scratch files, hostile input.
        .library(name: "TrackMeTesting", targets: ["HostileInput", "SeededRandom", "TestSupport"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-numerics", from: "1.1.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
    ],
    targets: [
        // Domain: pure values and decisions. No I/O, no C module, no clock.
        .target(name: "GatewayModel", path: "Sources/Domain/GatewayModel", swiftSettings: strict),
        .target(
            name: "SOSLocal", dependencies: ["GatewayModel"], path: "Sources/Domain/SOSLocal",
            swiftSettings: strict),
        .target(
            name: "RunBeacon",
            dependencies: [
                "GatewayModel", .product(name: "RealModule", package: "swift-numerics"),
            ],
            path: "Sources/Domain/RunBeacon", swiftSettings: strict),
        .target(
            name: "Consent", dependencies: ["GatewayModel"], path: "Sources/Domain/Consent",
            swiftSettings: strict),
        .target(
            name: "WireFormats", dependencies: ["GatewayModel"], path: "Sources/Domain/WireFormats",
            swiftSettings: strict),
        .target(
            name: "TagAdverts", dependencies: ["GatewayModel", "RunBeacon", "WireFormats"],
            path: "Sources/Domain/TagAdverts", swiftSettings: strict),
        .target(
            name: "Contract",
            dependencies: ["GatewayModel", "Consent", "SOSLocal", "RunBeacon", "JSONReading"],
            path: "Sources/Domain/Contract",
            swiftSettings: strict),

        // Archives in the form of tar(5), for backups and support bundles.
        .target(name: "TarArchive", path: "Sources/Domain/TarArchive", swiftSettings: strict),

        // Entries that programs of the house hand over, as files and lines.
        .target(
            name: "Observations", dependencies: ["GatewayModel", "Contract", "CSVTables", "JSONReading"],
            path: "Sources/Domain/Observations", swiftSettings: strict),

        // Decisions of the console before a page or an act: hosts, origins, pairing, sessions, limits.
        .target(
            name: "ConsoleAccess",
            dependencies: [
                "GatewayModel", "ControlContract", .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Sources/Domain/ConsoleAccess", swiftSettings: strict),

        // Parts that all help channels share.
        .target(
            name: "HelpLine", dependencies: ["GatewayModel", "SOSLocal", "Consent"],
            path: "Sources/Domain/HelpLine", swiftSettings: strict),

        // State of the help for an alarm, from which every sentence about it is made.
        .target(
            name: "HelpState", dependencies: ["GatewayModel", "SOSLocal"], path: "Sources/Domain/HelpState",
            swiftSettings: strict),

        // Requests, replies and states at the control socket, for the daemon, the command line and the console.
        .target(
            name: "ControlContract",
            dependencies: [
                "GatewayModel", "Consent", "Contract", "HelpState", "RunBeacon", "SOSLocal", "WireFormats",
            ],
            path: "Sources/Domain/ControlContract", swiftSettings: strict),

        // Sentences of the house, for the voice, the console and the pages.
        .target(
            name: "Phrases", dependencies: ["GatewayModel", "HelpState", "SOSLocal"],
            path: "Sources/Domain/Phrases",
            swiftSettings: strict),

        // Pages: typed HTML, charts, and the pages of the house.
        .target(name: "HTML", path: "Sources/Domain/HTML", swiftSettings: strict),
        .target(
            name: "Charts", dependencies: ["HTML"], path: "Sources/Domain/Charts", swiftSettings: strict),
        .target(
            name: "Pages",
            dependencies: [
                "CSVTables", "Charts", "Consent", "ControlContract", "GatewayModel", "HTML", "HelpState",
                "Phrases",
                "RunBeacon", "SOSLocal",
            ],
            path: "Sources/Domain/Pages", swiftSettings: strict),

        // C libraries: a module map and the thinnest shim each, and exactly one importer.
        .target(name: "CLinux", path: "Sources/CModules/CLinux"),
        .target(
            name: "CToml", path: "Sources/CModules/CToml", cxxSettings: [.define("TOML_EXCEPTIONS", to: "0")]),
        .systemLibrary(
            name: "CALSA", path: "Sources/CModules/CALSA", pkgConfig: "alsa",
            providers: [.apt(["libasound2-dev"])]),
        .systemLibrary(
            name: "CBlueZ", path: "Sources/CModules/CBlueZ", pkgConfig: "bluez",
            providers: [.apt(["libbluetooth-dev"])]),
        .systemLibrary(
            name: "CCurl", path: "Sources/CModules/CCurl", pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CGPIO", path: "Sources/CModules/CGPIO"),
        .systemLibrary(
            name: "CExpat", path: "Sources/CModules/CExpat", pkgConfig: "expat",
            providers: [.apt(["libexpat1-dev"])]),
        .systemLibrary(
            name: "CGPSD", path: "Sources/CModules/CGPSD", pkgConfig: "libgps",
            providers: [.apt(["libgps-dev"])]),
        .systemLibrary(
            name: "CMosquitto", path: "Sources/CModules/CMosquitto", pkgConfig: "libmosquitto",
            providers: [.apt(["libmosquitto-dev"])]),
        .systemLibrary(
            name: "CMicroHTTPD", path: "Sources/CModules/CMicroHTTPD", pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(
            name: "CQREncode", path: "Sources/CModules/CQREncode", pkgConfig: "libqrencode",
            providers: [.apt(["libqrencode-dev"])]),
        .systemLibrary(
            name: "COpenSSL", path: "Sources/CModules/COpenSSL", pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"])]),
        .systemLibrary(
            name: "CSIP", path: "Sources/CModules/CSIP", pkgConfig: "libre", providers: [.apt(["libre-dev"])]),
        .systemLibrary(
            name: "CSystemd", path: "Sources/CModules/CSystemd", pkgConfig: "libsystemd",
            providers: [.apt(["libsystemd-dev"])]),

        // Platform: threads, clocks, systemd and markup, for all adapters.
        .target(name: "CSVTables", path: "Sources/Domain/CSVTables", swiftSettings: strict),
        .target(name: "JSONReading", path: "Sources/Domain/JSONReading", swiftSettings: strict),
        .target(
            name: "Audio", dependencies: ["GatewayModel", "RealTime", "CALSA"], path: "Sources/Platform/Audio",
            swiftSettings: strict),
        .target(
            name: "ControlLink", dependencies: ["ControlContract", "JSONReading", "RealTime"],
            path: "Sources/Platform/ControlLink", swiftSettings: strict),
        .target(
            name: "Markup", dependencies: ["CExpat"], path: "Sources/Platform/Markup", swiftSettings: strict),
        .target(
            name: "Modems", dependencies: ["Systemd"], path: "Sources/Platform/Modems", swiftSettings: strict),
        .target(
            name: "RealTime", dependencies: ["GatewayModel", "CLinux"], path: "Sources/Platform/RealTime",
            swiftSettings: strict),
        .target(
            name: "HTTPTransfers", dependencies: ["GatewayModel", "RealTime", "CCurl"],
            path: "Sources/Platform/HTTPTransfers",
            swiftSettings: strict),
        // OASIS Common Alerting Protocol 1.2: messages, and the answers of a service.
        .target(
            name: "CAP", dependencies: ["GatewayModel", "HTTPTransfers", "HelpLine", "JSONReading"],
            path: "Sources/Platform/CAP", swiftSettings: strict),
        .target(
            name: "SIP", dependencies: ["GatewayModel", "RealTime", "CSIP"], path: "Sources/Platform/SIP",
            swiftSettings: strict),
        .target(
            name: "Systemd", dependencies: ["CSystemd"],
            path: "Sources/Platform/Systemd", swiftSettings: strict),

        // Adapters: one outside thing each. They do not import each other.
        .target(
            name: "Wearables",
            dependencies: ["GatewayModel", "WireFormats", "RealTime", "Systemd", "CBlueZ"],
            path: "Sources/Adapters/Wearables",
            swiftSettings: strict),
        .target(
            name: "Ciphers", dependencies: ["GatewayModel", "WireFormats", "COpenSSL"],
            path: "Sources/Adapters/Ciphers",
            swiftSettings: strict),
        .target(
            name: "Sealing",
            dependencies: ["GatewayModel", .product(name: "Crypto", package: "swift-crypto")],
            path: "Sources/Adapters/Sealing",
            swiftSettings: strict),
        .target(
            name: "Positioning", dependencies: ["GatewayModel", "RealTime", "JSONReading", "CGPSD"],
            path: "Sources/Adapters/Positioning",
            swiftSettings: strict),
        .target(
            name: "HouseAlarm",
            dependencies: ["GatewayModel", "HelpState", "Phrases", "SOSLocal", "RealTime", "Audio", "CGPIO"],
            path: "Sources/Adapters/HouseAlarm", swiftSettings: strict),
        .target(
            name: "Web", dependencies: ["GatewayModel", "RealTime", "CMicroHTTPD"],
            path: "Sources/Adapters/Web",
            swiftSettings: strict),
        .target(
            name: "QRCodes", dependencies: ["CQREncode"], path: "Sources/Adapters/QRCodes",
            swiftSettings: strict),
        .target(
            name: "MQTTBridge",
            dependencies: ["GatewayModel", "Consent", "Contract", "RealTime", "CMosquitto"],
            path: "Sources/Adapters/MQTTBridge", swiftSettings: strict),
        .target(
            name: "AmbulanceService",
            dependencies: [
                "CAP", "GatewayModel", "Consent", "SOSLocal", "HelpLine", "RealTime", "HTTPTransfers",
            ], path: "Sources/Adapters/AmbulanceService",
            swiftSettings: strict),
        .target(
            name: "CareCentre",
            dependencies: ["GatewayModel", "SOSLocal", "Consent", "HelpLine", "RealTime", "Markup", "SIP"],
            path: "Sources/Adapters/CareCentre",
            swiftSettings: strict),
        .target(
            name: "TextMessages",
            dependencies: ["GatewayModel", "SOSLocal", "Consent", "HelpLine", "RealTime", "Systemd", "Modems"],
            path: "Sources/Adapters/TextMessages",
            swiftSettings: strict),
        .target(
            name: "TelephoneCalls",
            dependencies: [
                "GatewayModel", "SOSLocal", "Consent", "HelpLine", "RealTime", "Systemd", "Audio", "Modems",
                "SIP",
            ], path: "Sources/Adapters/TelephoneCalls",
            swiftSettings: strict),
        .target(
            name: "Vault",
            dependencies: [
                "ControlContract", "GatewayModel", "SOSLocal", "Consent", "Contract", "RunBeacon",
                "JSONReading",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ], path: "Sources/Adapters/Vault",
            swiftSettings: strict),
        .target(
            name: "CloudCommands",
            dependencies: [
                "GatewayModel", "SOSLocal", "Consent", "RunBeacon",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "JWTKit", package: "jwt-kit"),
            ], path: "Sources/Adapters/CloudCommands",
            swiftSettings: strict),
        .target(
            name: "Settings",
            dependencies: ["CSVTables", "GatewayModel", "SOSLocal", "RunBeacon", "Markup", "CToml"],
            path: "Sources/Adapters/Settings",
            swiftSettings: strict),

        // Capabilities: one feature of the gateway each. `Hub` holds the parts that they share.
        .target(
            name: "Hub",
            dependencies: [
                "CloudCommands", "Consent", "Contract", "ControlContract", "GatewayModel", "HelpState",
                "RealTime",
                "RunBeacon", "SOSLocal",
                "Settings",
                "Systemd",
                "Vault",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            path: "Sources/Capabilities/Hub", swiftSettings: strict),
        .target(
            name: "ControlSocket",
            dependencies: [
                "ControlLink", "ControlContract", "GatewayModel", "Hub", "RealTime", "Settings",
            ],
            path: "Sources/Capabilities/ControlSocket", swiftSettings: strict),
        .target(
            name: "SettingsService",
            dependencies: [
                "Alarms", "ControlContract", "GatewayModel", "Hub", "OutboxService", "Readings", "RealTime",
                "SOSLocal",
                "Settings",
                "Systemd", "Vault",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            path: "Sources/Capabilities/SettingsService", swiftSettings: strict),
        .target(
            name: "OutboxService",
            dependencies: [
                "Consent", "Contract", "GatewayModel", "Hub", "MQTTBridge", "RealTime",
                "Sealing", "Settings",
                "Vault",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            path: "Sources/Capabilities/OutboxService", swiftSettings: strict),
        .target(
            name: "ConsentService",
            dependencies: [
                "Alarms", "CloudCommands", "Consent", "Contract", "ControlContract", "GatewayModel",
                "HouseAlarm", "Hub",
                "OutboxService", "RealTime", "SOSLocal", "Sealing",
                "Settings", "Vault",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Sources/Capabilities/ConsentService", swiftSettings: strict),
        .target(
            name: "HistoryService",
            dependencies: [
                "Ciphers", "ControlContract", "GatewayModel", "Hub", "RealTime", "Settings", "Vault",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            path: "Sources/Capabilities/HistoryService", swiftSettings: strict),
        .target(
            name: "Locations",
            dependencies: [
                "Consent", "Contract", "GatewayModel", "HistoryService", "Hub", "OutboxService", "Readings",
                "RealTime",
                "Settings",
            ],
            path: "Sources/Capabilities/Locations", swiftSettings: strict),
        .target(
            name: "HomeAssistant",
            dependencies: [
                "Consent", "Contract", "ControlContract", "GatewayModel", "HelpState", "Hub", "MQTTBridge",
                "OutboxService", "Phrases", "RealTime", "SOSLocal", "Settings",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            path: "Sources/Capabilities/HomeAssistant", swiftSettings: strict),
        .target(
            name: "MyData",
            dependencies: [
                "ControlContract", "GatewayModel", "Hub", .product(name: "Logging", package: "swift-log"),
            ],
            path: "Sources/Capabilities/MyData", swiftSettings: strict),
        .target(
            name: "PersonalSettings",
            dependencies: [
                "Alarms", "CloudCommands", "Consent", "Contract", "ControlContract", "GatewayModel", "Hub",
                "OutboxService",
                "RealTime", "SOSLocal", "Settings", "SettingsService", "SignedCommands", "Vault",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Sources/Capabilities/PersonalSettings", swiftSettings: strict),
        .target(
            name: "SignedCommands",
            dependencies: [
                "Alarms", "CloudCommands", "Consent", "Contract", "ControlContract", "GatewayModel",
                "HouseAlarm", "Hub",
                "MQTTBridge", "OutboxService", "RealTime", "SOSLocal", "Settings", "Vault",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            path: "Sources/Capabilities/SignedCommands", swiftSettings: strict),
        .target(
            name: "Alarms",
            dependencies: [
                "AmbulanceService", "CareCentre", "CloudCommands", "Consent", "Contract", "ControlContract",
                "GatewayModel", "HelpState",
                "HelpLine", "HouseAlarm", "Hub", "MQTTBridge", "OutboxService", "Phrases", "RealTime",
                "SOSLocal",
                "Settings", "Systemd", "TelephoneCalls", "TextMessages", "Vault",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            path: "Sources/Capabilities/Alarms", swiftSettings: strict),
        .target(
            name: "Readings",
            dependencies: [
                "Alarms", "Ciphers", "CloudCommands", "Consent", "Contract", "ControlContract", "GatewayModel",
                "Hub",
                "OutboxService", "Positioning",
                "RealTime", "SOSLocal", "Settings", "Systemd", "Vault", "Wearables", "WireFormats",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            path: "Sources/Capabilities/Readings", swiftSettings: strict),
        .target(
            name: "DataSources",
            dependencies: [
                "ControlSocket", "ControlLink", "GatewayModel", "HistoryService", "Hub",
                "Observations", "OutboxService",
                "Readings", "RealTime", "Settings",
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            path: "Sources/Capabilities/DataSources", swiftSettings: strict),
        .target(
            name: "Race",
            dependencies: [
                "Alarms", "Ciphers", "CloudCommands", "Consent", "Contract", "ControlContract", "GatewayModel",
                "HouseAlarm",
                "Hub", "OutboxService", "Positioning", "Readings", "RealTime", "RunBeacon", "SOSLocal",
                "Settings", "TagAdverts", "Vault", "WireFormats",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            path: "Sources/Capabilities/Race", swiftSettings: strict),
        .target(
            name: "Supervision",
            dependencies: [
                "Alarms", "Ciphers", "Consent", "Contract", "ControlContract", "GatewayModel", "HelpState",
                "HouseAlarm", "Hub",
                "OutboxService", "Phrases",
                "Readings", "RealTime", "SOSLocal", "Settings", "Systemd", "Vault", "Wearables",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            path: "Sources/Capabilities/Supervision", swiftSettings: strict),

        .target(
            name: "Notices",
            dependencies: [
                "Alarms", "Consent", "GatewayModel", "HelpLine", "Hub", "OutboxService",
                "RealTime", "Settings",
                "SOSLocal", "Vault",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Sources/Capabilities/Notices", swiftSettings: strict),

        // Scans, pairings and removals of wearables, for the command line and for installers at the pages.
        .target(
            name: "DeviceSetup",
            dependencies: [
                "ControlContract", "GatewayModel", "Hub", "OutboxService", "Readings", "RealTime", "Settings",
                "Systemd", "Wearables", "WireFormats",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            path: "Sources/Capabilities/DeviceSetup", swiftSettings: strict),

        // `homegateway check` on demand, and walks through the rooms, for installers at the pages.
        .target(
            name: "Doctor",
            dependencies: [
                "ControlContract", "ControlLink", "GatewayModel", "Hub", "OutboxService", "RealTime",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            path: "Sources/Capabilities/Doctor", swiftSettings: strict),
        .target(
            name: "WalkTest",
            dependencies: [
                "ControlContract", "GatewayModel", "Hub", "OutboxService", "Readings", "RealTime", "Settings",
                "Supervision",
            ],
            path: "Sources/Capabilities/WalkTest", swiftSettings: strict),

        // Whether somebody is at the emergency desks. No part of the calling of help depends on it.
        .target(
            name: "DeskWatch",
            dependencies: [
                "CloudCommands", "Contract", "GatewayModel", "Hub", "MQTTBridge", "OutboxService", "RealTime",
                "Settings",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Sources/Capabilities/DeskWatch", swiftSettings: strict),

        // A lock of logind while an alarm is open. No part of the calling of help depends on it.
        .target(
            name: "ShutdownDelay",
            dependencies: [
                "Alarms", "GatewayModel", "Hub", "OutboxService", "RealTime", "Settings", "Systemd",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            path: "Sources/Capabilities/ShutdownDelay", swiftSettings: strict),

        // The pages, a process of their own.
        .target(
            name: "Console",
            dependencies: [
                "Ciphers", "ConsoleAccess", "ControlContract", "ControlLink", "GatewayModel", "HTML", "Pages",
                "QRCodes", "RealTime", "SOSLocal", "Settings", "Web",
            ],
            path: "Sources/Capabilities/Console", swiftSettings: strict),
        .target(
            name: "ConsoleCommands",
            dependencies: [
                "Console", "ConsoleAccess", "Contract", "ControlContract", "GatewayModel", "QRCodes",
                "Settings",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Capabilities/ConsoleCommands", swiftSettings: strict),

        // Settings, state and pairings of a box in one sealed file, and back.
        .target(
            name: "Backup",
            dependencies: [
                "Ciphers", "Contract", "GatewayModel", "JSONReading", "Settings", "TarArchive", "Vault",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Sources/Capabilities/Backup", swiftSettings: strict),

        // The command line: asks the running gateway, and reads its files.
        .target(
            name: "Commands",
            dependencies: [
                "Alarms", "AmbulanceService", "Backup", "CSVTables", "Ciphers", "CloudCommands", "Consent",
                "Contract",
                "ControlSocket", "ControlLink", "ControlContract", "DeviceSetup", "GatewayModel", "HelpLine",
                "HouseAlarm", "Hub", "JSONReading", "MQTTBridge",
                "Notices",
                "OutboxService", "RealTime", "RunBeacon", "SOSLocal", "Settings", "SignedCommands",
                "Supervision", "Systemd",
                "TarArchive", "TelephoneCalls", "TextMessages",
                "Vault",
                "Wearables", "WireFormats",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Sources/Capabilities/Commands", swiftSettings: strict),

        // The daemon.
        .executableTarget(
            name: "HomeGateway",
            dependencies: [
                "Alarms", "Commands", "Consent", "ConsentService", "ConsoleCommands", "Contract",
                "ControlSocket", "DataSources", "DeskWatch", "DeviceSetup", "Doctor", "GatewayModel",
                "HistoryService", "HomeAssistant",
                "Hub",
                "Locations", "MQTTBridge", "MyData", "Notices", "OutboxService", "PersonalSettings", "Race",
                "Readings",
                "RealTime",
                "Settings",
                "SettingsService", "ShutdownDelay", "SignedCommands", "Supervision", "Vault", "WalkTest",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict),

        // Every history of an alarm up to a bound: `make explore`, and a smaller bound in the tests.
        .target(
            name: "SOSExploration", dependencies: ["SOSLocal", "GatewayModel"],
            path: "Tests/SOSExploration", swiftSettings: strict),
        .executableTarget(
            name: "Explore", dependencies: ["SOSExploration"], path: "Tests/Explore", swiftSettings: strict),
        // Runners, their tags and the air between them, by a seed: `make bench-race`, and the tests.
        .target(
            name: "RaceSimulation",
            dependencies: [
                "RunBeacon", "GatewayModel", "WireFormats",
                .product(name: "RealModule", package: "swift-numerics"), "SeededRandom",
            ],
            path: "Tests/RaceSimulation", swiftSettings: strict),
        .executableTarget(
            name: "RaceBench",
            dependencies: [
                "RaceSimulation", "RunBeacon", "TagAdverts", "GatewayModel", "WireFormats", "SeededRandom",
            ],
            path: "Benchmarks/RaceBench", swiftSettings: strict),
        .executableTarget(
            name: "PassingBench", dependencies: ["GatewayModel", "RunBeacon", "Vault"],
            path: "Benchmarks/PassingBench", swiftSettings: strict),
        // Adverts of a race as a box receives them, with the true times, for the BLE rig to play.
        .executableTarget(
            name: "RaceField", dependencies: ["RaceSimulation"], path: "Tests/RaceField",
            swiftSettings: strict),
        // Hostile inputs by a seed: `make fuzz`, and fewer of them in the tests.
        .target(
            name: "HostileInput", dependencies: ["SeededRandom"], path: "Tests/HostileInput",
            swiftSettings: strict),
        .testTarget(
            name: "RunBeaconTests",
            dependencies: [
                "ModelSamples", "Samples", "RunBeacon", "TagAdverts", "GatewayModel", "RaceSimulation",
                "WireFormats",
                .product(name: "RealModule", package: "swift-numerics"), "SeededRandom",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "SOSLocalTests",
            dependencies: [
                "ModelSamples", "HelpState", "SOSLocal", "GatewayModel", "SOSExploration", "SeededRandom",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "HouseTests",
            dependencies: [
                "ModelSamples", "HelpState", "HouseAlarm", "Audio", "GatewayModel", "Phrases", "SOSLocal",
                "RealTime",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "PagesTests",
            dependencies: [
                "CSVTables", "Charts", "Consent", "ControlContract", "GatewayModel", "HTML", "HelpState",
                "Pages", "Phrases",
                "RunBeacon", "SOSLocal",
            ],
            swiftSettings: strict),
        // Fixtures of several test targets: processes, ports and files; then sample values, a target for each level of
        // the sources, so that a change rebuilds only the tests above it.
        .target(name: "SeededRandom", path: "Tests/Support/SeededRandom", swiftSettings: strict),
        .target(
            name: "TestSupport", dependencies: [],
            path: "Tests/Support/TestSupport", swiftSettings: strict),
        .target(
            name: "ModelSamples", dependencies: ["GatewayModel"],
            path: "Tests/Support/ModelSamples", swiftSettings: strict),
        .target(
            name: "Samples",
            dependencies: ["ModelSamples", "GatewayModel", "SOSLocal", "Consent", "Contract", "RunBeacon"],
            path: "Tests/Support/Samples", swiftSettings: strict),
        .target(
            name: "SettingsSamples", dependencies: ["TestSupport", "Settings", "GatewayModel", "RunBeacon"],
            path: "Tests/Support/SettingsSamples", swiftSettings: strict),
        .target(
            name: "CommandSamples",
            dependencies: [
                "ModelSamples", "CloudCommands", "GatewayModel",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Tests/Support/CommandSamples", swiftSettings: strict),
        .target(
            name: "ContractSamples",
            dependencies: [
                "ModelSamples", "TestSupport", "Samples", "Contract", "Consent", "CloudCommands", "SOSLocal",
                "RunBeacon",
                "Sealing", "GatewayModel",
            ],
            path: "Tests/Support/ContractSamples", swiftSettings: strict),
        .target(
            name: "BusSupport", dependencies: ["Systemd", "RealTime", "GatewayModel"],
            path: "Tests/Support/BusSupport", swiftSettings: strict),
        .target(
            name: "BrokerSupport",
            dependencies: ["TestSupport", "MQTTBridge", "Contract", "Consent", "GatewayModel"],
            path: "Tests/Support/BrokerSupport", swiftSettings: strict),
        .target(
            name: "WireSamples", dependencies: ["WireFormats", "Ciphers", "GatewayModel"],
            path: "Tests/Support/WireSamples", swiftSettings: strict),
        // The tests of one target each, which need nothing above it.
        .testTarget(
            name: "GatewayModelTests",
            dependencies: ["GatewayModel", "ModelSamples", "RunBeacon", "Samples", "SeededRandom"],
            swiftSettings: strict),
        .testTarget(
            name: "JSONReadingTests",
            dependencies: ["JSONReading"],
            swiftSettings: strict),
        .testTarget(
            name: "ObservationsTests",
            dependencies: ["Observations", "GatewayModel", "ModelSamples", "HostileInput", "SeededRandom"],
            swiftSettings: strict),
        .testTarget(
            name: "WireFormatsTests",
            dependencies: [
                "WireFormats", "GatewayModel", "Ciphers", "Wearables", "Samples", "WireSamples", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ConsentTests",
            dependencies: ["ModelSamples", "Consent", "GatewayModel", "Samples"],
            swiftSettings: strict),
        .testTarget(
            name: "ContractTests",
            dependencies: [
                "ModelSamples", "Contract", "Consent", "GatewayModel", "SOSLocal", "RunBeacon", "CloudCommands",
                "Sealing",
                "HostileInput", "TestSupport", "Samples", "ContractSamples",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ConsoleAccessTests",
            dependencies: ["ConsoleAccess", "ControlContract", "GatewayModel", "SeededRandom"],
            swiftSettings: strict),
        .testTarget(
            name: "ConsoleTests",
            dependencies: [
                "Console", "ConsoleAccess", "ControlContract", "ControlLink", "GatewayModel", "HTML",
                "ModelSamples", "Pages",
                "RealTime", "RunBeacon", "TestSupport", "Web",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "RealTimeTests",
            dependencies: ["RealTime", "GatewayModel"],
            swiftSettings: strict),
        .testTarget(
            name: "WebTests",
            dependencies: ["Ciphers", "GatewayModel", "HostileInput", "SeededRandom", "TestSupport", "Web"],
            swiftSettings: strict),
        .testTarget(
            name: "SystemdTests",
            dependencies: ["Systemd", "RealTime", "GatewayModel", "BusSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "WearablesTests",
            dependencies: [
                "ModelSamples", "Wearables", "GatewayModel", "WireFormats", "RealTime", "Systemd",
                "HostileInput",
                "TestSupport", "BusSupport", "WireSamples", "SeededRandom",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "PositioningTests",
            dependencies: [
                "Positioning", "GatewayModel", "RealTime", "HostileInput", "TestSupport", "Samples",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "MQTTBridgeTests",
            dependencies: [
                "MQTTBridge", "Contract", "Consent", "GatewayModel", "HostileInput", "RealTime", "SeededRandom",
                "TestSupport", "Samples", "BrokerSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "VaultTests",
            dependencies: [
                "ModelSamples", "Vault", "Contract", "Consent", "SOSLocal", "RunBeacon", "ControlContract",
                "GatewayModel",
                "Sealing", "Ciphers",
                "HostileInput", "TestSupport", "Samples", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                "SeededRandom",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "CloudCommandsTests",
            dependencies: [
                "ModelSamples", "CloudCommands", "Contract", "GatewayModel", "RunBeacon", "RealTime",
                "HostileInput",
                "TestSupport", "CommandSamples", "ContractSamples",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "SettingsTests",
            dependencies: [
                "ModelSamples", "Settings", "GatewayModel", "SOSLocal", "RunBeacon", "RaceSimulation",
                "HostileInput",
                "TestSupport", "SettingsSamples", "SeededRandom",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ControlSocketTests",
            dependencies: [
                "Consent", "ControlSocket", "ControlLink", "ControlContract", "GatewayModel", "Hub",
                "RunBeacon", "SOSLocal", "Settings",
                "TestSupport", "Vault",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "BackupTests",
            dependencies: [
                "Backup", "Ciphers", "Consent", "GatewayModel", "ModelSamples", "RealTime", "Samples",
                "SeededRandom", "Settings", "SettingsSamples", "TarArchive", "TestSupport", "Vault",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "CommandsTests",
            dependencies: [
                "Alarms", "Ciphers", "ModelSamples", "Commands", "Contract", "ContractSamples",
                "ControlContract", "ControlLink", "ControlSocket",
                "GatewayModel", "Hub", "RealTime",
                "RunBeacon",
                "SOSLocal", "Samples", "Settings", "SettingsSamples", "TarArchive", "TestSupport", "Vault",
                "Wearables",
            ],
            swiftSettings: strict),
        // The executable target: the composition, and the rules of the architecture.
        .testTarget(
            name: "GatewayTests",
            dependencies: [
                "ModelSamples", "HomeGateway", "Commands", "ControlLink", "ControlContract", "GatewayModel",
                "SOSLocal", "RunBeacon",
                "TagAdverts", "Consent",
                "WireFormats", "Contract", "RealTime", "Systemd", "Wearables", "Ciphers", "Sealing",
                "Positioning",
                "MQTTBridge", "Vault", "Settings", "HelpLine", "CloudCommands", "RaceSimulation", "JSONReading",
                "HostileInput", "Hub", "OutboxService", "Alarms", "ControlSocket", "SettingsService", "Race",
                "DataSources", "DeskWatch", "DeviceSetup", "Doctor", "WalkTest", "Readings", "ConsentService",
                "ShutdownDelay", "SignedCommands", "HistoryService",
                "HelpState", "HomeAssistant", "Phrases",
                "Locations", "MyData", "Notices", "Observations", "PersonalSettings", "Supervision",
                "HouseAlarm",
                "TestSupport",
                "Samples", "SettingsSamples", "CommandSamples", "ContractSamples", "BrokerSupport",
                "WireSamples",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"), .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "DeviceSetupTests",
            dependencies: [
                "ControlContract", "DeviceSetup", "Doctor", "GatewayModel", "Readings", "WalkTest", "Wearables",
                "WireFormats",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "RaceTests",
            dependencies: [
                "ModelSamples", "Race", "Readings", "SettingsSamples", "Alarms", "BrokerSupport", "Ciphers",
                "Consent", "Contract", "ControlContract",
                "GatewayModel", "Hub",
                "MQTTBridge", "OutboxService", "RaceSimulation", "RealTime", "RunBeacon", "Samples", "Settings",
                "TagAdverts", "TestSupport", "Vault", "WireFormats",
            ],
            swiftSettings: strict),
        // The built daemon between real parts, seen from outside.
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "ModelSamples", "ControlContract", "ControlLink", "GatewayModel", "Hub", "Consent", "Contract",
                "WireFormats",
                "Vault",
                "Settings",
                "RunBeacon",
                "ConsentService", "ControlSocket", "DeviceSetup", "OutboxService", "Readings",
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Logging", package: "swift-log"),
                "RealTime", "Ciphers", "CloudCommands", "JSONReading", "TestSupport", "Samples",
                "SettingsSamples", "CommandSamples", "ContractSamples", "WireSamples",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"), "SeededRandom",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "HelpTests",
            dependencies: [
                "ModelSamples", "AmbulanceService", "CAP", "CareCentre", "TextMessages", "TelephoneCalls",
                "Audio",
                "Modems",
                "SIP", "Consent", "GatewayModel",
                "HTTPTransfers", "HelpLine",
                "HostileInput", "RealTime", "SOSLocal", "SeededRandom", "Systemd", "TestSupport",
            ],
            swiftSettings: strict),

        // A measurement, not a product: `make bench-adverts`. The peer is the same work as a bare C loop.
        .target(name: "CAdvertPeer", path: "Benchmarks/CAdvertPeer"),
        .executableTarget(
            name: "AdvertBench", dependencies: ["GatewayModel", "WireFormats", "CAdvertPeer"],
            path: "Benchmarks/AdvertBench", swiftSettings: strict),
        // A year of readings in a database of its own: `make bench-history`.
        .executableTarget(
            name: "HistoryBench", dependencies: ["GatewayModel", "Ciphers", "Vault"],
            path: "Benchmarks/HistoryBench", swiftSettings: strict),
        // Cost of sealing a reading for a third party: `make bench-seal`. The peer is a Python program.
        .executableTarget(
            name: "SealBench", dependencies: ["GatewayModel", "Sealing"],
            path: "Benchmarks/SealBench", swiftSettings: strict),
        // Streams and pages of the house's server: `make bench-web`. The peer is nginx with nchan.
        .executableTarget(
            name: "WebBench", dependencies: ["Web"], path: "Benchmarks/WebBench", swiftSettings: strict),
        // The radio alone, for `make bench-bluetooth`. The peer is a Python program with bleak.
        .executableTarget(
            name: "BluetoothBench", dependencies: ["GatewayModel", "RealTime", "Systemd", "Wearables"],
            path: "Benchmarks/BluetoothBench",
            exclude: ["floor.c"], swiftSettings: strict),
    ],
    cxxLanguageStandard: .cxx17
)
