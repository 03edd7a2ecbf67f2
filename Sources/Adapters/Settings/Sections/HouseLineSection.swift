internal import GatewayModel

/// `[house.lamp]` and `[house.button]`: one line of a GPIO chip each.
enum HouseLineSection {
    static let chip = Key(
        "chip",
        Form<String>.text("a GPIO chip such as \"gpiochip0\"") { text in
            let isSound =
                (1...200).contains(text.utf8.count)
                && text.utf8.allSatisfy { (0x21...0x7E).contains($0) } && !text.contains("..")
            return isSound ? .accepted(text) : .refused("gpiodetect lists those that there are")
        }, .standard("gpiochip0"), "Its name under /dev, or its path.")
    static let line = Key(
        "line", .wholeNumber(0...1023), .required,
        "Its offset on the chip: on a Raspberry Pi the number after GPIO, not that of the pin.")
    static let lampActiveLow = Key(
        "active_low", .truth, .standard(false), "Whether it shines at the low level.")
    static let buttonActiveLow = Key(
        "active_low", .truth, .standard(true),
        "Whether it is pressed at the low level, as between line and ground.")
    static let person = Key<PersonID>(
        "person", .name, .optional("the only one"), "The `id` of the person for whom a hold of 3 s calls help.")

    static let lamp = Section(
        ["house", "lamp"], "A lamp that shows an alarm.", keys: [chip, line, lampActiveLow], cost: .entry)
    static let button = Section(
        ["house", "button"],
        "The big button of the box: a press cancels the open alarm; a hold while there is none calls for help.",
        keys: [chip, line, buttonActiveLow, person], cost: .entry)

    /// Nil where there is none, and where it is wrong.
    static func read(
        _ reader: SectionReader, activeLow: Key<Bool> = lampActiveLow
    ) -> GatewaySettings.House.Line? {
        let chip = reader.value(chip)
        let line = reader.value(line)
        let isActiveLow = reader.value(activeLow)
        guard reader.table != nil, let chip, let line, let isActiveLow else { return nil }
        return GatewaySettings.House.Line(chip: chip, offset: line, isActiveLow: isActiveLow)
    }

    static func readButton(
        _ reader: SectionReader, _ persons: [PersonSection.Entry]
    ) -> GatewaySettings.House.Button? {
        let line = read(reader, activeLow: buttonActiveLow)
        let written = reader.value(person)
        guard reader.table != nil else { return nil }
        let known = persons.compactMap(\.id)
        // Not while any person's id is itself wrong: that may be the one meant.
        guard known.count == persons.count else { return nil }
        if let written, !known.contains(written) {
            reader.report(
                "saw \"\(written)\", expected the id of a [[person]]"
                    + "\(NearestName.hint(written.text, among: known.map(\.text))): correct it", person.name)
        }
        if !reader.isWritten(person), known.count > 1 {
            reader.report("is missing: there are several persons; say for whom a hold calls help", person.name)
        }
        guard let line, let person = written ?? known.first else { return nil }
        return GatewaySettings.House.Button(line: line, person: person)
    }
}
