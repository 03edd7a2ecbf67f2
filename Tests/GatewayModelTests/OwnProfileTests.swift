import GatewayModel
import Testing

@Suite struct `An Italian fiscal code` {
    /// The examples of it.wikipedia.org/wiki/Codice_fiscale, and of python-stdnum (stdnum.it.codicefiscale).
    @Test(arguments: ["MRTMTT25D09F205Z", "MLLSNT82P65Z404U", "RCCMNL83S18D969H"])
    func `with the right check character is taken`(text: String) throws {
        #expect(try FiscalCode(text).text == text)
        #expect(try FiscalCode("\(text.lowercased().prefix(6)) \(text.dropFirst(6))").text == text)
    }

    /// The first is python-stdnum's example of a wrong one.
    @Test(arguments: ["RCCMNL83S18D967H", "MRTMTT25D09F205Y", "MRTMTT25D08F205Z"])
    func `with another check character is refused`(text: String) {
        #expect(throws: FiscalCode.Flaw.checkCharacter) { try FiscalCode(text) }
    }

    @Test(arguments: [
        "", "MRTMTT25D09F205", "MRTMTT25D09F205ZZ", "MRTMTT25F09F205Z", "MRTMTT25D00F205Z", "MRTMTT25D32F205Z",
        "MRTMTT25D72F205Z", "1RTMTT25D09F205Z", "MRTMTTA5D09F205Z", "MRTMTT25D09F2052", "ÀRTMTT25D09F205Z",
        "123456789012",
    ])
    func `of another form is refused`(text: String) {
        #expect(throws: FiscalCode.Flaw.form) { try FiscalCode(text) }
    }

    /// Decree 23 December 1976, article 6: the digits of two persons with one code become letters from the right.
    @Test func `may have letters in the place of digits`() throws {
        let digits = try FiscalCode("MRTMTT25D09F205Z").text.dropLast(2)
        let all = (UInt8(ascii: "A")...UInt8(ascii: "Z")).compactMap {
            try? FiscalCode(digits + "R" + String(UnicodeScalar($0)))
        }
        #expect(all.map(\.text) == ["MRTMTT25D09F20RU"])
        #expect(throws: FiscalCode.Flaw.form) { try FiscalCode("MRTMTT25D09F20AA") }
    }
}

@Suite struct `A day of birth` {
    @Test(arguments: ["1941", "1941-05-02", "2000-02-29", "1904-12-31"])
    func `is a year or a day of the calendar`(text: String) {
        #expect(BirthDate(text)?.description == text)
        #expect(BirthDate(text)?.year == Int(text.prefix(4)))
    }

    @Test(arguments: [
        "", "41", "1899", "2101", "1941-5-2", "1941-13-01", "1941-00-01", "1941-04-31", "1900-02-29", "1941-05",
        "02.05.1941", "1941-05-02T00:00", "１９４１", "+941", "1941--2-01",
    ])
    func `is nothing else`(text: String) {
        #expect(BirthDate(text) == nil)
    }
}

@Suite struct `Values that a person has set` {
    private static let written: PersonProfile = {
        guard let id = PersonID("maria") else { preconditionFailure() }
        return PersonProfile(
            id: id, name: "Maria Rossi", birthYear: 1_941, language: .italian,
            contacts: [PersonProfile.Contact(name: "Anna", phone: "+39333111", relation: "daughter")],
            medicalNotes: ["pacemaker", "takes warfarin"],
            home: InstalledPlace(address: "Via Dante 7", coordinates: nil))
    }()
    private static let anna = OwnProfile.Author(by: "Anna", at: WallTime(millisecondsSince1970: 1_000))

    private static func profile(_ changes: ProfileChange...) throws -> PersonProfile {
        var own = OwnProfile()
        for change in changes { try own.apply(change, to: written, by: anna) }
        return written.with(own)
    }

    @Test func `stand above those of the settings, which hold until then`() throws {
        #expect(try Self.profile() == Self.written)
        let changed = try Self.profile(
            try ProfileChange(values: [
                .birthDate: "1941-05-02", .gender: "female", .height: "164", .telephone: "+39 02 1234567",
                .fiscalCode: "mrtmtt25d09f205z",
            ]))
        #expect(changed.birth?.description == "1941-05-02" && changed.birthYear == 1_941)
        #expect(changed.gender == .female && changed.height == 164 && changed.phone == "+39021234567")
        #expect(changed.fiscalCode?.text == "MRTMTT25D09F205Z")
        #expect(changed.name == "Maria Rossi" && changed.language == .italian)
        #expect(changed.medicalNotes == Self.written.medicalNotes && changed.contacts == Self.written.contacts)
    }

    @Test func `can hide a value of the settings, and go back to it`() throws {
        let hidden = try ProfileChange(cleared: [.birthDate])
        #expect(try Self.profile(hidden).birth == nil)
        #expect(try Self.profile(hidden, try ProfileChange(reset: [.birthDate])).birthYear == 1_941)
    }

    @Test func `add a note beside those of the settings, and take one away`() throws {
        let added = try ProfileChange(addedNotes: ["allergic to penicillin"])
        #expect(
            try Self.profile(added).medicalNotes == ["pacemaker", "takes warfarin", "allergic to penicillin"])
        let removed = try ProfileChange(removedNotes: ["takes warfarin"])
        #expect(try Self.profile(added, removed).medicalNotes == ["pacemaker", "allergic to penicillin"])
        #expect(
            try Self.profile(removed, try ProfileChange(addedNotes: ["takes warfarin"])).medicalNotes
                == Self.written.medicalNotes)
        #expect(
            try Self.profile(added, removed, try ProfileChange(reset: [.notes])).medicalNotes
                == Self.written.medicalNotes)
    }

    @Test func `add a contact after those of the settings, and take one away`() throws {
        let paolo = PersonProfile.Contact(name: "Paolo", phone: "+39 333 2222222", relation: nil)
        let added = try ProfileChange(addedContacts: [paolo])
        #expect(try Self.profile(added).contacts.map(\.phone) == ["+39333111", "+393332222222"])
        #expect(try Self.profile(added).contacts.last?.getsNotices == false)
        let told = PersonProfile.Contact(name: "Paolo", phone: "+393332222222", getsNotices: true)
        let marked = try Self.profile(try ProfileChange(addedContacts: [told]))
        #expect(marked.contacts.last?.getsNotices == true)
        let removed = try ProfileChange(removedContacts: ["+39333111"])
        #expect(throws: ProfileFlaw.self, "too short for a number") {
            try ProfileChange(removedContacts: ["+39"])
        }
        #expect(try Self.profile(added, removed).contacts.map(\.name) == ["Paolo"])
        #expect(throws: ProfileFlaw.self, "twice") { try Self.profile(added, added) }
        #expect(throws: ProfileFlaw.self, "not there") { try Self.profile(removed, removed) }
    }

    @Test func `are at most twenty notes, and a change that does not fit changes nothing`() throws {
        var own = OwnProfile()
        let notes = (0..<18).map { "note \($0)" }
        try own.apply(try ProfileChange(addedNotes: notes), to: Self.written, by: Self.anna)
        let before = own
        let tooMany = try ProfileChange(values: [.height: "170"], addedNotes: ["one more"])
        #expect(throws: ProfileFlaw.self) { try own.apply(tooMany, to: Self.written, by: Self.anna) }
        #expect(own == before)
    }

    @Test(arguments: [
        (ProfileItem.birthDate, "2.5.41", "birth-date: saw '2.5.41', expected a day such as 1941-05-02"),
        (.gender, "donna", "gender: saw 'donna', expected female, male, other: write one of these"),
        (.height, "1.64 m", "height: saw '1.64 m', expected whole centimetres, 30 to 250"),
        (.height, "500", "height: saw '500', expected whole centimetres, 30 to 250"),
        (
            .telephone, "02 1234567",
            "telephone: saw '02 1234567', expected a phone number with its country code"
        ),
        (.fiscalCode, "MRTMTT25D09F205X", "expected a last character that fits the others: compare it"),
        (.fiscalCode, "AB123456C", "for a number of another country use national-id"),
        (.name, "a\u{1B}[2Jb", "name: saw 'a[2Jb', expected a plain text of 1 to 100 characters"),
        (.contacts, "Anna", "add and remove contacts one by one"),
    ])
    func `that are wrong are refused with the value, the form and the remedy`(
        item: ProfileItem, text: String, words: String
    ) {
        do throws(ProfileFlaw) {
            _ = try ProfileChange(values: [item: text])
            Issue.record("taken")
        } catch {
            #expect(error.text.contains(words), "\(error.text)")
            #expect(!error.textWithoutValue.contains(text), "a receipt repeats no personal data")
        }
    }

    @Test func `survive being written and read`() throws {
        var choices = PersonChoices()
        try choices.profile.apply(
            try ProfileChange(values: [.name: "Mimì"], cleared: [.birthDate], addedNotes: ["x"]),
            to: Self.written, by: Self.anna)
        let channel = try #require(ChannelID("family"))
        choices[channel] = ChannelChoice(emergency: false, warnings: nil, author: Self.anna)
        for number in 0..<120 {
            choices.record(PersonChoices.Change(["\(number)"], by: Self.anna, means: "command-line"))
        }
        #expect(choices.changes.count == 100 && choices.changes.last?.items == ["119"])
        #expect(choices[channel]?.emergency == false && choices[channel]?.author.by == "Anna")
    }
}
