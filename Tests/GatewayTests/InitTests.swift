import Foundation
import TestSupport
import Testing

/// `homegateway init`: answers as they are typed, and the file that comes of them.
@Suite struct InitTests {
    /// The first answer is no name of a box, "north" is no place.
    private static let house = [
        "House 12", "house-12", "it", "Via \"Dante\" 7, 20123 Milano", "north", "45.4661 9.1860", "", "",
    ]
    private static let maria = [
        "Maria Rossi", "", "1941", "Anna", "02 1", "+390212345678", "daughter, has a key", "yes", "yes",
    ]
    /// The last answer is to the summary.
    private static let broker = ["broker.example", "", "", "", "house-12", "secret word", ""]

    private let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    private func answer(
        _ lines: [String], template: String = "home"
    ) async throws -> (answer: BuiltProgram.Answer, text: String?) {
        let path = scratch.file("gateway.toml").path
        let answer = try await BuiltProgram.answer(
            of: [BuiltProgram.homegateway, "init", path, "--template", template], input: lines)
        return (answer, try? String(contentsOfFile: path, encoding: .utf8))
    }

    @Test func `answers become settings that pass the check`() async throws {
        let (answer, text) = try await answer(Self.house + Self.maria + Self.broker)
        #expect(answer.code == 0, "\(answer)")
        // Each wrong answer was told and asked again.
        for seen in ["gateway.id: ", "installed.latitude: ", "person.contact.phone: "] {
            #expect(answer.errors.contains(seen), "\(seen): \(answer.errors)")
        }
        let file = try #require(text)
        for line in [
            "id = \"house-12\"", #"address = "Via \"Dante\" 7, 20123 Milano""#, "latitude = 45.4661",
            "birth_year = 1941", "id = \"maria\"", "data_policy = \"accepted\"",
            "automated_sos = \"accepted\"", "phone = \"+390212345678\"", "abort_window_seconds = 30",
            "early_notice = true", "language = \"it\"",
        ] {
            #expect(file.split(separator: "\n").contains(line[...]), "\(line) in\n\(file)")
        }
        let path = scratch.file("gateway.toml").path
        let password = path + ".broker-password"
        #expect(try String(contentsOfFile: password, encoding: .utf8) == "secret word\n")
        #expect(!file.contains("secret word"))
        for name in [path, password] {
            let mode = try FileManager.default.attributesOfItem(atPath: name)[.posixPermissions] as? Int
            #expect(mode == 0o640)
        }
        let check = try await BuiltProgram.run(["check", "--offline", path])
        #expect(check.output.contains("maria: data policy accepted, AutomatedSOS accepted"), "\(check)")

        let again = try await self.answer(Self.house + Self.maria + Self.broker)
        #expect(again.answer.code == 1 && again.answer.errors.contains("is there already"), "\(again.answer)")
        #expect(again.text == file)
    }

    @Test func `an input that ends early writes nothing`() async throws {
        let lines = Self.house + Self.maria + Self.broker
        for count in [0, 1, Self.house.count, lines.count - 1] {
            let (answer, text) = try await answer(Array(lines.prefix(count)))
            #expect(answer.code == 1 && answer.errors.contains("nothing was written"), "\(answer)")
            #expect(text == nil)
        }
    }

    @Test func `a step back asks again, and the summary shows the answers before anything is written`()
        async throws
    {
        let place = ["Via Verdi 1, Milano", "<", "Via Dante 7, 20123 Milano"]
        let house = Array(Self.house.prefix(3)) + place + Array(Self.house.dropFirst(4))
        // "n" is no host.
        let broker = ["n", "broker.example", "n", "<", "y", "", "", "house-12", "secret word"]
        let refused = try await answer(house + Self.maria + broker + ["n"])
        #expect(refused.answer.code == 1 && refused.text == nil, "\(refused)")
        let (answer, text) = try await answer(house + Self.maria + broker + [""])
        #expect(answer.code == 0, "\(answer)")
        #expect(answer.errors.contains("saw n, expected a text"), "\(answer)")
        for line in [
            "Place:    Via Dante 7, 20123 Milano", "Person:   Maria Rossi (maria), born 1941: help is called",
        ] {
            #expect(answer.output.contains(line), "\(line): \(answer)")
        }
        let file = try #require(text)
        #expect(file.contains("Via Dante 7") && !file.contains("Via Verdi") && !file.contains("tls = false"))
        let check = try await BuiltProgram.run(["check", "--offline", scratch.file("gateway.toml").path])
        // The wearables come later; nothing else is to be warned of.
        #expect(check.errors.components(separatedBy: "(warning)").count == 2, "\(check)")
        #expect(check.errors.contains("no wearable: nobody is watched"), "\(check)")
    }

    @Test func `a couple is two persons, without what they have not accepted`() async throws {
        // The second number is taken.
        let giuseppe = ["Giuseppe", "", "", "", "no", "1", "0"]
        let (answer, text) = try await answer(
            Self.house + Self.maria + [""] + giuseppe + ["broker.example", "n", "", "", ""], template: "couple")
        #expect(answer.code == 0, "\(answer)")
        let file = try #require(text)
        #expect(file.components(separatedBy: "[[person]]").count == 3)
        #expect(file.contains("# users = { 1 = \"maria\", 0 = \"giuseppe\" }"))
        #expect(answer.errors.contains("wearable.users: "), "\(answer)")
        #expect(answer.output.contains("PROBLEM  nobody is called for giuseppe"), "\(answer)")
        #expect(!answer.output.contains("nobody is called for maria"), "\(answer)")
        #expect(answer.output.contains("PROBLEM  nothing within reach of maria cancels"), "\(answer)")
        #expect(file.contains("id = \"giuseppe\"") && file.contains("data_policy = \"not-accepted\""))
        #expect(
            file.contains("tls = false") && file.contains("port = 1883") && !file.contains("password_file"))
    }

    @Test func `a box at a track has a folder of runs`() async throws {
        let (answer, text) = try await answer(
            Self.house + Self.maria + Self.broker, template: "trackside")
        #expect(answer.code == 0, "\(answer)")
        #expect(text?.contains("\n[race]\nruns_directory = ") == true)
        let wrong = try await self.answer([], template: "boat").answer
        #expect(wrong.code == 64 && wrong.errors.contains("expected home, couple or trackside"), "\(wrong)")
    }

    @Test func `hostile answers end by themselves`() async throws {
        for line in ["\"", "\\", "]", "\u{1}", String(repeating: "x", count: 5_000), "''", "# x"] {
            let (answer, text) = try await answer(Array(repeating: line, count: 400))
            #expect(answer.code == 1 && text == nil, "\(line.prefix(9)): \(answer.code)")
        }
    }
}
