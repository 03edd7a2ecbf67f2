import ArgumentParser
import Contract
import GatewayModel
import SOSLocal
import Settings

/// `homegateway check`
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check the settings, show when help would be called, and try what the gateway needs.",
        discussion: """
            Every mistake in the settings is reported at once, with its line. Then
            the time line of each rule, and whether Bluetooth, gpsd and the broker
            can be reached from here.

            Exit code: 0 all is well, 78 the settings are wrong, 69 they are right
            but something that the gateway needs cannot be reached.
            """)

    @Argument(help: ArgumentHelp("The settings file; the same as --config.", valueName: "file"))
    var path: String?

    @OptionGroup var file: SettingsOption

    @Flag(name: .long, help: "Only the settings file; try nothing.")
    var offline = false

    func run() async throws {
        var file = file
        if let path { file.config = path }
        let settings = try file.load()
        print("\(file.config): the settings are right")
        for person in settings.persons { Self.describe(person) }
        guard !offline else { return }
        print("\nWhat the gateway needs:")
        var areAllWell = true
        for probe in Probe.all(for: settings) {
            let finding = await probe.run()
            print("  \(finding.isWell ? "ok      " : "PROBLEM ") \(probe.title): \(finding.text)")
            areAllWell = areAllWell && finding.isWell
        }
        guard areAllWell else { throw ExitCode.unavailable }
    }

    private static func describe(_ person: GatewaySettings.Person) {
        print(
            "\n\(person.id): data policy \(person.dataPolicy.rawValue), AutomatedSOS \(person.automatedSOS.rawValue)"
        )
        if person.automatedSOS != .accepted {
            print(
                "  alarms sound in the house only: nobody is called before the AutomatedSOS terms are accepted")
        }
        for line in person.plan.timelines.map(describe) { print("  \(line)") }
    }

    /// `heart-rate-high 131 /min: believed after at most 2 s, alarm by 2.25 s, help called at 4.5 s`
    private static func describe(_ timeline: SOSPlan.Timeline) -> String {
        let limit = timeline.rule.map { " \($0.limit) \($0.kind.coding.displayUnit)" } ?? ""
        let believed =
            timeline.confirmation == .zero ? "at once" : "after at most \(seconds(timeline.confirmation))"
        let begin = "\(timeline.name)\(limit): believed \(believed), alarm by \(seconds(timeline.alarm)), "
        switch (timeline.priority, timeline.notice) {
        case (.high, nil):
            return begin + "help called by \(seconds(timeline.dispatch)), \(promise)"
        case (.high, let notice?):
            return begin
                + "early notice by \(seconds(notice)), help called by \(seconds(timeline.dispatch)), \(promise)"
        case (.medium, _): return begin + "carers told by \(seconds(timeline.dispatch))"
        case (.low, _): return begin + "a note, nobody is called"
        }
    }

    private static var promise: String {
        "\(seconds(Promise.reserve)) in reserve, limit \(seconds(Promise.dispatchLimit))"
    }

    private static func seconds(_ duration: Duration) -> String {
        "\(Double(duration.wholeMilliseconds) / 1_000) s"
    }
}
