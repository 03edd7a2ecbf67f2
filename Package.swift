// swift-tools-version: 6.2
import PackageDescription

// The manifest is the architecture: each folder of `Sources` is a floor, and dependencies point down, from the
// executable through capabilities and adapters to the domain. `ArchitectureTests` holds every import to that.

/// Products of other packages, with their packages.
let products = [
    "ArgumentParser": "swift-argument-parser", "Crypto": "swift-crypto", "DequeModule": "swift-collections",
    "GRDB": "GRDB.swift", "GRDBSQLite": "GRDB.swift", "JWTKit": "jwt-kit", "Logging": "swift-log",
    "RealModule": "swift-numerics", "ServiceLifecycle": "swift-service-lifecycle",
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

/// - Parameter files: files that the target has as bytes in `PackageResources`.
func part(_ name: String, in folder: String, embedding files: [String] = [], on needs: [String]) -> Target {
    .target(
        name: name, dependencies: dependencies(needs), path: "\(folder)/\(name)",
        resources: files.map { .embedInCode($0) }, swiftSettings: strict)
}

func part(_ name: String, in folder: String, on needs: String...) -> Target {
    part(name, in: folder, on: needs)
}

func program(_ name: String, in folder: String, exclude: [String] = [], on needs: String...) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies(needs), path: "\(folder)/\(name)", exclude: exclude,
        swiftSettings: strict)
}

func library(_ name: String, pkgConfig: String? = nil, apt: String? = nil) -> Target {
    .systemLibrary(
        name: name, path: "Sources/CModules/\(name)", pkgConfig: pkgConfig, providers: apt.map { [.apt([$0])] })
}

func domain(_ name: String, embedding files: [String] = [], on needs: String...) -> Target {
    part(name, in: "Sources/Domain", embedding: files, on: needs)
}
func platform(_ name: String, on needs: String...) -> Target { part(name, in: "Sources/Platform", on: needs) }
func adapter(_ name: String, on needs: String...) -> Target { part(name, in: "Sources/Adapters", on: needs) }
func capability(_ name: String, on needs: String...) -> Target {
    part(name, in: "Sources/Capabilities", on: needs)
}
func fixture(_ name: String, on needs: String...) -> Target { part(name, in: "Tests/Support", on: needs) }

/// Tests of a target, or of a part of the product.
func tests(of name: String, on needs: String...) -> Target {
    .testTarget(name: "\(name)Tests", dependencies: dependencies(needs), swiftSettings: strict)
}

let package = Package(
    name: "HomeGateway",
    products: [
        .executable(name: "homegateway", targets: ["HomeGateway"]),
        // The parts that the package `TrackMe` shares with the gateway.
        .library(
            name: "TrackMeContract",
            targets: [
                "CAP", "CSVTables", "Charts", "CloudCommands", "Consent", "Contract", "GatewayModel", "HTML",
                "HTTPTransfers", "HelpLine", "JSONReading", "MQTTBridge", "PageSecurity", "RealTime",
                "RunBeacon", "RunFiles", "SOSLocal", "SettingsReading",
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
        // C libraries: a module map and the thinnest shim each, and exactly one importer.
        .target(name: "CLinux", path: "Sources/CModules/CLinux"),
        .target(
            name: "CToml", path: "Sources/CModules/CToml", cxxSettings: [.define("TOML_EXCEPTIONS", to: "0")]),
        library("CALSA", pkgConfig: "alsa", apt: "libasound2-dev"),
        library("CBlueZ", pkgConfig: "bluez", apt: "libbluetooth-dev"),
        library("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev"),
        library("CGPIO"),
        library("CExpat", pkgConfig: "expat", apt: "libexpat1-dev"),
        library("CGPSD", pkgConfig: "libgps", apt: "libgps-dev"),
        library("CMosquitto", pkgConfig: "libmosquitto", apt: "libmosquitto-dev"),
        library("CMicroHTTPD", pkgConfig: "libmicrohttpd", apt: "libmicrohttpd-dev"),
        library("CQREncode", pkgConfig: "libqrencode", apt: "libqrencode-dev"),
        library("COpenSSL", pkgConfig: "libcrypto", apt: "libssl-dev"),
        library("CSIP", pkgConfig: "libre", apt: "libre-dev"),
        library("CSystemd", pkgConfig: "libsystemd", apt: "libsystemd-dev"),

        // Pure values and decisions. No I/O, no C module, no clock.
        domain("GatewayModel"),
        domain("SOSLocal", on: "GatewayModel"),
        domain("RunBeacon", on: "GatewayModel", "RealModule"),
        domain("Consent", on: "GatewayModel"),
        domain("WireFormats", on: "GatewayModel"),
        domain("TagAdverts", on: "GatewayModel", "RunBeacon", "WireFormats"),
        domain("Contract", on: "Consent", "GatewayModel", "JSONReading", "RunBeacon", "SOSLocal"),
        // Archives in the form of tar(5), for backups and support bundles.
        domain("TarArchive"),
        // Entries that programs of the house hand over, as files and lines.
        domain("Observations", on: "CSVTables", "Contract", "GatewayModel", "JSONReading"),
        // Token, cookie, form and headers of a browser, for the servers of house and cloud.
        domain("PageSecurity", on: "Crypto", "GatewayModel"),
        // Decisions of the console before a page or an act: hosts, origins, pairing, sessions, limits.
        domain("ConsoleAccess", on: "ControlContract", "GatewayModel", "PageSecurity"),
        // Parts that all help channels share.
        domain("HelpLine", on: "Consent", "GatewayModel", "SOSLocal"),
        // State of the help for an alarm, from which every sentence about it is made.
        domain("HelpState", on: "GatewayModel", "SOSLocal"),
        // Requests, replies and states at the control socket, for the daemon, the command line and the console.
        domain(
            "ControlContract", on: "Consent", "Contract", "GatewayModel", "HelpState", "RunBeacon", "SOSLocal",
            "WireFormats"),
        // Sentences of the house, for the voice, the console and the pages.
        domain("Phrases", on: "GatewayModel", "HelpState", "SOSLocal"),
        // Typed HTML, charts, and the pages of the house.
        domain("HTML", on: "GatewayModel"),
        domain("Charts", on: "GatewayModel", "HTML"),
        domain(
            "Pages", embedding: ["charts.css", "console.css", "console.js", "map.css", "races.css"],
            on: "CSVTables", "Charts", "Consent", "ControlContract", "GatewayModel", "HTML", "HelpState",
            "Phrases", "RunBeacon", "SOSLocal"),
        domain("CSVTables"),
        domain("JSONReading"),

        // Threads, clocks, systemd and markup, for all adapters.
        platform("Audio", on: "CALSA", "GatewayModel", "RealTime"),
        platform("ControlLink", on: "ControlContract", "JSONReading", "RealTime"),
        platform("Markup", on: "CExpat"),
        platform("Modems", on: "Systemd"),
        platform("RealTime", on: "CLinux", "GatewayModel"),
        platform("HTTPTransfers", on: "CCurl", "GatewayModel", "RealTime"),
        // OASIS Common Alerting Protocol 1.2: messages, and the answers of a service.
        platform("CAP", on: "GatewayModel", "HTTPTransfers", "HelpLine", "JSONReading"),
        // Settings files: declared sections and keys, their values with every mistake, and secrets in files.
        platform("SettingsReading", on: "CToml", "GatewayModel"),
        platform("SIP", on: "CSIP", "GatewayModel", "RealTime"),
        platform("Systemd", on: "CSystemd"),

        // One outside thing each. They do not import each other.
        adapter("Wearables", on: "CBlueZ", "GatewayModel", "RealTime", "Systemd", "WireFormats"),
        adapter("Ciphers", on: "COpenSSL", "GatewayModel", "WireFormats"),
        adapter("Sealing", on: "Crypto", "GatewayModel"),
        adapter("Positioning", on: "CGPSD", "GatewayModel", "JSONReading", "RealTime"),
        adapter(
            "HouseAlarm", on: "Audio", "CGPIO", "GatewayModel", "HelpState", "Phrases", "RealTime", "SOSLocal"),
        adapter("Web", on: "CMicroHTTPD", "GatewayModel", "PageSecurity", "RealTime"),
        adapter("QRCodes", on: "CQREncode"),
        adapter(
            "MQTTBridge", on: "CMosquitto", "Consent", "Contract", "GatewayModel", "RealTime", "SettingsReading"
        ),
        adapter(
            "AmbulanceService", on: "CAP", "Consent", "GatewayModel", "HTTPTransfers", "HelpLine", "RealTime",
            "SOSLocal"),
        adapter(
            "CareCentre", on: "Consent", "GatewayModel", "HelpLine", "Markup", "RealTime", "SIP", "SOSLocal"),
        adapter(
            "TextMessages", on: "Consent", "GatewayModel", "HelpLine", "Modems", "RealTime", "SOSLocal",
            "Systemd"),
        adapter(
            "TelephoneCalls", on: "Audio", "Consent", "GatewayModel", "HelpLine", "Modems", "RealTime", "SIP",
            "SOSLocal", "Systemd"),
        adapter(
            "Vault", on: "Consent", "Contract", "ControlContract", "Crypto", "DequeModule", "GRDB",
            "GatewayModel", "JSONReading", "RunBeacon", "SOSLocal"),
        adapter("CloudCommands", on: "Consent", "Crypto", "GatewayModel", "JWTKit", "RunBeacon", "SOSLocal"),
        // Files of runs: definitions, start lists, courses.
        adapter("RunFiles", on: "CSVTables", "GatewayModel", "Markup", "RunBeacon", "SettingsReading"),
        adapter("Settings", on: "GatewayModel", "RunBeacon", "SOSLocal", "SettingsReading"),

        // One feature of the gateway each.
        // The parts that the capabilities share.
        capability(
            "Hub", on: "CloudCommands", "Consent", "Contract", "ControlContract", "GatewayModel", "HelpState",
            "Logging", "RealTime", "RunBeacon", "SOSLocal", "ServiceLifecycle", "Settings", "Systemd", "Vault"),
        capability(
            "ControlSocket", on: "ControlContract", "ControlLink", "GatewayModel", "Hub", "RealTime",
            "Settings"),
        capability(
            "SettingsService", on: "Alarms", "ControlContract", "GatewayModel", "Hub", "Logging",
            "OutboxService", "Readings", "RealTime", "SOSLocal", "ServiceLifecycle", "Settings",
            "SettingsReading", "Systemd", "UnixSignals", "Vault"),
        capability(
            "OutboxService", on: "Consent", "Contract", "GatewayModel", "Hub", "Logging", "MQTTBridge",
            "RealTime", "Sealing", "ServiceLifecycle", "Settings", "SettingsReading", "Vault"),
        capability(
            "ConsentService", on: "Alarms", "CloudCommands", "Consent", "Contract", "ControlContract",
            "GatewayModel", "HouseAlarm", "Hub", "Logging", "OutboxService", "RealTime", "SOSLocal", "Sealing",
            "Settings", "Vault"),
        capability(
            "HistoryService", on: "Ciphers", "ControlContract", "GatewayModel", "Hub", "Logging", "RealTime",
            "ServiceLifecycle", "Settings", "Vault"),
        capability(
            "Locations", on: "Consent", "Contract", "GatewayModel", "HistoryService", "Hub", "OutboxService",
            "Readings", "RealTime", "Settings"),
        capability(
            "HomeAssistant", on: "Consent", "Contract", "ControlContract", "GatewayModel", "HelpState", "Hub",
            "Logging", "MQTTBridge", "OutboxService", "Phrases", "RealTime", "SOSLocal", "ServiceLifecycle",
            "Settings"),
        capability("MyData", on: "ControlContract", "GatewayModel", "Hub", "Logging"),
        capability(
            "PersonalSettings", on: "Alarms", "CloudCommands", "Consent", "Contract", "ControlContract",
            "GatewayModel", "Hub", "Logging", "OutboxService", "RealTime", "SOSLocal", "Settings",
            "SettingsReading", "SettingsService", "SignedCommands", "Vault"),
        capability(
            "SignedCommands", on: "Alarms", "CloudCommands", "Consent", "Contract", "ControlContract",
            "GatewayModel", "HouseAlarm", "Hub", "Logging", "MQTTBridge", "OutboxService", "RealTime",
            "SOSLocal", "ServiceLifecycle", "Settings", "SettingsReading", "Vault"),
        capability(
            "Alarms", on: "AmbulanceService", "CareCentre", "CloudCommands", "Consent", "Contract",
            "ControlContract", "GatewayModel", "HelpLine", "HelpState", "HouseAlarm", "Hub", "Logging",
            "MQTTBridge", "OutboxService", "Phrases", "RealTime", "SOSLocal", "ServiceLifecycle", "Settings",
            "SettingsReading", "Systemd", "TelephoneCalls", "TextMessages", "Vault"),
        capability(
            "Readings", on: "Alarms", "Ciphers", "CloudCommands", "Consent", "Contract", "ControlContract",
            "GatewayModel", "Hub", "Logging", "OutboxService", "Positioning", "RealTime", "SOSLocal",
            "ServiceLifecycle", "Settings", "SettingsReading", "Systemd", "Vault", "Wearables", "WireFormats"),
        capability(
            "DataSources", on: "ControlLink", "ControlSocket", "GatewayModel", "HistoryService", "Hub",
            "Observations", "OutboxService", "Readings", "RealTime", "ServiceLifecycle", "Settings"),
        capability(
            "Race", on: "Alarms", "Ciphers", "CloudCommands", "Consent", "Contract", "ControlContract",
            "GatewayModel", "HouseAlarm", "Hub", "Logging", "OutboxService", "Positioning", "Readings",
            "RealTime", "RunBeacon", "RunFiles", "SOSLocal", "ServiceLifecycle", "Settings", "SettingsReading",
            "TagAdverts", "Vault", "WireFormats"),
        capability(
            "Supervision", on: "Alarms", "Ciphers", "Consent", "Contract", "ControlContract", "GatewayModel",
            "HelpState", "HouseAlarm", "Hub", "Logging", "OutboxService", "Phrases", "Readings", "RealTime",
            "SOSLocal", "ServiceLifecycle", "Settings", "Systemd", "Vault", "Wearables"),
        capability(
            "Notices", on: "Alarms", "Consent", "GatewayModel", "HelpLine", "Hub", "Logging", "OutboxService",
            "RealTime", "SOSLocal", "Settings", "Vault"),
        // Scans, pairings and removals of wearables, for the command line and for installers at the pages.
        capability(
            "DeviceSetup", on: "ControlContract", "GatewayModel", "Hub", "Logging", "OutboxService", "Readings",
            "RealTime", "ServiceLifecycle", "Settings", "SettingsReading", "Systemd", "Wearables", "WireFormats"
        ),
        // `homegateway check` on demand, and walks through the rooms, for installers at the pages.
        capability(
            "Doctor", on: "ControlContract", "ControlLink", "GatewayModel", "Hub", "Logging", "OutboxService",
            "RealTime", "ServiceLifecycle"),
        capability(
            "WalkTest", on: "ControlContract", "GatewayModel", "Hub", "OutboxService", "Readings", "RealTime",
            "Settings", "Supervision"),
        // Whether somebody is at the emergency desks. No part of the calling of help depends on it.
        capability(
            "DeskWatch", on: "CloudCommands", "Contract", "GatewayModel", "Hub", "Logging", "MQTTBridge",
            "OutboxService", "RealTime", "Settings"),
        // A lock of logind while an alarm is open. No part of the calling of help depends on it.
        capability(
            "ShutdownDelay", on: "Alarms", "GatewayModel", "Hub", "Logging", "OutboxService", "RealTime",
            "ServiceLifecycle", "Settings", "Systemd"),
        // The pages, a process of their own.
        capability(
            "Console", on: "Ciphers", "ConsoleAccess", "ControlContract", "ControlLink", "GatewayModel", "HTML",
            "PageSecurity", "Pages", "QRCodes", "RealTime", "Settings", "Web"),
        capability(
            "ConsoleCommands", on: "ArgumentParser", "Console", "ConsoleAccess", "Contract", "ControlContract",
            "GatewayModel", "PageSecurity", "QRCodes", "Settings", "SettingsReading"),
        // Settings, state and pairings of a box in one sealed file, and back.
        capability(
            "Backup", on: "Ciphers", "Contract", "Crypto", "GatewayModel", "JSONReading", "Settings",
            "SettingsReading", "TarArchive", "Vault"),
        // The command line: asks the running gateway, and reads its files.
        capability(
            "Commands", on: "Alarms", "AmbulanceService", "ArgumentParser", "Backup", "CSVTables", "Ciphers",
            "CloudCommands", "Consent", "Contract", "ControlContract", "ControlLink", "ControlSocket",
            "DeviceSetup", "GatewayModel", "HelpLine", "HouseAlarm", "Hub", "JSONReading", "Logging",
            "MQTTBridge", "Notices", "OutboxService", "RealTime", "RunBeacon", "RunFiles", "SOSLocal",
            "Settings", "SettingsReading", "SignedCommands", "Supervision", "Systemd", "TarArchive",
            "TelephoneCalls", "TextMessages", "Vault", "Wearables", "WireFormats"),

        // The daemon.
        program(
            "HomeGateway", in: "Sources", on: "Alarms", "ArgumentParser", "Commands", "Consent",
            "ConsentService", "ConsoleCommands", "Contract", "ControlSocket", "DataSources", "DeskWatch",
            "DeviceSetup", "Doctor", "GatewayModel", "HistoryService", "HomeAssistant", "Hub", "Locations",
            "Logging", "MQTTBridge", "MyData", "Notices", "OutboxService", "PersonalSettings", "Race",
            "Readings", "RealTime", "ServiceLifecycle", "Settings", "SettingsReading", "SettingsService",
            "ShutdownDelay", "SignedCommands", "Supervision", "UnixSignals", "Vault", "WalkTest"),

        // Fixtures of several test targets: processes, ports and files; then sample values, a target for each level of
        // the sources, so that a change rebuilds only the tests above it.
        fixture("SeededRandom"),
        fixture("TestSupport"),
        fixture("ModelSamples", on: "GatewayModel"),
        fixture("Samples", on: "Consent", "Contract", "GatewayModel", "ModelSamples", "RunBeacon", "SOSLocal"),
        fixture(
            "SettingsSamples", on: "GatewayModel", "RunBeacon", "RunFiles", "Settings", "SettingsReading",
            "TestSupport"),
        fixture("CommandSamples", on: "CloudCommands", "Crypto", "GatewayModel", "ModelSamples"),
        fixture(
            "ContractSamples", on: "CloudCommands", "Consent", "Contract", "GatewayModel", "ModelSamples",
            "RunBeacon", "SOSLocal", "Samples", "Sealing", "TestSupport"),
        fixture("BusSupport", on: "GatewayModel", "RealTime", "Systemd"),
        fixture("BrokerSupport", on: "Consent", "Contract", "GatewayModel", "MQTTBridge", "TestSupport"),
        fixture("WireSamples", on: "Ciphers", "GatewayModel", "WireFormats"),

        // Programs and parts of the tests, and the tests of each target.
        // Every history of an alarm up to a bound: `make explore`, and a smaller bound in the tests.
        part("SOSExploration", in: "Tests", on: "GatewayModel", "SOSLocal"),
        program("Explore", in: "Tests", on: "SOSExploration"),
        // Runners, their tags and the air between them, by a seed: `make bench-race`, and the tests.
        part(
            "RaceSimulation", in: "Tests", on: "GatewayModel", "RealModule", "RunBeacon", "SeededRandom",
            "WireFormats"),
        // Adverts of a race as a box receives them, with the true times, for the BLE rig to play.
        program("RaceField", in: "Tests", on: "RaceSimulation"),
        // Hostile inputs by a seed: `make fuzz`, and fewer of them in the tests.
        part("HostileInput", in: "Tests", on: "SeededRandom"),
        tests(
            of: "RunBeacon", on: "GatewayModel", "ModelSamples", "RaceSimulation", "RealModule", "RunBeacon",
            "Samples", "SeededRandom", "TagAdverts", "WireFormats"),
        tests(
            of: "SOSLocal", on: "GatewayModel", "HelpState", "ModelSamples", "SOSExploration", "SOSLocal",
            "SeededRandom"),
        tests(
            of: "House", on: "Audio", "GatewayModel", "HelpState", "HouseAlarm", "ModelSamples", "Phrases",
            "RealTime", "SOSLocal"),
        tests(
            of: "Pages", on: "CSVTables", "Charts", "ControlContract", "GatewayModel", "HTML", "Pages",
            "RunBeacon"),
        tests(of: "GatewayModel", on: "GatewayModel", "ModelSamples", "RunBeacon", "Samples", "SeededRandom"),
        tests(of: "JSONReading", on: "JSONReading"),
        tests(
            of: "Observations", on: "GatewayModel", "HostileInput", "ModelSamples", "Observations"),
        tests(
            of: "WireFormats", on: "Ciphers", "GatewayModel", "Samples", "TestSupport", "Wearables",
            "WireFormats", "WireSamples"),
        tests(of: "Consent", on: "Consent", "GatewayModel", "ModelSamples", "Samples"),
        tests(
            of: "Contract", on: "CloudCommands", "Consent", "Contract", "ContractSamples", "Crypto",
            "GatewayModel", "HostileInput", "ModelSamples", "RunBeacon", "SOSLocal", "Samples", "Sealing",
            "TestSupport"),
        tests(of: "Charts", on: "Charts", "GatewayModel"),
        tests(of: "PageSecurity", on: "PageSecurity"),
        tests(
            of: "ConsoleAccess", on: "ConsoleAccess", "ControlContract", "GatewayModel", "PageSecurity",
            "SeededRandom"),
        tests(
            of: "Console", on: "Console", "ControlContract", "ControlLink", "GatewayModel", "HTML",
            "ModelSamples", "Pages", "RealTime", "RunBeacon", "TestSupport", "Web"),
        tests(of: "RealTime", on: "GatewayModel", "RealTime"),
        tests(of: "Web", on: "Ciphers", "GatewayModel", "HostileInput", "SeededRandom", "TestSupport", "Web"),
        tests(of: "Systemd", on: "BusSupport", "GatewayModel", "RealTime", "Systemd"),
        tests(
            of: "Wearables", on: "BusSupport", "GatewayModel", "HostileInput", "ModelSamples", "RealTime",
            "SeededRandom", "Systemd", "TestSupport", "Wearables", "WireFormats", "WireSamples"),
        tests(
            of: "Positioning", on: "GatewayModel", "HostileInput", "Positioning", "RealTime", "Samples",
            "TestSupport"),
        tests(
            of: "MQTTBridge", on: "BrokerSupport", "Consent", "Contract", "GatewayModel", "HostileInput",
            "MQTTBridge", "RealTime", "Samples", "SeededRandom", "TestSupport"),
        tests(
            of: "Vault", on: "Ciphers", "Consent", "Contract", "ControlContract", "GRDB", "GRDBSQLite",
            "GatewayModel", "HostileInput", "ModelSamples", "RunBeacon", "SOSLocal", "Samples", "SeededRandom",
            "TestSupport", "Vault"),
        tests(
            of: "CloudCommands", on: "CloudCommands", "CommandSamples", "Contract", "ContractSamples", "Crypto",
            "GatewayModel", "HostileInput", "ModelSamples", "RealTime", "RunBeacon", "TestSupport"),
        tests(
            of: "Settings", on: "GatewayModel", "HostileInput", "ModelSamples", "SOSLocal", "SeededRandom",
            "Settings", "SettingsReading", "SettingsSamples", "TestSupport"),
        tests(
            of: "RunFiles", on: "GatewayModel", "HostileInput", "ModelSamples", "RunBeacon", "RunFiles",
            "SettingsReading", "SettingsSamples", "TestSupport"),
        tests(
            of: "ControlSocket", on: "Consent", "ControlContract", "ControlLink", "ControlSocket",
            "GatewayModel", "Hub", "RunBeacon", "SOSLocal", "Settings", "TestSupport", "Vault"),
        tests(
            of: "Backup", on: "Backup", "Ciphers", "Consent", "GRDB", "GatewayModel", "ModelSamples",
            "RealTime", "Samples", "SeededRandom", "Settings", "TarArchive", "TestSupport", "Vault"),
        tests(
            of: "Commands", on: "Alarms", "Ciphers", "Commands", "Contract", "ContractSamples",
            "ControlContract", "ControlLink", "ControlSocket", "GatewayModel", "Hub", "ModelSamples",
            "RealTime", "RunBeacon", "RunFiles", "SOSLocal", "Samples", "Settings", "SettingsSamples",
            "TarArchive", "TestSupport", "Vault", "Wearables"),
        // The composition, and the rules of the architecture.
        tests(
            of: "Gateway", on: "Alarms", "Ciphers", "CloudCommands", "CommandSamples", "Commands", "Consent",
            "ConsentService", "Contract", "ControlContract", "ControlLink", "ControlSocket", "DataSources",
            "DeskWatch", "DeviceSetup", "Doctor", "GRDB", "GatewayModel", "HelpLine", "HelpState",
            "HistoryService", "HomeAssistant", "HomeGateway", "HostileInput", "HouseAlarm", "Hub", "Locations",
            "Logging", "MQTTBridge", "ModelSamples", "MyData", "Notices", "Observations", "OutboxService",
            "PersonalSettings", "Phrases", "Positioning", "Race", "Readings", "RealTime", "RunBeacon",
            "SOSLocal", "Samples", "Settings", "SettingsReading", "SettingsSamples", "SettingsService",
            "ShutdownDelay", "SignedCommands", "Supervision", "TestSupport", "Vault", "WalkTest", "Wearables",
            "WireFormats", "WireSamples"),
        tests(
            of: "DeviceSetup", on: "ControlContract", "DeviceSetup", "Doctor", "GatewayModel", "Readings",
            "WalkTest", "Wearables", "WireFormats"),
        tests(
            of: "Race", on: "Alarms", "BrokerSupport", "Ciphers", "Consent", "Contract", "ControlContract",
            "GatewayModel", "Hub", "MQTTBridge", "ModelSamples", "OutboxService", "Race", "RaceSimulation",
            "Readings", "RealTime", "RunBeacon", "RunFiles", "Samples", "Settings", "SettingsSamples",
            "TagAdverts", "TestSupport", "Vault", "WireFormats"),
        // The built daemon between real parts, seen from outside.
        tests(
            of: "Integration", on: "Ciphers", "CloudCommands", "CommandSamples", "Consent", "ConsentService",
            "Contract", "ContractSamples", "ControlContract", "ControlLink", "ControlSocket", "Crypto",
            "DeviceSetup", "GRDB", "GatewayModel", "Hub", "JSONReading", "Logging", "ModelSamples",
            "OutboxService", "Readings", "RealTime", "RunBeacon", "Samples", "SeededRandom", "ServiceLifecycle",
            "Settings", "SettingsSamples", "TestSupport", "Vault", "WireFormats", "WireSamples"),
        tests(
            of: "Help", on: "AmbulanceService", "Audio", "CAP", "CareCentre", "Consent", "GatewayModel",
            "HTTPTransfers", "HelpLine", "HostileInput", "ModelSamples", "Modems", "RealTime", "SIP",
            "SOSLocal", "SeededRandom", "Systemd", "TelephoneCalls", "TestSupport", "TextMessages"),

        // Measurements, no products.
        program(
            "RaceBench", in: "Benchmarks", on: "GatewayModel", "RaceSimulation", "RunBeacon", "SeededRandom",
            "TagAdverts", "WireFormats"),
        program("PassingBench", in: "Benchmarks", on: "GatewayModel", "RunBeacon", "Vault"),
        // `make bench-adverts`. The peer is the same work as a bare C loop.
        .target(name: "CAdvertPeer", path: "Benchmarks/CAdvertPeer"),
        program("AdvertBench", in: "Benchmarks", on: "CAdvertPeer", "GatewayModel", "WireFormats"),
        // A year of readings in a database of its own: `make bench-history`.
        program("HistoryBench", in: "Benchmarks", on: "Ciphers", "GatewayModel", "Vault"),
        // Cost of sealing a reading for a third party: `make bench-seal`. The peer is a Python program.
        program("SealBench", in: "Benchmarks", on: "GatewayModel", "Sealing"),
        // Streams and pages of the house's server: `make bench-web`. The peer is nginx with nchan.
        program("WebBench", in: "Benchmarks", on: "Web"),
        // The radio alone, for `make bench-bluetooth`. The peer is a Python program with bleak.
        program(
            "BluetoothBench", in: "Benchmarks", exclude: ["floor.c"], on: "GatewayModel", "RealTime", "Systemd",
            "Wearables"),
    ],
    cxxLanguageStandard: .cxx17
)
