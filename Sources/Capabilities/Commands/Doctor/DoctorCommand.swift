import ArgumentParser
import ControlContract
import ControlLink
import ControlSocket
import GatewayModel
import Hub
import RealTime
import Settings
import SettingsReading

/// `homegateway doctor`
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Try everything that the house needs, and say whether you may leave.",
        discussion: """
            For the end of an installation, with the gateway running. It judges the
            settings, and tries Bluetooth, gpsd, the broker with its name, password and
            topics, the sound, every channel without calling help, the clock, the power,
            the disk, the place of each file, and the certificates. It asks the gateway for open alarms and
            problems. Then it counts for a minute how often each wearable is heard: put
            every wearable on, press every button once, and measure once with every cuff.
            The first press of each help button in this time is a test, and calls no help.

            Each problem has its remedy. Run it again until it says that you may leave.

            Exit code: 0 you may leave; 78 the settings are wrong; 69 there are problems.
            """)

    /// Seconds of the count: most wearables are heard each second, some tags once in ten.
    static let listening = 5...600

    @OptionGroup var file: SettingsOption

    @Option(
        name: .long,
        help: ArgumentHelp("The gateway's control socket. Default: the one of the settings.", valueName: "file")
    )
    var socket: String?

    @OptionGroup var eyes: RunAsUserOption

    @Option(help: "Seconds in which each wearable has to be heard, 5 to 600.")
    var seconds = 60

    @OptionGroup var format: JSONOption

    func validate() throws {
        guard Self.listening.contains(seconds) else {
            throw ValidationError(
                "--seconds: saw \(seconds), expected \(Self.listening.lowerBound) to \(Self.listening.upperBound)."
            )
        }
    }

    func run() async throws {
        try eyes.open(for: file.config)
        var report = CheckReport(started: Clock.wall().millisecondsSince1970)
        func add(_ findings: [CheckReport.Finding]) {
            report.findings += findings
            guard !format.json else { return }
            for line in findings.flatMap(\.lines) { Shown.line(line) }
        }
        let settings: GatewaySettings
        do throws(SettingsError) {
            settings = try GatewaySettings.load(path: file.config)
        } catch {
            add(CheckFindings.mistakes(in: file.config))
            try end(&report)
            throw ExitCode.settingsWrong
        }
        add(
            CheckFindings.advice(
                on: settings, in: file.config, await KnownAbilities.all(of: settings, asksBluetooth: true)))
        for probe in Probe.all(for: settings, of: file.config, withBox: true) {
            add([CheckFindings.finding(of: await probe.run(), probe.title)])
        }
        if !format.json {
            Shown.line("")
            Shown.line(
                "Listening for \(seconds) s: wear each wearable, press each button once, measure once with each cuff. "
                    + "Wait with the buttons until the house says that it is a test."
            )
        }
        add(
            await Self.limited(by: .seconds(seconds + 20)) {
                try house(GatewaySocket(named: socket, settings: file.config))
            })
        try end(&report)
        guard report.problems == 0 else { throw ExitCode.unavailable }
    }

    private func end(_ report: inout CheckReport) throws {
        report.finished = Clock.wall().millisecondsSince1970
        if format.json { return try format.show(report) }
        Shown.line("")
        Shown.line(report.verdict)
    }

    /// Runs blocking work on a thread of its own.
    private static func limited(
        by limit: Duration, _ body: @escaping @Sendable () throws -> [CheckReport.Finding]
    ) async -> [CheckReport.Finding] {
        @Sendable func failed(_ reason: String) -> [CheckReport.Finding] {
            [
                CheckReport.Finding(
                    .problem, part: "gateway", seen: reason,
                    remedy: "sudo systemctl start homegateway, and see: journalctl -u homegateway")
            ]
        }
        let findings: [CheckReport.Finding]? = await withTimeout(limit) { answer in
            do throws(SystemCallError) {
                _ = try NamedThread("doctor") {
                    do { answer(try body()) } catch { answer(failed("\(error)")) }
                }
            } catch {
                answer(failed("\(error)"))
            }
        }
        return findings ?? failed("no state within \(limit.components.seconds) s")
    }

    /// Alarms and conditions of the running gateway, and the reception of its wearables. Blocks for the time of the count.
    private func house(_ place: GatewaySocket) throws -> [CheckReport.Finding] {
        var client = try place.client(limit: .seconds(5))
        try client.send(Verb.Follow())
        let begin = Clock.boot()
        var count = ReceptionCount(from: begin)
        var last: HouseSnapshot?
        var tests: [CheckReport.Finding] = []
        while begin.duration(to: Clock.boot()) < .seconds(seconds) {
            guard let line = try client.nextLine() else { throw ControlError("the gateway has stopped") }
            guard let house = try? ControlJSON.decode(HouseSnapshot.self, from: line) else {
                throw ControlError("the gateway is of another version and gives no state for programs")
            }
            if last == nil { tests = Self.testButtons(of: house, at: place) }
            count.take(house.devices, at: Clock.boot())
            last = house
        }
        return (last?.findings ?? []) + tests + count.findings
    }

    /// Lets the presses of the count be tests. A button whose test was refused must not be pressed.
    private static func testButtons(of house: HouseSnapshot, at place: GatewaySocket) -> [CheckReport.Finding] {
        Set(house.buttons.filter(\.callsHelp).map(\.person)).sorted().compactMap {
            person -> CheckReport.Finding? in
            func refused(_ reason: String) -> CheckReport.Finding {
                CheckReport.Finding(
                    .problem, part: "help buttons of \(person)",
                    seen: "no test was begun, and a press calls help: \(reason)",
                    remedy: "homegateway test-button --person \(person)")
            }
            do {
                var client = try place.client(limit: .seconds(5))
                let reply = try client.ask(
                    try Verb.TestButton(person: person, by: AccountName.current))
                return reply.isDone ? nil : refused(reply.lines.joined(separator: "; "))
            } catch {
                return refused("\(error)")
            }
        }
    }
}

extension HouseSnapshot {
    /// Open alarms and conditions.
    var findings: [CheckReport.Finding] {
        // The press of a button in its test is over by itself.
        let open = alarms.filter { !$0.isDrill || $0.device == nil }.map { _ in
            CheckReport.Finding(
                .problem, part: "gateway", seen: "an alarm is open",
                remedy: "see which: homegateway status; end it: homegateway resolve, or abort")
        }
        let held = conditions.map { condition in
            CheckReport.Finding(
                condition.severity == HealthCode.Severity.notice.rawValue ? .advice : .problem,
                part: condition.subject.map { "gateway, \($0)" } ?? "gateway",
                seen: [condition.title, condition.reason].compactMap(\.self).joined(separator: ": "),
                remedy: condition.remedy)
        }
        return open.isEmpty && held.isEmpty
            ? [CheckReport.Finding(.ok, part: "gateway", seen: summary)] : open + held
    }
}

extension CheckReport {
    /// Last line for people.
    var verdict: String {
        switch problems {
        case 0: "All is well. You may leave."
        case 1: "Not yet: 1 problem is left. Mend it, and run this again."
        default: "Not yet: \(problems) problems are left. Mend them, and run this again."
        }
    }
}

extension CheckReport.Finding {
    /// For people: the observation, and below it the remedy.
    var lines: [String] {
        let mark =
            switch severity {
            case .ok: "ok      "
            case .advice: "ADVICE  "
            case .problem: "PROBLEM "
            }
        let place = [file.map { file in line.map { "\(file):\($0)" } ?? file }, key].compactMap(\.self)
        let title = ([part] + place).joined(separator: ", ")
        let wanted = expected.map { ", expected \($0)" } ?? ""
        return ["\(mark)\(title): \(seen)\(wanted)"] + (remedy.map { ["        \($0)"] } ?? [])
    }
}
