/// `[sos]`: the ways to help, whoever is helped.
enum HelpSection {
    // A week: whoever took a contract, a card or a server away is noticed before the month is over.
    static let channelTests = Key(
        "test_channels_hours", .wholeNumber(1...168), .standard(24),
        "How often each way to help is tried by itself, without troubling anybody.")

    static let section = Section(
        ["sos"], "The ways to help, whoever is helped.", keys: [channelTests],
        children: [DrillSection.section])

    static func read(_ reader: SectionReader) -> GatewaySettings.SOS? {
        let hours = reader.value(channelTests)
        let drill = DrillSection.read(reader.child(DrillSection.section))
        return hours.map { GatewaySettings.SOS(channelTests: .seconds($0 * 3_600), drill: drill) }
    }
}
