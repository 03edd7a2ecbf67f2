import Foundation
import SettingsSamples
import TestSupport
import Testing

/// Mistakes that people make in settings, as `homegateway check` answers them.
@Suite struct `Messages about mistakes in the settings` {
    private let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    /// Errors of a check of the settings with one text in the place of another, or at their end.
    private func errors(_ old: String = "", _ new: String = "", more: String = "") async throws -> String {
        let file = try scratch.writeSettings(more: more)
        if !old.isEmpty {
            let text = try String(contentsOf: file, encoding: .utf8)
            try #require(text.contains(old))
            try text.replacing(old, with: new).write(to: file, atomically: true, encoding: .utf8)
        }
        let answer = try await BuiltProgram.run(["check", "--offline", file.path])
        #expect(answer.code == 78, "\(answer)")
        return answer.errors
    }

    private func expect(_ errors: String, has parts: String...) {
        for part in parts { #expect(errors.contains(part), "\(part) in\n\(errors)") }
    }

    @Test func `a decimal comma is shown with a point, with and without quotes`() async throws {
        let address = "address = \"Via Dante 7\""
        let quoted = try await errors(address, address + "\nlatitude = \"45,4661\"\nlongitude = 9.1")
        expect(quoted, has: ":7: installed.latitude: saw \"45,4661\"", "write 45.4661: a point, no quotes")
        let bare = try await errors(address, address + "\nlatitude = 45,4661\nlongitude = 9.1")
        expect(
            bare, has: ":7: is not TOML: saw 45,4661, expected a number with a point: write latitude = 45.4661")
    }

    @Test func `yes and no are shown as true and false`() async throws {
        for (word, truth) in [("yes", true), ("Off", false), ("True", true), ("no", false)] {
            let seen = try await errors(more: "[gpsd]\nenabled = \(word)")
            expect(seen, has: "is not TOML: saw \(word), expected true or false: write enabled = \(truth)")
        }
        expect(try await errors(more: "[gpsd]\nenabled = \"yes\""), has: "write true, without quotes")
    }

    @Test func `curly quotes are shown, but not within a text`() async throws {
        let seen = try await errors(more: "[gpsd]\nhost = “127.0.0.1”")
        expect(seen, has: "line 14 has the curly quote “, expected straight quotes")
        let file = try scratch.writeSettings(
            more: "calls_nobody = true\ncannot_cancel = true\nmedical_notes = [\"a “b” c\"]")
        #expect(try await BuiltProgram.run(["check", "--offline", file.path]).code == 0)
    }

    @Test func `a text without quotes is shown with them, a personal one is not repeated`() async throws {
        let host = try await errors("host = \"127.0.0.1\"", "host = 127.0.0.1")
        expect(host, has: "is not TOML: saw a text without quotes", "write host = \"127.0.0.1\"")
        let name = try await errors("name = \"Maria Rossi\"", "name = Maria Rossi")
        expect(name, has: "write name = \"…\"")
        #expect(!name.contains("Rossi"))
        let secret = try await errors("tls = false", "tls = false\npassword = hunter2")
        #expect(!secret.contains("hunter2"), "\(secret)")
        let seconds = try await errors(more: "[person.sos]\nabort_window_seconds = 2 s")
        expect(seconds, has: "saw 2 s, expected a number alone: write abort_window_seconds = 2")
    }

    @Test(arguments: [
        ("glucose", "low = 3.9", "30...100 mg/dL: 3.9 looks like mmol/L; write 70, in mg/dL"),
        ("body_temperature", "low = 95", "30...36 °C: 95 looks like °F; write 35, in °C"),
        ("body_temperature", "high = 101.3", "37.5...43 °C: 101.3 looks like °F; write 38.5, in °C"),
        ("systolic_pressure", "high = 24", "140...260 mmHg: 24 looks like kPa; write 180, in mmHg"),
        ("oxygen_saturation", "low = 0.9", "70...95 %: 0.9 looks like a fraction; write 90, in %"),
        ("glucose", "low = 9999", "30...100 mg/dL: choose a value in this range"),
    ])
    func `a limit in another unit is shown in its own`(section: String, line: String, advice: String)
        async throws
    {
        expect(try await errors(more: "[person.sos.\(section)]\n\(line)"), has: "expected a number, " + advice)
    }

    @Test func `milliseconds are told from seconds`() async throws {
        let window = try await errors(more: "[person.sos]\nabort_window_seconds = 30000")
        expect(window, has: "expected seconds, 0.5...60: 30000 looks like milliseconds; write 30")
        let whole = try await errors(more: "[person.sos]\nrepeat_seconds = 20000")
        expect(whole, has: "20000 looks like milliseconds; write 20")
    }

    @Test func `a name that is near, or a part of a name, is answered with the whole one`() async throws {
        let part = try await errors(more: "[person.sos.temperature]\nlow = 35")
        expect(
            part,
            has:
                "person.sos.temperature: there is no such section in [person.sos] (did you mean \"body_temperature\"?): "
        )
        #expect(!part.contains("expected one of"), "\(part)")
        let section = try await errors("[broker]", "[brokr]")
        expect(section, has: "there is no such section at the top of the file (did you mean \"broker\"?)")
        let far = try await errors(more: "[dinner]\nat = 1")
        #expect(far.components(separatedBy: "channel").count == 2, "each name once: \(far)")
    }

    @Test func `a key below the wrong header is sent home`() async throws {
        let contact = "decided_by = []\n[[person.contact]]\nname = \"Anna\"\nphone = \"+390212345678\"\n"
        let below = try await errors(more: contact.replacing("decided_by = []\n", with: "") + "decided_by = []")
        expect(
            below,
            has:
                "person.contact.decided_by: there is no such key in [[person.contact]]: it belongs to [[person]]; move it above line 13"
        )
        let elsewhere = try await errors("id = \"house-12\"", "id = \"house-12\"\nlatitude = 45.0")
        expect(
            elsewhere,
            has: "gateway.latitude: there is no such key in [gateway]: it belongs to [installed]; move it there"
        )
        let nested = try await errors(
            more:
                "[[person.contact]]\nname = \"Anna\"\nphone = \"+390212345678\"\n[person.contact.sos]\nearly_notice = true"
        )
        expect(nested, has: "there is no such section in [[person.contact]]: write it as [person.sos]")
    }

    @Test func `one wrong key of a person's alarms is one message`() async throws {
        let seen = try await errors(more: "[person.sos]\nabort_window_seconds = 30\nearly_notise = true")
        #expect(
            seen.components(separatedBy: "gateway.toml:15: ").count == 3, "the mistake and its part: \(seen)")
        expect(seen, has: "(did you mean \"early_notice\"?)")
        #expect(!seen.contains("limit 5"), "\(seen)")
    }

    @Test func `parts that a start ignores are named with their file`() async throws {
        let file = try scratch.writeSettings(more: "[gpsd]\nport = 0")
        try "[[wearable]]\nid = \"band\"\naddress = \"C0:FF:EE:00:00:99\"\nperson = \"nobody\"\n".write(
            to: scratch.file("devices.toml"), atomically: true, encoding: .utf8)
        let errors = try await BuiltProgram.run(["check", "--offline", file.path]).errors
        expect(
            errors, has: "at a start these parts would be ignored:", "  \(file.path):14: gpsd.port",
            "  \(scratch.url.path)/devices.toml:4: [[wearable]] \"band\"")
    }

    @Test func `without settings the questions are named`() async throws {
        let answer = try await BuiltProgram.run(["check", scratch.file("none.toml").path])
        #expect(answer.code == 78 && answer.errors.contains("sudo homegateway init"), "\(answer)")
    }

    @Test func `missing files are named with their keys and lines`() async throws {
        let ca = scratch.file("ca.pem").path
        let file = try scratch.writeSettings()
        let text = try String(contentsOf: file, encoding: .utf8).replacing(
            "tls = false", with: "ca_file = \"\(ca)\"")
        try text.write(to: file, atomically: true, encoding: .utf8)
        let answer = try await BuiltProgram.run(["check", file.path])
        #expect(
            answer.output.contains(
                "PROBLEM  files of the settings: \(file.path):9: broker.ca_file \(ca): no such file"),
            "\(answer)")
        #expect(answer.output.contains("Broker TLS files: ca_file \(ca): no such file"), "\(answer)")
    }

    @Test func `settings that everybody can change are a problem`() async throws {
        let file = try scratch.writeSettings(more: "calls_nobody = true\ncannot_cancel = true")
        for (mode, code) in [(0o666, Int32(78)), (0o640, 0)] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
            let answer = try await BuiltProgram.run(["check", "--offline", file.path])
            #expect(answer.code == code, "\(answer)")
            #expect(answer.output.contains("PROBLEM  \(file.path): saw mode 666") == (code != 0), "\(answer)")
        }
    }
}
