import Foundation
import GatewayModel
import ModelSamples
import RunBeacon
import RunFiles
import SettingsReading
import SettingsSamples
import Testing

@Suite struct RunFileTests {
    @Test func `a run file is the run it says`() throws {
        let sample = try RunSample()
        try sample.write(
            """
            id = "milan"
            title = "Milan 10K"
            end = "2026-05-10T12:00:00+02:00"
            course = "milan.gpx"

            [[waves]]
            id = "fast"
            start = "2026-05-10T09:00:00+02:00"

            [[waves]]
            id = "late"
            start = "2026-05-10T07:10:00.250Z"

            [[checkpoints]]
            id = "start"
            distances_m = [0]
            box = "house-12"

            [[checkpoints]]
            id = "bridge"
            distances_m = [2500, 7500.5]
            minimum_split_s = 240
            box = "house-13"

            [[checkpoints]]
            id = "finish"
            distances_m = [10000]
            finish = true

            [[participants]]
            bib = 17
            name = "Anna Bianchi"
            category = "w40"
            wave = "late"
            tags = ["C0:FF:EE:00:00:01", "key-file:17.key"]
            person = "anna"

            [[participants]]
            bib = 3
            wave = "fast"
            tags = ["eddystone:edd1ebeac04e5defa017/00000000000a"]

            """, to: "milan.toml")
        try sample.write("00112233445566778899AABBCCDDEEFF\n", to: "17.key")
        let course = try #require(
            Course(
                [
                    Coordinates(latitude: 45.46, longitude: 9.18),
                    Coordinates(latitude: 45.47, longitude: 9.19),
                ].compactMap(\.self)))
        let file = try sample.read(course: course)
        let run = file.run
        // A degree of latitude is 111 km.
        #expect(file.warnings.count == 1 && file.warnings[0].message.hasPrefix("is 13"), "\(file.warnings)")
        #expect(file.warnings[0].message.contains("the farthest checkpoint is at 10000 m"))
        #expect(run.id.text == "milan" && run.title == "Milan 10K" && run.course == course)
        #expect(run.start == WallTime(rfc3339: "2026-05-10T07:00:00Z"))
        #expect(run.end == WallTime(rfc3339: "2026-05-10T10:00:00Z"))
        #expect(run.wave(WaveID(sample: "late"))?.start == WallTime(rfc3339: "2026-05-10T07:10:00.250Z"))
        #expect(run.checkpoints.map { $0.rule(forOrder: 1) } == [.last, .best, .first])
        #expect(run.checkpoints.map(\.distances) == [[0], [2_500, 7_500.5], [10_000]])
        #expect(run.checkpoints.map(\.minimumSplit) == [.zero, .seconds(240), .zero])
        #expect(run.checkpoints.map(\.box?.text) == ["house-12", "house-13", nil])
        let anna = try #require(Bib(17).flatMap(run.participant))
        #expect(anna.name == "Anna Bianchi" && anna.category == "w40" && anna.person?.text == "anna")
        let key: [UInt8] = [
            0, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 0xFF,
        ]
        #expect(try anna.tags == [TagIdentity("C0:FF:EE:00:00:01"), .identityKey(key)])
    }

    @Test func `all that is wrong is told at once, with its line`() throws {
        let sample = try RunSample()
        try sample.write(
            """
            id = "Milan"
            title = "Milan 10K"
            end = 2026-05-10T12:00:00+02:00
            start = "2026-05-10T09:00:00+02:00"

            [[waves]]
            id = "fast"
            start = "2026-05-10T09:00:00"

            [[checkpoints]]
            id = "bridge"
            distances_m = [7500, 2500]
            minimal_split_s = 240

            [[participants]]
            bib = 0
            wave = "fas"
            tags = ["C0:FF:EE:00:00:01", "C0:FF:EE:00:00"]

            [[participants]]
            bib = 4
            wave = "fas"

            """, to: "milan.toml")
        let name = "a name: 1 to 32 characters out of a-z, 0-9 and '-', beginning with a letter or a digit"
        let time = "a time with its offset from UTC such as \"2026-05-10T09:00:00+02:00\""
        #expect(
            sample.complaints() == [
                "milan.toml:1: id: saw \"Milan\", expected \(name): leave out every other character",
                "milan.toml:3: end: saw a date or time, expected \(time): put it in quotes",
                "milan.toml:4: start: a run starts with its first wave: write a [[waves]] with its start",
                "milan.toml:8: waves.start: saw \"2026-05-10T09:00:00\", expected \(time): write date, T, time and offset; "
                    + "Z is the offset of UTC",
                "milan.toml:12: checkpoints.distances_m: saw an array, expected a list of metres from the start such as [0] or "
                    + "[2500, 7500], ascending: write 2500 where it belongs: each is farther than the one before",
                "milan.toml:13: checkpoints.minimal_split_s: there is no such key in [[checkpoints]] (did you mean "
                    + "\"minimum_split_s\"?): correct or remove it",
                "milan.toml:16: participants.bib: saw 0, expected a bib, 1 to 99999: choose a value in this range",
                "milan.toml:18: participants.tags: saw a list of 2, expected a list of at most 4 tags such as "
                    + "[\"C0:FF:EE:00:00:01\"]: in number 2, expected six octets such as C0:FF:EE:00:00:01: copy them from the "
                    + "tag's label",
                "milan.toml:22: participants.wave: saw \"fas\", expected the id of a [[waves]] (did you mean \"fast\"?): "
                    + "correct it, or add the wave",
            ])
    }

    @Test(arguments: [
        ("", "id: is missing"), ("id = ", "is not TOML"),
        ("[[runs]]\nid = \"x\"\n", "there is no such section"),
    ]) func `what is no run file is told, and nothing traps`(text: String, words: String) throws {
        let sample = try RunSample()
        try sample.write(text, to: "milan.toml")
        let complaints = sample.complaints()
        #expect(complaints.contains { $0.contains(words) }, "\(complaints)")
    }

    @Test func `every beginning of a run file is refused or is one`() throws {
        let sample = try RunSample()
        let text = RunSample.text()
        for count in 0..<text.utf8.count {
            try sample.write(Data(text.utf8.prefix(count)), to: "milan.toml")
            guard let run = try? sample.read() else { continue }
            #expect(run.run.checkpoints.count == 1)
        }
    }

    @Test(arguments: [
        (
            RunSample.text(participants: RunSample.participant + "\n[[participants]]\nbib = 17"),
            "milan.toml:16: participants.bib: saw 17 again, expected another than at line 13: give each participant their own"
        ),
        (
            RunSample.text(
                participants: RunSample.participant
                    + "\n[[participants]]\nbib = 18\ntags = [\"c0:ff:ee:00:00:01\"]"),
            "milan.toml:17: participants.tags: saw a tag that bib 17 has at line 14, expected each participant to have their "
                + "own: correct one of them"
        ),
        (
            RunSample.text(
                waves: RunSample.wave + "\n[[waves]]\nid = \"b\"\nstart = \"2026-05-10T09:10:00+02:00\""),
            "milan.toml:15: participants.wave: is missing: name one of all, b"
        ),
        (
            RunSample.text(waves: RunSample.wave.replacing("T09:", with: "T13:")),
            "milan.toml:3: end: saw a time that is not after the start of wave all, expected a later one: correct one of the two"
        ),
        (
            RunSample.text(
                checkpoints: RunSample.checkpoint
                    + "\nbox = \"b\"\n[[checkpoints]]\nid = \"x\"\ndistances_m = [0]\nbox = \"b\""),
            "milan.toml:16: checkpoints.box: saw \"b\" again, expected another than at line 12: give each [[checkpoints]] its own"
        ),
        (
            RunSample.text(head: "course = \"milan.gpx\""),
            "milan.toml:4: course: milan.gpx: line 3: lat is 95, expected -90 to 90"
        ),
        (
            RunSample.text(head: "course = \"../milan.gpx\""),
            "milan.toml:4: course: saw \"../milan.gpx\", expected \(CompanionFile.form): put the file into the folder of the "
                + "run file and write its name alone"
        ),
        (
            RunSample.text(head: "start_list = \"none.csv\""),
            "milan.toml:4: start_list: none.csv: cannot be read: No such file or directory: put the start list beside the run "
                + "file, or correct start_list"
        ),
    ]) func `what contradicts itself is told at its line`(text: String, complaint: String) throws {
        let sample = try RunSample()
        try sample.write(text, to: "milan.toml")
        #expect(sample.complaints() == [complaint])
    }

    @Test func `a box that is carried stands at no checkpoint`() throws {
        let sample = try RunSample()
        try sample.write(
            RunSample.text(
                checkpoints: RunSample.checkpoint + "\nbox = \"b\"",
                participants: RunSample.participant + "\ncarries = \"b\""), to: "milan.toml")
        #expect(
            sample.complaints() == [
                "milan.toml:16: participants.carries: saw \"b\", which is the box of checkpoint finish, expected one that is "
                    + "carried: correct one of them"
            ])
    }

    @Test func `laps without a minimum split are doubtful, a start and a finish of one box are not`() throws {
        let sample = try RunSample()
        func warnings(_ distances: String, _ more: String = "") throws -> [String] {
            let checkpoint = RunSample.checkpoint.replacing("[10000]", with: distances) + more
            try sample.write(RunSample.text(checkpoints: checkpoint), to: "milan.toml")
            return try sample.read().warnings.map(\.message)
        }
        #expect(try warnings("[0, 10000]").isEmpty)
        #expect(try warnings("[400, 800, 1200]").first?.hasPrefix("laps without it") == true)
        #expect(try warnings("[0, 400, 800]").count == 1)
        #expect(try warnings("[400, 800, 1200]", "\nminimum_split_s = 60").isEmpty)
    }

    @Test func `who has no tag is told and taken`() throws {
        let sample = try RunSample()
        try sample.write(RunSample.text(participants: "[[participants]]\nbib = 3"), to: "milan.toml")
        let file = try sample.read()
        #expect(file.run.participants.count == 1)
        #expect(
            file.warnings.map(\.message) == ["1 of 1 participants have no tag, and nobody hears them: bib 3"])
    }

    // MARK: Keys

    @Test(arguments: [
        ("00112233445566778899aabbccddeef", 0o600, "is no key of a tag"), ("", 0o600, "empty first line"),
        ("00112233445566778899aabbccddeeff", 0o644, "saw mode 644"), (nil, 0, "No such file"),
    ]) func `a key that cannot be used is told where it is named, and not shown`(
        content: String?, mode: Int, words: String
    ) throws {
        let sample = try RunSample()
        if let content { try sample.write(content, to: "17.key", mode: mode) }
        try sample.write(
            RunSample.text(participants: "[[participants]]\nbib = 17\ntags = [\"key-file:17.key\"]"),
            to: "milan.toml")
        let complaints = sample.complaints()
        #expect(
            complaints.count == 1 && complaints[0].hasPrefix("milan.toml:14: participants.tags: 17.key"),
            "\(complaints)")
        #expect(complaints[0].contains(words) && !complaints[0].contains("8899aabb"), "\(complaints)")
    }

    @Test func `a key that is written into a run is refused, and not repeated`() throws {
        let sample = try RunSample()
        let key = "00112233445566778899aabbccddeeff"
        for tag in ["irk:\(key)", "key-file:\(key)", key] {
            try sample.write(
                RunSample.text(participants: "[[participants]]\nbib = 17\ntags = [\"\(tag)\"]"),
                to: "milan.toml")
            let complaints = sample.complaints()
            #expect(complaints.count == 1 && !complaints.joined().contains("8899"), "\(complaints)")
        }
    }

    // MARK: Folders

    @Test func `a folder's runs are read by their names, the wrong ones beside the sound ones`() throws {
        let sample = try RunSample()
        try sample.write(RunSample.text(), to: "milan.toml")
        try sample.write(RunSample.text(id: "rome"), to: "a.toml")
        try sample.write("id = 1", to: "b.toml")
        try sample.write(RunSample.text(id: "turin"), to: ".c.toml.swp")
        try sample.write(RunSample.text(id: "turin"), to: "turin.toml.bak")
        let folder = RunFolder(path: sample.folder.path) { _ in throw RunSample.NoCourse(description: "none") }
        var content = folder.read()
        #expect(content.files.map(\.plan.id.text) == ["rome", "milan"])
        #expect(content.errors.count == 1 && content.errors[0].description.contains("b.toml:1: id: saw 1"))
        try sample.write(RunSample.text(), to: "b.toml")
        content = folder.read()
        #expect(content.files.map(\.plan.id.text) == ["rome"], "of two files with one run both are wrong")
        #expect(content.errors.count == 1 && content.errors[0].description.contains("saw \"milan\" again"))
    }

    @Test func `a folder that is not there holds no run, and one that is a file is told`() throws {
        let sample = try RunSample()
        let none = RunFolder(path: sample.folder.path + "/none") { _ in
            throw RunSample.NoCourse(description: "")
        }.read()
        #expect(none.files.isEmpty && none.errors.isEmpty)
        let file = try sample.write("", to: "file")
        let wrong = RunFolder(path: file) { _ in throw RunSample.NoCourse(description: "") }.read()
        #expect(wrong.errors.count == 1)
    }
}
