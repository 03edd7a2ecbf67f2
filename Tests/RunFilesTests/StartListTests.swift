import Foundation
import GatewayModel
import RunBeacon
import RunFiles
import SettingsReading
import SettingsSamples
import Testing

@Suite struct StartListTests {
    private func sample(_ list: String, participants: String = "") throws -> RunSample {
        try sample(Data(list.utf8), participants: participants)
    }

    private func sample(_ list: Data, participants: String = "") throws -> RunSample {
        let sample = try RunSample()
        try sample.write(list, to: "list.csv")
        try sample.write(
            RunSample.text(head: "start_list = \"list.csv\"", participants: participants), to: "milan.toml")
        return sample
    }

    /// As LibreOffice, Excel of an English and of an Italian computer, and a database write one.
    @Test(arguments: [
        "bib,name,category,wave,tags,person\n17,\"Bianchi, Anna\",w40,all,C0:FF:EE:00:00:01,anna\n3,Marco,m30,,,\n",
        "\u{FEFF}Bib,Name,Category,Wave,Tags,Person\r\n17,\"Bianchi, Anna\",w40,all,C0:FF:EE:00:00:01,anna\r\n3,Marco,m30,,,\r\n,,,,,\r\n",
        "\u{FEFF}name;club;bib;tags;category;wave;person\r\nBianchi, Anna;Atletica;17;C0:FF:EE:00:00:01;w40;all;anna\r\nMarco;;3;;m30;all;\r\n;;;;;;\r\n",
        "bib,name,category,wave,tags,person\r17,\"Bianchi, Anna\",w40,all,C0:FF:EE:00:00:01,anna\r3,Marco,m30,,,\r",
        "tags\tbib\tname\tcategory\tperson\nC0:FF:EE:00:00:01\t17\tBianchi, Anna\tw40\tanna\n\t3\tMarco\tm30",
    ]) func `a spreadsheet's list is read whoever wrote it`(list: String) throws {
        let run = try sample(list).read().run
        #expect(run.participants.map(\.bib.number) == [17, 3])
        let anna = run.participants[0]
        #expect(anna.name == "Bianchi, Anna" && anna.category == "w40" && anna.person?.text == "anna")
        #expect(anna.tags.map(\.description) == ["C0:FF:EE:00:00:01"] && run.participants[1].tags.isEmpty)
        #expect(run.participants.allSatisfy { $0.wave.text == "all" })
    }

    @Test func `it says who carries which box, each one of them`() throws {
        let run = try sample("bib,tags,carries\n17,,house-14\n18,C0:FF:EE:00:00:02,\n").read()
        #expect(run.run.participants.map(\.carries?.text) == ["house-14", nil])
        #expect(run.warnings.isEmpty, "bib 17 needs no tag to be seen")
        let doubled = try sample("bib,tags,carries,person\n17,,house-14,anna\n18,,house-14,\n19,,,anna\n")
        #expect(
            doubled.complaints() == [
                "list.csv:3: carries: saw \"house-14\" again, which bib 17 has at line 2, expected it of one participant: "
                    + "correct one of them",
                "list.csv:4: person: saw \"anna\" again, which bib 17 has at line 2, expected it of one participant: "
                    + "correct one of them",
            ])
    }

    @Test func `a list without anybody is told`() throws {
        let words = "nobody takes part: nobody is timed until commands enrol some. Is the start list whole?"
        #expect(try sample("bib,tags\n").read().warnings.map(\.message) == [words])
        #expect(try sample("bib,tags\n18,C0:FF:EE:00:00:02\n").read().warnings.isEmpty)
    }

    @Test(arguments: ["\n", "\r\n", "\r", "\r\r\n"])
    func `a fault is told with its line, however lines end`(lineEnd: String) throws {
        let list = ["bib,name,tags", "17,Anna,C0:FF:EE:00:00:01", "x,Marco,"].joined(separator: lineEnd)
        #expect(try sample(list).complaints().map { $0.prefix(11) } == ["list.csv:3:"])
    }

    @Test func `it stands beside the participants of the run file, and both are checked together`() throws {
        let both = try sample("bib,tags\n18,C0:FF:EE:00:00:02\n", participants: RunSample.participant)
        #expect(try both.read().run.participants.map(\.bib.number) == [17, 18])
        let doubled = try sample("bib,tags\n17,C0:FF:EE:00:00:01\n", participants: RunSample.participant)
        #expect(
            doubled.complaints() == [
                "list.csv:2: bib: saw 17 again, expected another than at milan.toml:13: give each participant their own"
            ])
    }

    @Test func `what is wrong in it is told with its line, and a wrong tag is not repeated`() throws {
        let list = """
            bib,name,tags,wave
            x7,Anna,C0:FF:EE:00:00:01,all
            18,"A name
            of two lines",C0:FF:EE:00:00:02,all
            19,Marco,C0:FF:EE:00:00:03 C0:FF:EE,all
            20,Ida,irk:00112233445566778899aabbccddeeff,al
            ,Ugo,C0:FF:EE:00:00:04,all
            21,Eva,C0:FF:EE:00:00:02,late

            """
        let complaints = try sample(list).complaints()
        #expect(
            complaints.map { $0.prefix { $0 != " " } } == [
                "list.csv:2:", "list.csv:3:", "list.csv:5:", "list.csv:6:", "list.csv:7:", "list.csv:8:",
                "list.csv:8:",
            ])
        #expect(complaints[0].contains("bib: saw \"x7\", expected a bib, 1 to 99999"))
        #expect(complaints[0].hasSuffix("write the number alone"), "\(complaints)")
        #expect(complaints[2].contains("saw 2 words, expected at most 4 tags parted by spaces"))
        #expect(complaints[2].contains("in number 2, expected six octets"))
        #expect(complaints[3].contains("a key is not written in a run") && !complaints[3].contains("8899"))
        #expect(complaints[4].contains("bib: is missing"))
        #expect(complaints[5].contains("saw a tag that bib 18 has at line 3"))
    }

    @Test(arguments: [
        ("", "list.csv:1: is empty"), ("bib,name\n1,Anna\n", "tags: is missing in the line of headings"),
        ("bib,tgs\n1,\n", "saw a column \"tgs\", did you mean \"tags\"?"),
        ("bib,tags,bib\n1,,2\n", "saw two columns of this name"),
        ("17,C0:FF:EE:00:00:01\n", "bib: is missing in the line of headings"),
        ("bib,tags\n1,\"C0:FF\n2,\n", "a quotation mark that is never closed"),
    ]) func `what is no start list is told`(list: String, words: String) throws {
        let complaints = try sample(list).complaints()
        #expect(complaints.contains { $0.contains(words) }, "\(complaints)")
    }

    @Test func `a list in another encoding is told with the line`() throws {
        let latin = Data("bib,name,tags\n1,Anna,\n2,Jos".utf8) + Data([0xE9]) + Data(",\n".utf8)
        #expect(try sample(latin).complaints() == ["list.csv:3: is not UTF-8: save it again as \"CSV UTF-8\""])
        let wide = Data([0xFF, 0xFE]) + Data("b\0i\0b\0".utf8)
        #expect(try sample(wide).complaints() == ["list.csv:1: is not UTF-8: save it again as \"CSV UTF-8\""])
    }

    @Test func `a list that is wrong throughout says so in a page`() throws {
        let list = "bib,tags\n" + (1...3_000).map { "\($0),nonsense\n" }.joined()
        let complaints = try sample(list).complaints()
        #expect(complaints.count == 51 && complaints[50].contains("and 2950 more"))
    }

    /// Each beginning of a list, and each with one byte changed, is read or refused; nothing traps.
    @Test func `no list traps, however it is cut or changed`() throws {
        let list = Array("\u{FEFF}bib;name;tags\r\n17;\"Bianchi; \"\"Anna\"\"\";C0:FF:EE:00:00:01\r\n".utf8)
        let sample = try sample("")
        for index in list.indices {
            try sample.write(Data(list.prefix(index)), to: "list.csv")
            _ = try? sample.read()
            var changed = list
            for byte in [0, UInt8(ascii: "\""), UInt8(ascii: ";"), UInt8(ascii: "\n"), 0xFF] {
                changed[index] = byte
                try sample.write(Data(changed), to: "list.csv")
                guard let run = try? sample.read().run else { continue }
                #expect(run.participants.count <= 2)
            }
        }
    }

    @Test func `a field of 5,000 is read`() throws {
        let rows = (1...5_000).map { number in
            let octets = [number >> 8, number & 0xFF].map { String($0, radix: 16) }.map {
                $0.count < 2 ? "0" + $0 : $0
            }
            return "\(number),Runner \(number),C0:FF:EE:01:\(octets.joined(separator: ":"))\n"
        }
        let run = try sample("bib,name,tags\n" + rows.joined()).read().run
        #expect(run.participants.count == 5_000 && run.participants[4_999].tags.count == 1)
    }

    @Test func `more runners than one box was made for are refused`() throws {
        let rows = (1...RunCatalog.mostRunners + 1).map { "\($0),\n" }
        #expect(try sample("bib,tags\n" + rows.joined()).complaints().first?.contains("at most 10000") == true)
    }
}
