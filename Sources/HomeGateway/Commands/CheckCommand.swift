import ArgumentParser
import SOSLocal
import Settings

/// `homegateway check`
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check the settings, show when help would be called, and try what the gateway needs.",
        discussion: """
            Every mistake in the settings is reported at once, with its line. Then
            the time line of each rule, and whether Bluetooth, gpsd, the broker and
            every channel can be reached from here; nobody is called. With sudo, what
            is installed is looked at as the service's user, who may read less than root.

            Exit code: 0 all is well, 78 the settings are wrong, 69 they are right
            but something that the gateway needs cannot be reached.
            """)

    @Argument(help: ArgumentHelp("The settings file; the same as --config.", valueName: "file"))
    var path: String?

    @OptionGroup var file: SettingsOption

    @OptionGroup var eyes: EyesOption

    @Flag(name: .long, help: "Only the settings file; try nothing.")
    var offline = false

    func run() async throws {
        var file = file
        if let path { file.config = path }
        try eyes.open(for: file.config)
        let settings = try file.load()
        print("\(file.config): the settings are right")
        for person in settings.persons { Self.describe(person, of: settings) }
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

    private static func describe(_ person: GatewaySettings.Person, of settings: GatewaySettings) {
        print(
            "\n\(person.id): data policy \(person.dataPolicy.rawValue), AutomatedSOS \(person.automatedSOS.rawValue)"
        )
        if person.automatedSOS != .accepted {
            print(
                "  alarms sound in the house only: nobody is called before the AutomatedSOS terms are accepted")
        }
        let commanded = CommandedSettings(peekingAt: settings.gateway.stateDirectory)
        let plan = person.plan.with(rules: commanded.rules(of: person.plan))
        for line in PlanTable(plan: plan).lines + commanded.lines(of: person.plan) { print("  \(line)") }
        let cancels = CancelTable(
            person: person, wearables: settings.wearables, button: settings.house.button)
        print("  \(cancels.line)")
    }
}
