import Alarms
import ControlContract
import GatewayModel
import Hub
import SOSLocal
import Settings
import SettingsReading

/// Findings of `check` as data: mistakes of the settings, advice, and the results of the probes. No value of a key is among
/// them but the one of a mistake, and of the keys that hold secrets not even that: the settings name their files.
enum CheckFindings {
    /// Mistakes of settings that cannot be loaded as they are, each with the part that a start sets aside. Blocking I/O.
    static func mistakes(in path: String) -> [CheckReport.Finding] {
        let found = SalvagedSettings(path: path)
        let parts = Dictionary(found.setAside.map { ($0.problem, $0.part) }) { first, _ in first }
        return found.problems.map { finding(of: $0, .problem, part: parts[$0] ?? "settings") }
    }

    /// Advice on settings that can be loaded, persons without calls for help, and persons who cannot cancel an alarm.
    /// Blocking I/O.
    static func advice(
        on settings: GatewaySettings, in path: String, _ abilities: [DeviceID: WearableAbilities]
    ) -> [CheckReport.Finding] {
        let danger = SettingsFiles.danger(of: path)
        var findings = settings.warnings.map {
            finding(of: $0, $0.message == danger ? .problem : .advice, part: "settings")
        }
        findings += SettingsAdvice.lines(for: settings, known: KnownPlaces(of: settings)).map {
            CheckReport.Finding(.advice, part: "settings", seen: plain($0))
        }
        if !AcceptanceTable(settings).isPossible {
            findings.append(
                CheckReport.Finding(
                    .advice, part: "help", key: "commands.issuers",
                    seen:
                        "nobody can accept a call: help is called again until the alarm is ended in the house",
                    remedy: "name the centre's key in [[commands.issuers]]: docs/integrator/commands.md"))
        }
        let agreements = CallAgreements(of: settings)
        for person in settings.persons.map({ $0.wearing(settings.wearables, abilities) }) {
            if let calls = agreements.finding(for: person) { findings.append(calls) }
            let coverage = EmergencyCoverage(
                of: person.plan, wearables: settings.wearables, abilities: abilities)
            let warns = person.plan.timelines.contains {
                $0.priority == .medium && coverage.sources(of: $0)?.isEmpty == false
            }
            findings += SettingsAdvice.lines(for: person, in: settings, warns: warns).map {
                CheckReport.Finding(.advice, part: "person \(person.id)", seen: plain($0))
            }
            let cancel = CancelWays(of: person, wearables: settings.wearables, house: settings.house)
            guard cancel.areOutOfReach else { continue }
            findings.append(
                CheckReport.Finding(
                    .problem, part: "person \(person.id)", key: "person.sos.may_end",
                    seen: cancel.lines.map(plain).joined(separator: ". ")))
        }
        return findings.isEmpty
            ? [CheckReport.Finding(.ok, part: "settings", seen: "the settings are right")] : findings
    }

    /// Result of a probe.
    static func finding(of result: Probe.Finding, _ title: String) -> CheckReport.Finding {
        let text = Sentence(result.text)
        return CheckReport.Finding(
            result.isWell ? .ok : .problem, part: title, seen: text.seen, expected: text.expected,
            remedy: text.remedy)
    }

    private static func finding(
        of problem: SettingsProblem, _ severity: CheckReport.Severity, part: String
    ) -> CheckReport.Finding {
        let text = Sentence(problem.message)
        return CheckReport.Finding(
            severity, part: part, file: problem.file, line: problem.line,
            key: problem.key.isEmpty ? nil : problem.key, seen: text.seen, expected: text.expected,
            remedy: text.remedy)
    }

    private static func plain(_ line: String) -> String {
        guard let mark = ["ADVICE", "PROBLEM"].first(where: line.hasPrefix) else { return line }
        return String(line.dropFirst(mark.count).drop { $0 == " " })
    }
}

/// Message of the house in its parts: "observation, expected expectation: remedy", "saw observation: remedy" or
/// "observation; remedy". Pure.
struct Sentence: Hashable {
    let seen: String
    let expected: String?
    let remedy: String?

    init(_ message: String) {
        if let mark = message.firstRange(of: ", expected ") {
            seen = String(message[..<mark.lowerBound])
            let (expected, remedy) = Self.split(message[mark.upperBound...], at: [": ", "; "])
            (self.expected, self.remedy) = (String(expected), remedy.map(String.init))
        } else {
            let (seen, remedy) = Self.split(
                Substring(message),
                at: ["is missing", "saw "].contains(where: message.hasPrefix) ? [": "] : ["; "])
            (self.seen, expected, self.remedy) = (String(seen), nil, remedy.map(String.init))
        }
    }

    /// Splits at the first of the marks.
    private static func split(_ text: Substring, at marks: [String]) -> (Substring, Substring?) {
        let found = marks.compactMap { text.firstRange(of: $0) }.min { $0.lowerBound < $1.lowerBound }
        guard let found else { return (text, nil) }
        return (text[..<found.lowerBound], text[found.upperBound...])
    }
}
