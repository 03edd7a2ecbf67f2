import Foundation
import SettingsReading
import Testing

@testable import Settings

/// Settings as a support bundle has them.
@Suite struct `Settings that may leave the house` {
    private static func sections(_ file: SharedSettings.File) -> [Section] { file.root.all }

    /// A text of the installer, a path or a personal value is in no list.
    @Test func `show only keys with plain values that are declared`() throws {
        for file in [SharedSettings.File.gateway, .devices, .console] {
            for (title, names) in file.shown {
                let sections = Self.sections(file).filter { $0.title == title }
                // The devices file has a part of the sections.
                guard file.root.children.count > 1 || !sections.isEmpty else { continue }
                #expect(!sections.isEmpty, "\(title)")
                for name in names {
                    let keys = sections.flatMap(\.keys).filter { $0.name == name }
                    #expect(!keys.isEmpty, "\(title).\(name)")
                    for key in keys {
                        #expect(!key.isPersonal, "\(title).\(name)")
                        if case .plain = key.content { continue }
                        Issue.record("\(title).\(name) is a text")
                    }
                }
            }
        }
    }

    @Test func `show nothing of a person and of the place`() {
        let personal = SharedSettings.File.gateway.shown.keys.filter {
            $0.hasPrefix("person") || $0 == "installed"
        }
        #expect(personal.isEmpty)
    }

    @Test func `keep lines and names, and replace every other value by its kind`() {
        let text = """
            [gateway]
            id = "house-12"
            log_level = "debug"
            [installed]
            address = "Via Dante 7"
            latitude = 45.4661
            longitude = 9.1860
            [broker]
            host = "broker.example"
            port = 1883
            tls = "Via Dante 7"
            password = "open sesame"
            password_file = "/home/maria/password"
            [[person]]
            id = "maria"
            name = "Maria Rossi"
            birth_year = 1941
            medical_notes = ["insulin"]
            nickname = "Mimi"
            [person.maria]
            x = 1
            [[person.contact]]
            name = "Anna"
            phone = "+390212345678"
            [[channel]]
            id = "anna"
            type = "sms"
            recipients = ["+390212345678"]
            timeout_seconds = 12
            [maria]
            a = 1
            """
        #expect(
            SharedSettings(Array(text.utf8), as: .gateway).lines == [
                "1 [gateway]", "2   id = <text>", "3   log_level = \"debug\"", "4 [installed]",
                "5   address = <personal>", "6   latitude = <personal>", "7   longitude = <personal>",
                "8 [broker]", "9   host = <text>", "10   port = 1883", "11   tls = <not accepted>",
                "12   password = <secret>", "13   password_file = <file>", "14 [[person]] #1",
                "15   id = <text>", "16   name = <personal>", "17   birth_year = <personal>",
                "18   medical_notes = <text>", "19   <unknown key> = <personal>",
                "20   <unknown key> = <personal>", "22 [[person.contact]] #1", "23   name = <personal>",
                "24   phone = <personal>", "25 [[channel]] #1", "26   id = <text>", "27   type = \"sms\"",
                "28   recipients = <personal>", "29   timeout_seconds = 12", "30   <unknown key> = <personal>",
            ])
    }

    @Test(arguments: ["[gateway\nid = \"Maria\"", "\u{1}Maria", "a = 1\na = \"Maria\""])
    func `say of a file that is no TOML only the line`(text: String) {
        let lines = SharedSettings(Array(text.utf8), as: .gateway).lines
        #expect(lines.count == 1 && lines[0].contains("is not TOML") && !lines[0].contains("Maria"))
    }

    /// Each key of each section gets a text, a number and a list that are found nowhere else.
    @Test(arguments: [0, 1, 2])
    func `let no value through that is not of the form of its key`(kind: Int) {
        var count = 0
        func lines(_ section: Section) -> [String] {
            let header = section.path.isEmpty ? [] : [section.header]
            return header
                + section.keys.map { key in
                    count += 1
                    let marker = "marker\(count)x"
                    switch kind {
                    case 0: return "\(key.name) = \"\(marker)\""
                    case 1: return "\(key.name) = [\"\(marker)\"]"
                    default: return "\(key.name) = 98765\(1000 + count).5"
                    }
                } + section.children.flatMap(lines)
        }
        for file in [SharedSettings.File.gateway, .devices, .console] {
            // The variants of a section cannot stand in one another's place.
            let text = lines(file.root).joined(separator: "\n")
            let shown = SharedSettings(Array(text.utf8), as: file).lines
            #expect(shown.count > 5)
            #expect(shown.filter { $0.contains("marker") || $0.contains("98765") } == [])
        }
        #expect(count > 150)
    }
}
