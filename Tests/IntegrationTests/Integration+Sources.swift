import Contract
import Foundation
import GatewayModel
import Glibc
import RealTime
import TestSupport
import Testing

extension Integration {
    /// Programs that hand their values to the running gateway.
    @Suite struct Sources {
        /// Directories of two programs: `app`, and `watch`, whose values are judged.
        private struct Programs {
            let scratch: ScratchDirectory
            let inbox: URL
            let watchInbox: URL
            var socket: String { scratch.file("app.sock").path }
            var judgedSocket: String { scratch.file("watch.sock").path }
            var refused: URL { inbox.appending(path: "refused") }

            init() throws {
                scratch = try ScratchDirectory()
                inbox = scratch.file("inbox")
                watchInbox = scratch.file("watch-inbox")
                for folder in [inbox, watchInbox] {
                    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
                }
            }

            var settings: HouseSettings {
                var settings = HouseSettings()
                settings.more = """
                    [[source]]
                    id = "app"
                    person = "maria"
                    kinds = ["body-weight", "heart-rate", "systolic-pressure", "diastolic-pressure"]
                    inbox = "\(inbox.path)"
                    socket = "\(socket)"

                    [[source]]
                    id = "watch"
                    person = "maria"
                    sos = true
                    inbox = "\(watchInbox.path)"
                    socket = "\(judgedSocket)"

                    """
                return settings
            }

            /// Drops a file as a program should: complete, under its name.
            ///
            /// - Parameter folder: nil for the inbox of `app`.
            func drop(_ text: String, as name: String, in folder: URL? = nil) throws {
                let folder = folder ?? inbox
                let hidden = folder.appending(path: "." + name)
                try Data(text.utf8).write(to: hidden)
                try FileManager.default.moveItem(at: hidden, to: folder.appending(path: name))
            }

            /// Names in the inbox, without those of its refused files.
            var waiting: [String] {
                let names = (try? FileManager.default.contentsOfDirectory(atPath: inbox.path)) ?? []
                return names.filter { $0 != "refused" }.sorted()
            }

            func why(_ name: String) -> String? {
                try? String(contentsOf: refused.appending(path: name + ".why"), encoding: .utf8)
            }
        }

        private static func time(_ secondsAgo: Int = 0) -> String {
            WallTime(millisecondsSince1970: Clock.wall().millisecondsSince1970 - Int64(secondsAgo) * 1_000)
                .rfc3339
        }

        private static func weight(_ value: Double, _ secondsAgo: Int = 0) -> String {
            "\(time(secondsAgo)),body-weight,\(value),kg"
        }

        private static func observation(_ value: Double, status: String = "final") -> String {
            #"{"resourceType":"Observation","id":"o-1","status":"\#(status)","code":{"coding":[{"system":"#
                + #""http://loinc.org","code":"29463-7"}]},"subject":{"reference":"Patient/4711"},"#
                + #""effectiveDateTime":"\#(time())","valueQuantity":{"value":\#(value),"#
                + #""system":"http://unitsofmeasure.org","code":"kg"}}"#
        }

        /// The program of docs/integrator/sources.md, word for word.
        private static func program() throws -> String {
            let page = try String(
                contentsOf: Repository.root.appending(path: "docs/integrator/sources.md"), encoding: .utf8)
            let blocks = page.components(separatedBy: "```python\n")
            try #require(blocks.count == 2)
            return try #require(blocks[1].components(separatedBy: "\n```").first)
        }

        /// Hands over lines, and returns their answers.
        /// Whether connections are taken: the file is there a moment before.
        private static func isServed(_ socket: String) async -> Bool {
            await eventually { (try? LocalSocket.connect(to: socket)).map { close($0) } != nil }
        }

        private static func handOver(_ lines: [String], at socket: String) async throws -> [String] {
            #expect(await Self.isServed(socket))
            let answer = try await BuiltProgram.answer(
                of: ["/usr/bin/python3", "-c", try program(), socket] + lines)
            #expect(answer.code == 0, "\(answer)")
            return answer.output.split(separator: "\n").map(String.init)
        }

        @Test func `files of CSV and FHIR arrive once, with their source, and are removed`() async throws {
            let programs = try Programs()
            try await House.with(programs.settings) { house in
                _ = try await house.start()
                let witness = try await house.witness()
                try programs.drop(
                    "time,kind,value,unit,id\n\(Self.weight(68.5, 3_600)),a\n\(Self.time()),body-weight,150,[lb_av],b\n",
                    as: "weights.csv")
                try programs.drop(Self.observation(69.5), as: "one.json")
                let bundle =
                    #"{"resourceType":"Bundle","type":"transaction","entry":[{"resource":\#(Self.observation(70.5))}]}"#
                try programs.drop(bundle, as: "bundle.json")
                try programs.drop(Self.observation(71.5) + "\n" + Self.observation(72.5), as: "two.ndjson")
                for value in [68.5, 68.0389, 69.5, 70.5, 71.5, 72.5] { try await witness.sample(value) }
                let old = try await witness.sample(68.5)
                #expect(old.topic.hasPrefix("trackme/v1/house-12/samples/maria"))
                #expect(old.payload.device == "app" && old.payload.kind == "body-weight")
                #expect(old.payload.unit == "kg" && old.payload.loinc == "29463-7")
                #expect(
                    old.text.contains(#""source":"app""#) && old.text.contains(#""history":true"#),
                    "\(old.text)")
                let new = try await witness.sample(69.5)
                #expect(!new.text.contains("history") && new.text.contains(#""source":"app""#), "\(new.text)")
                #expect(await eventually { programs.waiting.isEmpty })
                #expect(!FileManager.default.fileExists(atPath: programs.refused.path))

                // The same again, in another file.
                let again = try #require(old.payload.time)
                try programs.drop("time,kind,value,unit,id\n\(again),body-weight,68.5,kg,a\n", as: "again.csv")
                #expect(await eventually { programs.waiting.isEmpty })
                try await house.status(showing: "6 readings taken, 1 known already")
                #expect(witness.samples.count == 6)
            }
        }

        @Test func `a kill while a file is taken loses nothing and doubles no id`() async throws {
            let programs = try Programs()
            let count = 450
            try await House.with(programs.settings) { house in
                let witness = try await house.witness()
                let first = try await house.start()
                // Ten minutes ago: history, as an export of some days is.
                let rows = (0..<count).map { "\(Self.time(600)),body-weight,\(50 + Double($0) / 10),kg,\($0)" }
                let text = (["time,kind,value,unit,id"] + rows).joined(separator: "\n") + "\n"
                try programs.drop(text, as: "export.csv")
                try await witness.sample(50)
                await first.daemon.child.killed()
                #expect(programs.waiting == ["export.csv"])
                #expect(witness.distinctSamples.count < count, "the kill came too late to prove anything")

                _ = try await house.start()
                #expect(await eventually { programs.waiting.isEmpty })
                let isComplete = await eventually { witness.distinctSamples.count >= count }
                #expect(isComplete, "\(witness.distinctSamples.count)")
                let values = witness.distinctSamples.compactMap(\.payload.value)
                #expect(values.count == count && Set(values).count == count)
            }
        }

        @Test func `wrong entries and files say why, and cost the others nothing`() async throws {
            let programs = try Programs()
            try await House.with(programs.settings) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try programs.drop(
                    """
                    time,kind,value,unit
                    \(Self.weight(61))
                    \(Self.time()),body-weight,62,lb
                    \(Self.time()),glucose,100,mg/dL
                    \(Self.time(-3_600)),body-weight,63,kg
                    \(Self.weight(64))

                    """, as: "mixed.csv")
                try programs.drop(
                    Self.observation(65).replacingOccurrences(of: "}}", with: ""), as: "half.json")
                try programs.drop("x", as: "page.xml")
                try programs.drop("x", as: "still.csv.part")
                symlink("/etc/passwd", programs.inbox.appending(path: "link.csv").path)
                mkfifo(programs.inbox.appending(path: "pipe.csv").path, 0o600)
                try Data(repeating: 0x20, count: 2 << 20).write(to: programs.inbox.appending(path: "large.csv"))
                for value in [61.0, 64] { try await witness.sample(value) }
                #expect(await eventually { programs.waiting == ["still.csv.part"] }, "\(programs.waiting)")
                let mixed = try #require(programs.why("mixed.csv"))
                #expect(mixed.hasPrefix("3 of 5 entries of mixed.csv were refused"), "\(mixed)")
                for line in [
                    "line 3: saw the unit \"lb\", expected one of \"kg\", \"g\"",
                    "line 4: saw the kind glucose, expected one of body-weight",
                    "line 5: saw a time 3", "expected a time of the past: check the program's clock",
                ] {
                    #expect(mixed.contains(line), "\(mixed)")
                }
                for (name, reason) in [
                    ("half.json", "saw a text that is no JSON of FHIR"),
                    ("page.xml", "saw a file of another kind"),
                    ("link.csv", "saw a symbolic link"), ("pipe.csv", "saw no regular file"),
                    ("large.csv", "saw 2097152 bytes, expected at most 1048576"),
                ] {
                    let why = programs.why(name)
                    #expect(why?.contains(reason) == true, "\(name): \(why ?? "nothing")")
                }
                try await gateway.feed.health("source-refused", true)
                let mark = gateway.feed.mark
                try programs.drop("time,kind,value,unit\n\(Self.weight(66))\n", as: "good.csv")
                try await witness.sample(66)
                try await gateway.feed.health("source-refused", false, after: mark)
                #expect(witness.samples.compactMap(\.payload.value) == [61, 64, 66])
            }
        }

        /// Largest memory that the process has had, in KB.
        private static func peak(of process: pid_t) throws -> Int {
            let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
            return try #require(Int(line.split(separator: " ")[1]))
        }

        @Test func `the flood of one program neither stops the file of another one nor fills the memory`()
            async throws
        {
            let programs = try Programs()
            try await House.with(programs.settings) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                let child = gateway.daemon.child
                let before = try Self.peak(of: child.processID)
                let heading = "time,kind,value,unit,id\n"
                let numbers = String(repeating: "1\n", count: 500_000)
                try programs.drop(heading + numbers, as: "a.csv")
                let list = String(repeating: "1,", count: 500_000) + "1"
                try programs.drop(
                    #"{"resourceType":"Bundle","type":"batch","entry":[\#(list)]}"#, as: "b.json")
                try programs.drop(heading + String(repeating: "1\n", count: 20_000), as: "c.csv")
                // Ten minutes ago: history. It takes minutes.
                let rows = (0..<15_000).map { "\(Self.time(600)),body-weight,70,kg,\($0)" }
                try programs.drop(heading + rows.joined(separator: "\n"), as: "d.csv")
                #expect(await eventually { !programs.waiting.contains("c.csv") }, "\(programs.waiting)")
                try await witness.sample(70)

                let start = ContinuousClock.now
                let other = (0..<20).map { "\(Self.time(600)),body-weight,\(71 + $0),kg,\($0)" }
                try programs.drop(
                    heading + other.joined(separator: "\n"), as: "other.csv", in: programs.watchInbox)
                // Removed: its readings are on the disk. The broker gets them after those of the flood.
                let isTaken = await eventually {
                    access(programs.watchInbox.appending(path: "other.csv").path, F_OK) != 0
                }
                let taken = start.duration(to: .now)
                #expect(isTaken)
                #expect(taken < .seconds(15), "\(taken)")
                #expect(programs.waiting == ["d.csv"], "the flood is over, and this proves nothing")
                for (name, reason) in [
                    ("a.csv", "a.csv: saw 500001 lines, expected at most 20001 in a file: divide it into"),
                    ("b.json", "b.json: saw 65537 values and more, expected at most 65536"),
                    ("c.csv", "20000 of 20000 entries of c.csv were refused"),
                ] {
                    let why = programs.why(name)
                    #expect(why?.contains(reason) == true, "\(name): \(why ?? "nothing")")
                }
                let more = try Self.peak(of: child.processID) - before
                #expect(more < 48_000, "\(more) KB")
            }
        }

        @Test func `lines at the socket are answered when they are kept, the same line with the same id`()
            async throws
        {
            let programs = try Programs()
            try await House.with(programs.settings) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                let lines = [
                    Self.weight(61), Self.observation(62),
                    Self.weight(63).replacingOccurrences(of: "kg", with: "lb"),
                    Self.weight(1_000),
                ]
                let answers = try await Self.handOver(lines + [lines[0]], at: programs.socket)
                try #require(answers.count == 5)
                let id = try #require(try await witness.sample(61).payload.id)
                #expect(answers[0] == #"{"ok": ["\#(id)"]}"# && answers[4] == answers[0])
                #expect(answers[1] == #"{"ok": ["\#(try await witness.sample(62).payload.id ?? "")"]}"#)
                #expect(
                    answers[2].hasPrefix(#"{"refused": "saw the unit \"lb\", expected one of"#), "\(answers)")
                #expect(answers[3].contains("expected 2.0 to 300.0 kg"), "\(answers)")
                #expect(witness.samples.count == 2)

                // Answered is kept: a kill right after it loses nothing.
                let more = (0..<20).map { Self.weight(70 + Double($0)) }
                #expect(try await Self.handOver(more, at: programs.socket).count == 20)
                await gateway.daemon.child.killed()
                _ = try await house.start()
                for number in 0..<20 { try await witness.sample(70 + Double(number)) }
                #expect(witness.distinctSamples.count == 22)
            }
        }

        @Test func `hostile programs at the socket hurt nobody else`() async throws {
            let programs = try Programs()
            try await House.with(programs.settings) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                // Silent ones, half lines, and one that never reads its answers.
                #expect(await Self.isServed(programs.socket))
                var open: [Int32] = []
                defer { for descriptor in open { close(descriptor) } }
                for _ in 0..<12 {
                    let descriptor = try LocalSocket.connect(to: programs.socket)
                    _ = "2026".withCString { send(descriptor, $0, 4, Int32(MSG_NOSIGNAL)) }
                    open.append(descriptor)
                }
                let long = [UInt8](repeating: UInt8(ascii: "x"), count: 40_000)
                let flood = Array(String(repeating: "no entry\n", count: 20_000).utf8)
                for bytes in [long, flood] {
                    let descriptor = try LocalSocket.connect(to: programs.socket)
                    open.append(descriptor)
                    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
                    _ = bytes.withUnsafeBytes {
                        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                    }
                }
                let answers = try await Self.handOver([Self.weight(61)], at: programs.socket)
                #expect(answers.first?.hasPrefix(#"{"ok""#) == true, "\(answers)")
                try await witness.sample(61)
                // The others of the house go on.
                try await house.rig.subscribed()
                try await house.rig.send(150)
                try await gateway.alarm()
                let call = try await witness.call("confirmed")
                #expect(call.payload.cause?.value == 150)
            }
        }

        @Test func `values raise no alarm, unless the settings let the program's be judged, and history never`()
            async throws
        {
            let programs = try Programs()
            try await House.with(programs.settings) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                func rate(_ value: Int, _ secondsAgo: Int = 0) -> String {
                    "\(Self.time(secondsAgo)),heart-rate,\(value),/min"
                }
                _ = try await Self.handOver([rate(190)], at: programs.socket)
                _ = try await Self.handOver([rate(191, 600)], at: programs.judgedSocket)
                try programs.drop("time,kind,value,unit\n\(rate(192))\n", as: "rates.csv")
                for value in [190.0, 191, 192] { try await witness.sample(value) }
                _ = try await Self.handOver([rate(193)], at: programs.judgedSocket)
                let call = try await witness.call("confirmed")
                #expect(call.payload.cause?.value == 193)
                try await gateway.feed.first("crossing")
                let crossings = gateway.feed.lines.values.filter { $0.event == "crossing" }
                #expect(crossings.count == 1)
            }
        }

        @Test func `nothing leaves of a person who has not accepted, and the history has it`() async throws {
            let programs = try Programs()
            var settings = programs.settings
            settings.residents[0].dataPolicy = false
            try await House.with(settings) { house in
                _ = try await house.start()
                let witness = try await house.witness()
                try programs.drop("time,kind,value,unit\n\(Self.weight(61))\n", as: "one.csv")
                #expect(await eventually { programs.waiting.isEmpty })
                let shown = try await house.command(
                    "history", "--person", "maria", "--kind", "body-weight", "--resolution", "raw")
                #expect(shown.output.contains("61"), "\(shown)")
                #expect(witness.samples.isEmpty)
            }
        }

        @Test func `a source that a reload adds is served, and its files are in the export and erased`()
            async throws
        {
            let programs = try Programs()
            var settings = programs.settings
            let sections = settings.more
            settings.more = ""
            try await House.with(settings) { house in
                _ = try await house.start()
                let file = house.scratch.file("gateway.toml")
                let text = try String(contentsOf: file, encoding: .utf8)
                try house.replaceSettings(with: text + sections)
                let reload = try await house.command("reload")
                #expect(reload.output.contains("source app: added"), "\(reload)")
                #expect(await Self.isServed(programs.socket))
                try await house.status(showing: "source app of maria: nothing has come since the start")
                try await house.status(showing: "source watch of maria, judged")

                try programs.drop(
                    "time,kind,value,unit\n\(Self.time()),body-weight,marker-61,kg\n", as: "m.csv")
                #expect(await eventually { programs.why("m.csv") != nil && programs.waiting.isEmpty })
                try Data("marker-62".utf8).write(to: programs.inbox.appending(path: "next.csv.tmp"))
                try Data("marker-63".utf8).write(to: programs.inbox.appending(path: ".hidden"))
                let folder = house.scratch.file("mine")
                let export = try await house.command(
                    "my-data", "export", "--person", "maria", "--to", folder.path)
                #expect(export.code == 0, "\(export)")
                let inbox = try String(contentsOf: folder.appending(path: "inbox.json"), encoding: .utf8)
                #expect(["marker-61", "marker-62", "marker-63"].allSatisfy(inbox.contains), "\(inbox)")
                let erased = try await house.command("my-data", "erase", "--person", "maria", "--yes")
                #expect(erased.code == 0 && erased.output.contains("inbox of app: 4 files erased"), "\(erased)")
                #expect(programs.waiting.isEmpty && programs.why("m.csv") == nil)

                try house.replaceSettings(with: text)
                _ = try await house.command("reload")
                #expect(await eventually { access(programs.socket, F_OK) != 0 })
            }
        }
    }
}
