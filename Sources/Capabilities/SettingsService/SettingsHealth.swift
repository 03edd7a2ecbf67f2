package import GatewayModel
package import Hub
package import Logging
package import Settings
package import SettingsReading
import Synchronization

/// Conditions of the settings, with the words of each mistake for `status` and the log. Any thread.
package final class SettingsHealth: Sendable {
    /// Sources of conditions; each replaces its own.
    package enum Source: Hashable, Sendable {
        /// Parts that the running settings leave out.
        case running
        /// Files that the settings name.
        case files
        /// Keys of those who sign commands: read at the start only.
        case issuers
        /// The settings file as it lies on the disk.
        case disk
        /// Persons without a usable channel.
        case calls
    }

    private let holding = Mutex<[Source: [HealthCondition: String]]>([:])
    private let health: HealthBoard
    private let log: Logger

    package init(_ health: HealthBoard, _ log: Logger) {
        (self.health, self.log) = (health, log)
    }

    /// - Parameter found: all that holds of this source, in words.
    package func set(_ source: Source, _ found: [(condition: HealthCondition, words: String)]) {
        // Told under the lock, so that of two changes the later one holds on the board too.
        holding.withLock { holding in
            let before = holding[source] ?? [:]
            let now = Dictionary(found.map { ($0.condition, $0.words) }) { "\($0); \($1)" }
            holding[source] = now
            let others = Set(holding.values.flatMap(\.keys))
            for condition in before.keys where !others.contains(condition) { health.set(condition, false) }
            for (condition, words) in now where before[condition] != words {
                health.set(condition, true)
                log.error("settings", metadata: ["reason": "\(words)"])
            }
        }
    }

    /// For `status`: each mistake with its place and the part that is left out.
    package var lines: [String] {
        holding.withLock { $0.values.flatMap(\.values) }.sorted().map { "settings: \($0)" }
    }
}

extension SettingsHealth {
    package static func conditions(
        of setAside: [SalvagedSettings.SetAside]
    ) -> [(condition: HealthCondition, words: String)] {
        setAside.map {
            (
                HealthCondition(
                    $0.concernsHelp ? .settingsEntrySetAside : .settingIgnored, subject: $0.problem.place),
                "\($0.problem). Set aside: \($0.part)"
            )
        }
    }

    package static func conditions(
        _ code: HealthCode, _ problems: [SettingsProblem]
    ) -> [(condition: HealthCondition, words: String)] {
        problems.map { (HealthCondition(code, subject: $0.place), "\($0)") }
    }
}

extension SettingsProblem {
    /// `gateway.toml:12 wearable.address`: it names nobody, and may leave the house.
    package var place: String {
        let name = file.split(separator: "/").last.map(String.init) ?? file
        return "\(name):\(line)" + (key.isEmpty ? "" : " \(key)")
    }
}
