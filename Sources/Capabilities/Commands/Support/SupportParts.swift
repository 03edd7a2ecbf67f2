import ControlContract
import ControlLink
import GatewayModel
import Hub
import Settings

/// System and processor.
enum SupportPlatform {
    static let names = ["architecture", "kernel", "system", "release"]
    static let numbers = ["processors", "memory_mb", "disk_total_mb", "disk_free_mb", "uptime_s"]

    static func lines(_ seen: [String: String]) -> [String] {
        names.map { "\($0) \(seen[$0].map(SupportText.word) ?? "unknown")" }
            + numbers.map {
                "\($0) \(seen[$0].flatMap { SupportText.number($0) }.map(String.init) ?? "unknown")"
            }
    }
}

/// States of the services that a house has.
enum SupportUnits {
    static let units = [
        "homegateway.service", "homegateway-console.service", "bluetooth.service", "gpsd.service",
        "gpsd.socket",
        "ModemManager.service", "systemd-timesyncd.service",
    ]
    /// Properties with the words that systemd has for them.
    private static let words: [String: Set<String>] = [
        "LoadState": ["loaded", "not-found", "bad-setting", "error", "masked"],
        "ActiveState": [
            "active", "reloading", "inactive", "failed", "activating", "deactivating", "maintenance",
        ],
        "SubState": [
            "running", "exited", "dead", "failed", "start", "start-pre", "stop", "stop-sigterm", "auto-restart",
            "listening", "reload",
        ],
        "Result": [
            "success", "exit-code", "signal", "core-dump", "watchdog", "timeout", "oom-kill", "resources",
            "start-limit-hit", "protocol",
        ],
    ]
    private static let counts = ["NRestarts", "ExecMainStatus"]

    static var properties: String { (words.keys.sorted() + counts).joined(separator: ",") }

    static func lines(_ seen: [String: String]) -> [String] {
        units.map { unit in
            let pairs = (seen[unit] ?? "").split(separator: "\n").compactMap { line -> String? in
                let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2 else { return nil }
                let name = String(parts[0])
                if let known = words[name] {
                    return "\(name)=\(known.contains(String(parts[1])) ? parts[1] : "other")"
                }
                guard counts.contains(name), let count = SupportText.number(parts[1]) else { return nil }
                return "\(name)=\(count)"
            }
            return ([unit] + (pairs.isEmpty ? ["unknown"] : pairs)).joined(separator: " ")
        }
    }
}

/// Findings of `check`, without a word of their texts: they name persons, hosts and files.
enum SupportFindings {
    private static let parts = [
        "adverts", "bluetooth", "broker", "certificate", "channel", "clock", "control socket", "disk", "files",
        "gpsd", "help", "person", "power", "settings", "sound", "state directory", "voice", "home assistant",
    ]
    private static let files = ["gateway.toml", "console.toml", "devices.toml"]

    static func lines(_ output: [UInt8]?) -> [String] {
        guard let output, let report = try? ControlJSON.decode(CheckReport.self, from: output) else {
            return [SupportText.unread]
        }
        return report.findings.map { finding in
            var words = [finding.severity.rawValue, part(finding.part)]
            if let file = finding.file {
                let name = file.split(separator: "/").last.map(String.init) ?? ""
                words.append(files.contains(name) ? name : "<file>")
            }
            if let line = finding.line { words.append("line \(line)") }
            if let key = finding.key { words.append(SharedSettings.File.gateway.declares(key) ? key : "<key>") }
            return words.joined(separator: ", ")
        }
    }

    private static func part(_ text: String) -> String {
        parts.first { text == $0 || text.hasPrefix("\($0) ") } ?? "other"
    }
}

/// Codes and counts of the state that the gateway tells.
enum SupportStatus {
    static func lines(_ answer: [UInt8]?) -> [String] {
        guard let answer, let house = try? ControlJSON.decode(HouseSnapshot.self, from: answer) else {
            return ["the gateway does not answer"]
        }
        let conditions = house.conditions.compactMap { condition -> String? in
            guard let code = HealthCode(rawValue: condition.code) else { return nil }
            // The age of one of a wearable would tell when somebody went out.
            let since = code.isOfAWearable ? nil : condition.since
            let age = since.map { " for \(max(0, house.time - $0) / 1000) s" } ?? ""
            return "condition \(code.rawValue) \(code.declaration.severity.rawValue)\(age)"
        }
        let ages = house.devices.map { $0.lastHeardAgeMs ?? $0.lastReadingAgeMs }
        return [
            "version \(SupportText.word(house.version))", "uptime_of_box_s \(house.bootNs / 1_000_000_000)",
            "unsent \(house.unsent)", "open_alarms \(house.alarms.count)", "persons \(house.persons.count)",
            "persons_unwatched \(house.persons.count { $0.supervision?.isPaused == true })",
            "channels \(house.channels.count)", "channels_failing \(house.channels.count { $0.fault != nil })",
            "devices \(house.devices.count)",
            "devices_heard_last_minute \(ages.count { $0.map { $0 < 60_000 } ?? false })",
            "devices_never_heard \(ages.count { $0 == nil })", "buttons \(house.buttons.count)",
            "requests \(house.requests.count)", "runs \(house.runs.count)",
            "conditions \(house.conditions.count)",
        ] + conditions
    }
}

/// Files of the state directory: names that the program gives, sizes, and the schema of databases.
enum SupportState {
    struct File: Hashable {
        let name: String
        let size: Int
        /// The first 100 bytes.
        let head: [UInt8]
    }

    /// Endings that the program and SQLite give to a file.
    private static let endings = ["", "-wal", "-shm", ".ballast"]
    private static let others = [
        "alarms-copy.json", "identity-copy.key", "runs-copy.json", "gateway.lock", "last-settings.json",
        "outbox-waiting.sqlite",
    ]

    static func lines(_ files: [File]?) -> [String] {
        guard let files else { return [SupportText.unread] }
        let known = Set(
            StateFileName.allCases.flatMap { name in endings.map { name.rawValue + $0 } } + others)
        let shown = files.filter { known.contains($0.name) }.sorted { $0.name < $1.name }
        let damaged = files.count { file in
            StateFileName.allCases.contains { file.name.hasPrefix("\($0.rawValue).damaged-") }
        }
        return shown.map { file in
            "\(file.name) \(file.size) bytes" + (schema(of: file).map { " schema \($0)" } ?? "")
        } + ["damaged_files_set_aside \(damaged)", "other_files \(files.count - shown.count - damaged)"]
    }

    /// The schema cookie of the database header, which counts changes of the schema: big-endian at byte 40
    /// (https://www.sqlite.org/fileformat2.html#schema_cookie). The file is not opened as a database: that would make
    /// files beside it, owned by the caller.
    private static func schema(of file: File) -> UInt32? {
        guard file.head.count >= 100, file.head.starts(with: Array("SQLite format 3\0".utf8)) else {
            return nil
        }
        return file.head[40..<44].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
