import Alarms
import ArgumentParser
import ControlContract
import GatewayModel
import Hub
import Notices
import RealTime
import SOSLocal
import Settings
import SettingsReading
import SignedCommands

/// `homegateway check`
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check the settings, show when help would be called, and test the services of the gateway.",
        discussion: """
            It reports every mistake in the settings at once, with its line and with the
            part that a start would set aside for it. Then it
            shows the time line of each rule, how a false alarm is cancelled, and how a
            call for help is accepted. Last it tests Bluetooth, gpsd, the broker with its
            name and password, the sound, and every channel without calling help. Each
            try ends after 10 s. With sudo it reads the installed files
            as the service's user, which may read less than root.

            With --json it prints the findings alone: file, line, key, observation,
            expectation and remedy of each.

            Exit code: 0 all is well; 78 the settings are wrong, everybody can change
            them, or nothing within reach of a person cancels; 69 nobody is called for
            a person, or something that the gateway needs cannot be reached.
            """)

    @Argument(help: ArgumentHelp("The settings file; the same as --config.", valueName: "file"))
    var path: String?

    @OptionGroup var file: SettingsOption

    @OptionGroup var eyes: RunAsUserOption

    @Flag(name: .long, help: "Only the settings file; try nothing.")
    var offline = false

    @OptionGroup var format: JSONOption

    /// For the running gateway: the report so far, one line after each step.
    @Flag(name: .long, help: .hidden)
    var jsonLines = false

    /// For the running gateway, whose alarms need the card.
    @Flag(name: .long, help: .hidden)
    var noSound = false

    func run() async throws {
        var file = file
        if let path { file.config = path }
        try eyes.open(for: file.config)
        if format.json || jsonLines { return try await runForPrograms(file.config) }
        let settings = try file.loadForCheck()
        print("\(file.config): the settings are right")
        for line in SettingsAdvice.lines(for: settings, known: KnownPlaces(of: settings)) { print("  \(line)") }
        let danger = SettingsFiles.danger(of: file.config)
        if let danger { print("  PROBLEM  \(file.config): \(danger)") }
        var isSafe = danger == nil
        let agreements = CallAgreements(of: settings)
        let areCalled = !settings.persons.contains(where: agreements.isMissing)
        let abilities = await KnownAbilities.all(of: settings, asksBluetooth: !offline)
        for written in settings.persons {
            let person = written.wearing(settings.wearables, abilities)
            let calls = agreements.finding(for: person)
            Self.describe(person, of: settings, abilities, agreements)
            let cancel = CancelWays(of: person, wearables: settings.wearables, house: settings.house)
            for line in [written.pulseLine(settings.wearables, abilities)].compactMap(\.self) + cancel.lines {
                print("  \(line)")
            }
            isSafe = isSafe && !cancel.areOutOfReach
            isSafe = isSafe && (calls?.severity != .problem || agreements.isMissing(for: person))
        }
        print("")
        for line in AcceptanceTable(settings).lines + IssuerTable(settings).lines { print(line) }
        for person in settings.persons {
            for line in NoticeRecipients(of: person, channels: settings.channels).lines { print(line) }
        }
        defer {
            if !isSafe || !areCalled {
                SettingsOption.complain("these settings are not safe for a person: see PROBLEM above")
            }
        }
        guard !offline else { return try Self.finish(isSafe, areCalled) }
        print("\nWhat the gateway needs:")
        var areAllWell = true
        for probe in Probe.all(for: settings, of: file.config, withSound: !noSound) {
            let finding = await probe.run()
            print("  \(finding.isWell ? "ok      " : "PROBLEM ") \(probe.title): \(finding.text)")
            areAllWell = areAllWell && finding.isWell
        }
        try Self.finish(isSafe, areCalled && areAllWell)
    }

    /// Prints the report as data, and ends with the same codes as the lines for people.
    private func runForPrograms(_ path: String) async throws {
        var report = CheckReport(started: Clock.wall().millisecondsSince1970)
        func show() { if jsonLines { Shown.line(ExportJSON.text(report)) } }
        let settings: GatewaySettings
        do throws(SettingsError) {
            settings = try GatewaySettings.load(path: path)
        } catch {
            report.findings = CheckFindings.mistakes(in: path)
            report.finished = Clock.wall().millisecondsSince1970
            Shown.line(ExportJSON.text(report))
            throw ExitCode.settingsWrong
        }
        report.current = "settings"
        show()
        let abilities = await KnownAbilities.all(of: settings, asksBluetooth: !offline)
        report.findings = CheckFindings.advice(on: settings, in: path, abilities)
        let agreements = CallAgreements(of: settings)
        let isSafe = report.problems == settings.persons.count(where: agreements.isMissing)
        // The page of an installer is the doctor of a running gateway.
        let probes = offline ? [] : Probe.all(for: settings, of: path, withSound: !noSound, withBox: jsonLines)
        report.total = probes.count
        for probe in probes {
            report.current = probe.title
            show()
            report.findings.append(CheckFindings.finding(of: await probe.run(), probe.title))
            report.done += 1
        }
        (report.current, report.finished) = (nil, Clock.wall().millisecondsSince1970)
        Shown.line(ExportJSON.text(report))
        try Self.finish(isSafe, report.problems == 0)
    }

    private static func finish(_ isSafe: Bool, _ isReady: Bool) throws {
        guard isSafe else { throw ExitCode.settingsWrong }
        guard isReady else { throw ExitCode.unavailable }
    }

    private static func describe(
        _ person: GatewaySettings.Person, of settings: GatewaySettings,
        _ abilities: [DeviceID: WearableAbilities], _ agreements: CallAgreements
    ) {
        print(
            "\n\(person.id): data policy \(person.dataPolicy.rawValue), AutomatedSOS \(person.automatedSOS.rawValue)"
        )
        if let calls = agreements.finding(for: person) { print("  \(calls.sentence)") }
        let commanded = CommandedSettings(readingFrom: settings.gateway.stateDirectory)
        let plan = person.plan.with(rules: commanded.rules(of: person.plan))
        let coverage = EmergencyCoverage(of: plan, wearables: settings.wearables, abilities: abilities)
        let lines =
            PlanTable(plan: plan, coverage: coverage, callsHelp: agreements.callHelp(for: person)).lines
            + coverage.lines + commanded.lines(of: person.plan)
            + commanded.intervalLines(of: person)
        let warns = plan.timelines.contains {
            $0.priority == .medium && coverage.sources(of: $0)?.isEmpty == false
        }
        for line in lines + SettingsAdvice.lines(for: person, in: settings, warns: warns) { print("  \(line)") }
    }
}

/// Table of the alarms of a person that their wearables can raise, and of the times by which each alarm reaches its
/// receivers. Pure.
struct PlanTable {
    let plan: SOSPlan
    let coverage: EmergencyCoverage
    /// Whether the person has agreed that help is called.
    let callsHelp: Bool

    /// Seconds after the crossing, each the latest.
    var lines: [String] {
        let rows = plan.timelines.compactMap { timeline -> [String]? in
            let sources = coverage.sources(of: timeline)
            if let sources, sources.isEmpty { return nil }
            return row(timeline) + [sources?.words ?? "homegateway drill"]
        }
        let heading = ["alarm", "limit", "priority", "believed", "sounds", "told", "in reserve", "raised by"]
        return Shown.table([heading] + rows)
            + (callsHelp ? [promise] : ["In seconds after the crossing, at the latest."])
    }

    private func row(_ timeline: SOSPlan.Timeline) -> [String] {
        [
            timeline.isInExercise ? "\(timeline.name) (exercise)" : timeline.name,
            timeline.rule.map(limit) ?? "-", timeline.priority.rawValue,
            timeline.confirmation == .zero ? "at once" : seconds(timeline.confirmation),
            seconds(timeline.alarm), told(timeline),
            timeline.priority == .high ? seconds(timeline.reserve) : "-",
        ]
    }

    private func limit(_ rule: LimitRule) -> String {
        let sign = rule.side == .low ? "≤" : "≥"
        let whole = rule.limit == rule.limit.rounded()
        let value = whole ? String(Int(rule.limit)) : String(rule.limit)
        return "\(sign) \(value) \(rule.kind.coding.displayUnit)"
    }

    private func told(_ timeline: SOSPlan.Timeline) -> String {
        guard callsHelp else { return "nobody" }
        switch timeline.priority {
        case .high:
            let notice = timeline.notice.map { "notice \(seconds($0)), " } ?? ""
            return "\(notice)help \(seconds(timeline.dispatch))"
        case .medium:
            return plan.ways.carers.isEmpty ? "nobody outside" : "carers \(seconds(timeline.dispatch))"
        case .low: return "nobody outside"
        }
    }

    private var promise: String {
        "In seconds after the crossing, at the latest. Help is told first by \(seconds(Promise.dispatchLimit)), "
            + "less \(seconds(Promise.reserve)) kept free."
    }

    private func seconds(_ duration: Duration) -> String { "\(Double(duration.wholeMilliseconds) / 1_000) s" }
}
