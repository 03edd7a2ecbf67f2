import Foundation
import GRDB
import GatewayModel
import ModelSamples
import RealTime
import RunBeacon
import Samples
import SettingsSamples
import TestSupport
import Testing
import Vault

extension House {
    /// Waits for the row that says which correction was sent last.
    fileprivate func sentCorrection(of run: String, is number: Int) async throws {
        let database = try DatabaseQueue(path: scratch.file("state/state.sqlite").path)
        let isThere = try await eventually(within: patience) {
            try await database.read { db in
                try Int.fetchOne(
                    db, sql: "SELECT CAST(content AS TEXT) ->> 'number' FROM sent_correction WHERE key = ?",
                    arguments: [run])
            } == number
        }
        guard isThere else { throw Missing(description: "correction \(number) of \(run) in sent_correction") }
    }
}

extension Integration {
    @Suite struct Runs {
        private static func settings(_ cloud: Cloud, _ sample: RunSample) -> HouseSettings {
            HouseSettings(more: cloud.sections() + "\n[race]\nruns_directory = \"\(sample.folder.path)\"\n")
        }

        /// Underway since a day, for a day.
        private static func text(_ participants: String = RunSample.participant) -> String {
            let now = Date()
            func time(_ days: Double) -> String {
                now.addingTimeInterval(days * 86_400).formatted(Date.ISO8601FormatStyle())
            }
            return RunSample.text(participants: participants)
                .replacing("2026-05-10T09:00:00+02:00", with: time(-1))
                .replacing("2026-05-10T12:00:00+02:00", with: time(1))
        }

        @Test func `runs come from files and from commands, and outlive a kill`() async throws {
            let cloud = try Cloud()
            let sample = try RunSample()
            try sample.write(Self.text(), to: "milan.toml")
            try await House.with(Self.settings(cloud, sample)) { house in
                let first = try await house.start()
                let witness = try await house.witness()
                try await house.subscribedToCommands(first)
                let listed = try await house.command("runs", "list")
                #expect(listed.code == 0 && listed.output.contains("milan  underway"), "\(listed)")

                let create =
                    #"{"type":"run-create","run":"rome","title":"Rome","end":"2099-05-10T12:00:00Z","#
                    + #""waves":[{"id":"all","start":"2099-05-10T09:00:00Z"}],"#
                    + #""checkpoints":[{"id":"finish","distances_m":[5000],"finish":true}],"#
                    + #""participants":[{"bib":5,"tags":["ibeacon:fda50693-a4e2-4fb1-afcf-c6eb07647825/1/5"]}]}"#
                let created = try await cloud.ask(create, of: witness)
                #expect(created.result == "done" && created.detail == "rome: idle, 1 runners", "\(created)")
                let enrolled = try await cloud.ask(
                    #"{"type":"run-enrol","run":"milan","participants":[{"bib":18,"tags":["C0:FF:EE:00:00:12"]}]}"#,
                    of: witness)
                #expect(enrolled.detail == "milan: underway, 2 runners", "\(enrolled)")
                let left = try await cloud.ask(#"{"type":"run-leave","run":"milan","bibs":[17]}"#, of: witness)
                #expect(left.result == "done" && left.detail == "milan: underway, 1 runners", "\(left)")
                for (command, reason) in [
                    (#"{"type":"run-cancel","run":"turin"}"#, "unknown-run"),
                    (#"{"type":"run-leave","run":"milan","bibs":[99]}"#, "not-enrolled"),
                    (create.replacing("\"Rome\"", with: "\"Another\""), "run-exists"),
                    (
                        #"{"type":"run-enrol","run":"milan","participants":[{"bib":19,"tags":["C0:FF:EE:00:00:12"]}]}"#,
                        "wrong-run"
                    ),
                    (
                        #"{"type":"run-enrol","run":"milan","participants":[{"bib":19,"wave":"x"}]}"#,
                        "wrong-run"
                    ),
                    (#"{"type":"run-leave","run":"milan","bibs":[]}"#, "wrong-value"),
                ] {
                    let refused = try await cloud.ask(command, of: witness)
                    #expect(refused.result == "refused" && refused.reason == reason, "\(refused)")
                }
                let cancelled = try await cloud.ask(#"{"type":"run-cancel","run":"rome"}"#, of: witness)
                #expect(cancelled.detail == "rome: cancelled, 1 runners", "\(cancelled)")
                await first.daemon.child.killed()

                let offline = try await house.command("runs", "show", "milan")
                #expect(offline.errors.contains("no gateway answers"), "\(offline)")
                #expect(offline.output.contains("have left"), "\(offline)")
                let second = try await house.start()
                try await house.subscribedToCommands(second)
                let again = try await house.command("runs", "list")
                #expect(
                    again.output.contains("rome   cancelled") && again.output.contains("milan  underway"),
                    "\(again)")
                let shown = try await house.command("runs", "show", "milan", "--runners")
                #expect(shown.output.contains("\n18 ") && !shown.output.contains("\n17 "), "\(shown)")
            }
        }

        @Test func `a run's course is read from the GPX file beside it, and judged with it`() async throws {
            let sample = try RunSample()
            func write(_ points: String) throws {
                try sample.write(
                    "<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>"
                        + points + "</trkseg></trk></gpx>", to: "milan.gpx")
            }
            let run = try sample.write(RunSample.text(head: "course = \"milan.gpx\""), to: "milan.toml")
            try write("<trkpt lat=\"45.46\" lon=\"9.18\"/><trkpt lat=\"45.461\" lon=\"9.181\"/>")
            let sound = try await BuiltProgram.run(["runs", "check", run])
            #expect(sound.code == 0 && sound.output.contains("the run is right"), "\(sound)")
            try write("<trkpt lat=\"95\" lon=\"9.18\"/>")
            let wrong = try await BuiltProgram.run(["runs", "check", run])
            #expect(wrong.code == 78 && wrong.errors.contains("milan.toml:4: course: "), "\(wrong)")
        }

        @Test func `the course of a run comes by command until the run begins, and outlives a kill`()
            async throws
        {
            let cloud = try Cloud()
            let sample = try RunSample()
            try sample.write(Self.text(), to: "milan.toml")
            try await House.with(Self.settings(cloud, sample)) { house in
                let first = try await house.start()
                let witness = try await house.witness()
                try await house.subscribedToCommands(first)
                func create(_ line: String) -> String {
                    #"{"type":"run-create","run":"rome","title":"Rome","end":"2099-05-10T12:00:00Z","#
                        + #""waves":[{"id":"all","start":"2099-05-10T09:00:00Z"}],"#
                        + #""checkpoints":[{"id":"finish","distances_m":[5000],"finish":true}],"#
                        + #""course":{"polyline":"\#(line)"}}"#
                }
                func change(_ run: String, _ line: String) -> String {
                    #"{"type":"run-change","run":"\#(run)","course":{"polyline":"\#(line)"}}"#
                }
                // As large as a command can be: 5,600 points, signed.
                let long = "owntGo|aw@" + String(repeating: "A?", count: 5_600)
                for (command, detail) in [
                    (create("owntGo|aw@_D_D"), "rome: idle, 0 runners"),
                    (change("rome", "owntGo|aw@_D_D"), "it is so already"),
                    (change("rome", long), "rome: idle, 0 runners"),
                    (change("rome", "owntGo|aw@R_Dsb@ox@"), "rome: idle, 0 runners"),
                ] {
                    let done = try await cloud.ask(command, of: witness)
                    #expect(done.result == "done" && done.detail == detail, "\(done)")
                }
                for (command, reason) in [
                    (change("milan", "owntGo|aw@_D_D"), "run-begun"),
                    (change("rome", "owntGo|aw@"), "wrong-value"),
                    (change("rome", "_p~iF~ps|U_ulLnnqC"), "wrong-value"),
                ] {
                    let refused = try await cloud.ask(command, of: witness)
                    #expect(refused.result == "refused" && refused.reason == reason, "\(refused)")
                }
                await first.daemon.child.killed()
                let second = try await house.start()
                try await house.subscribedToCommands(second)
                let same = try await cloud.ask(change("rome", "owntGo|aw@R_Dsb@ox@"), of: witness)
                #expect(same.result == "done" && same.detail == "it is so already", "\(same)")
                let offline = try await house.command("runs", "list")
                #expect(offline.output.contains("rome"), "\(offline)")
            }
        }

        @Test
        func
            `a correction reaches the broker once, over a kill before the outbox had it, and no leaver's does`()
            async throws
        {
            let cloud = try Cloud()
            let sample = try RunSample()
            try sample.write(
                Self.text(
                    RunSample.participant + "\n[[participants]]\nbib = 18\ntags = [\"C0:FF:EE:00:00:12\"]"),
                to: "milan.toml")
            try await House.with(Self.settings(cloud, sample)) { house in
                let state = house.scratch.file("state").path
                let first = try await house.start()
                let witness = try await house.witness()
                try await house.subscribedToCommands(first)
                func correction(_ number: Int) async throws -> WireMessage {
                    try await witness.first("correction \(number)") {
                        $0.topic.hasSuffix("/runs/milan/corrections")
                            && $0.text.contains("\"number\":\(number),")
                    }
                }
                let done = try await house.command(
                    "race", "correct", "--run", "milan", "--bib", "17", "--mark", "dnf", "--by", "Anna",
                    "--reason", "Maria fell")
                #expect(done.code == 0, "\(done)")
                let sent = try await correction(1)
                #expect(sent.text.contains(#""act":"dnf","bib":17"#), "\(sent)")
                #expect(!sent.text.contains("Maria") && !sent.text.contains("Anna"), "\(sent)")
                let left = try await cloud.ask(#"{"type":"run-leave","run":"milan","bibs":[18]}"#, of: witness)
                #expect(left.result == "done", "\(left)")
                await first.daemon.child.killed()

                // As if the kill had come between the log and the outbox: a runner, one who has left, and a run that
                // the box does not know.
                var (log, _) = try CorrectionLog.open(in: state)
                for (number, run, bib) in [(2, "milan", 17), (3, "milan", 18), (1, "rome", 5)] {
                    try log.append(
                        RaceCorrection(
                            number: number, run: RunID(sample: run), bib: try #require(Bib(bib)),
                            act: .mark(.disqualified), by: "Anna", at: Clock.wall(), reason: "short cut"))
                }
                let second = try await house.start()
                let late = try await correction(2)
                #expect(late.text.contains(#""act":"dsq""#), "\(late)")
                // The outbox has its message before its row is written.
                try await house.sentCorrection(of: "milan", is: 3)
                await second.daemon.child.killed()

                _ = try await house.start()
                let again = try await house.command(
                    "race", "correct", "--run", "milan", "--bib", "17", "--undo", "2", "--by", "Anna",
                    "--reason", "wrong bib")
                #expect(again.code == 0, "\(again)")
                _ = try await correction(4)
                let all = witness.messages.filter { $0.topic.hasSuffix("/corrections") }
                #expect(Set(all.compactMap(\.payload.id)).count == 3, "\(all)")
                #expect(!all.contains { $0.text.contains("rome") || $0.text.contains(#""bib":18"#) }, "\(all)")
            }
        }

        @Test func `what is likely not meant by a run's dates, or by a file's name, is told`() async throws {
            let sample = try RunSample()
            func warnings(_ text: String) async throws -> [Substring] {
                let answer = try await BuiltProgram.run([
                    "runs", "check", try sample.write(text, to: "milan.toml"),
                ])
                #expect(answer.code == 0, "\(answer)")
                return answer.errors.split(separator: "\n")
            }
            #expect(try await warnings(Self.text()).isEmpty)
            let over = try await warnings(RunSample.text())
            #expect(over.map { $0.prefix(16) } == ["milan: ended at "], "\(over)")
            let years = try await warnings(RunSample.text().replacing("2026-05-10T12", with: "3026-05-10T12"))
            #expect(years.map { $0.prefix(19) } == ["milan: lasts 365242"], "\(years)")

            try sample.write(Self.text(), to: "rome.toml.txt")
            try sample.write(Self.text(), to: "turin.TOML")
            let settings = HouseSettings(more: "\n[race]\nruns_directory = \"\(sample.folder.path)\"\n")
            try await House.with(settings) { house in
                let check = try await house.command("runs", "check")
                for name in ["rome.toml.txt", "turin.TOML"] {
                    #expect(check.errors.contains("\(name): is ignored: "), "\(check)")
                }
            }
        }

        @Test func `a wrong file is told, changes nothing that runs, and stops no start`() async throws {
            let cloud = try Cloud()
            let sample = try RunSample()
            try sample.write(Self.text(), to: "milan.toml")
            try await House.with(Self.settings(cloud, sample)) { house in
                let first = try await house.start()
                try sample.write(Self.text().replacing("bib = 17", with: "bib = 0"), to: "milan.toml")
                let unknown = try await house.command("race", "self-test", "key-file:99.key")
                #expect(
                    unknown.code == 1
                        && unknown.errors.contains("no run of this box has a tag key-file:99.key"),
                    "\(unknown)")
                let refused = try await house.command("runs", "reload")
                #expect(
                    refused.code == 1 && refused.errors.contains("milan.toml:13: participants.bib: saw 0"),
                    "\(refused)")
                try sample.write(
                    Self.text(RunSample.participant + "\nperson = \"mario\""), to: "milan.toml")
                let doubtful = try await house.command("runs", "check")
                #expect(
                    doubtful.code == 0
                        && doubtful.errors.contains("bib 17 is person \"mario\", who is none of"),
                    "\(doubtful)")
                try sample.write(
                    Self.text(RunSample.participant + "\nperson = \"maria\""), to: "milan.toml")
                let known = try await house.command("runs", "check")
                #expect(known.code == 0 && !known.errors.contains("is person"), "\(known)")
                try sample.write(Self.text().replacing("bib = 17", with: "bib = 0"), to: "milan.toml")
                let check = try await house.command("runs", "check")
                #expect(check.code == 78 && check.errors.contains("expected a bib, 1 to 99999"), "\(check)")
                let needs = try await house.command("check")
                #expect(needs.output.contains("PROBLEM  run files"), "\(needs)")
                try await house.status(showing: "A run file is wrong")
                let listed = try await house.command("runs", "list")
                #expect(listed.output.contains("milan  underway"), "\(listed)")
                _ = try await first.daemon.terminate()

                let second = try await house.start()
                try await house.status(showing: "A run file is wrong")
                try sample.write(Self.text(), to: "milan.toml")
                let taken = try await house.command("runs", "reload")
                #expect(taken.code == 0 && taken.output.contains("milan  underway"), "\(taken)")
                let status = try await house.command("status")
                #expect(!status.output.contains("A run file is wrong"), "\(status)")
                _ = try await second.daemon.terminate()
            }
        }

        @Test func `watch tells the time by the clocks of the house`() async throws {
            try await House.with(HouseSettings()) { house in
                _ = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                // Five and a half hours east of UTC.
                let watch = try TiedChild(
                    [BuiltProgram.homegateway] + house.words("watch"), environment: ["TZ": "XXX-5:30"])
                for pulse in 60..<120 where watch.output.values.isEmpty {
                    try await house.rig.send(hex: "00" + String(pulse, radix: 16))
                    _ = try await witness.sample(Double(pulse))
                }
                let shown = try #require(watch.output.values.first).prefix(5)
                let minutes = [0.0, -60].map { Date().addingTimeInterval(5.5 * 3_600 + $0) }
                #expect(
                    minutes.map { $0.formatted(.iso8601).dropFirst(11).prefix(5) }.contains(shown), "\(shown)")
            }
        }

        @Test
        func `who was granted a runner's pulse sees it beside the times, and from the withdrawal on nothing`()
            async throws
        {
            let sample = try RunSample()
            try sample.write(Self.text(RunSample.participant + "\nperson = \"maria\""), to: "milan.toml")
            let settings = HouseSettings(more: "\n[race]\nruns_directory = \"\(sample.folder.path)\"\n")
            try await House.with(settings) { house in
                try Sharing.ask(house, ConsentSample.request("pulse"))
                _ = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                // 152 bpm, 1240 kJ: flags, pulse, energy expended.
                try await house.rig.send(hex: "0898d804")
                try await witness.sample(152)
                let ask = ["standings", "--run", "milan", "--bib", "17", "--as", "clinic"]
                let before = try await house.command(ask)
                #expect(
                    before.code == 0 && before.output.contains("request pulse waits for an answer"), "\(before)"
                )
                let accepted = try await house.command(["consent", "accept", "pulse"])
                #expect(accepted.code == 0, "\(accepted)")
                let granted = try await house.command(ask)
                #expect(granted.output.contains("Heart rate: 152 bpm"), "\(granted)")
                #expect(
                    granted.output.contains("Energy expended: not shown: clinic has not asked"), "\(granted)")
                let json = try await house.command(ask + ["--json"])
                #expect(
                    json.output.contains(#""kind":"heart-rate""#) && json.output.contains(#""bib":17"#),
                    "\(json)")
                let withdrawn = try await house.command(["consent", "withdraw", "pulse"])
                #expect(withdrawn.code == 0, "\(withdrawn)")
                let after = try await house.command(ask)
                #expect(!after.output.contains("152"), "\(after)")
            }
        }
    }
}
