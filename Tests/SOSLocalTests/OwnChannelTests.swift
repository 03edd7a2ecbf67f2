import GatewayModel
import SOSLocal
import Testing

@Suite struct `The channels of a person's plan` {
    private static let author = OwnProfile.Author(by: "Anna", at: WallTime(millisecondsSince1970: 0))

    private static func id(_ text: String) -> ChannelID {
        guard let id = ChannelID(text) else { preconditionFailure(text) }
        return id
    }

    private static let plan = EscalationPlan(
        channels: [id("mqtt"), id("family")], carers: [id("family")], handoverLimit: .seconds(2))

    private static func chosen(
        among own: [String], _ choices: [(String, emergency: Bool?, warnings: Bool?)]
    ) -> EscalationPlan {
        var all = PersonChoices()
        for (channel, emergency, warnings) in choices {
            all[id(channel)] = ChannelChoice(emergency: emergency, warnings: warnings, author: author)
        }
        return plan.with(all, among: own.map(id))
    }

    @Test func `stay those of the settings without a choice`() {
        #expect(Self.chosen(among: ["family", "friends"], []) == Self.plan)
    }

    @Test func `change only where they are the person's to switch`() {
        let off = [("family", Optional(false), Optional(false))]
        #expect(Self.chosen(among: [], off) == Self.plan, "the installer has kept it")
        let ways = Self.chosen(among: ["family"], off)
        #expect(ways.channels.map(\.text) == ["mqtt"] && ways.carers.isEmpty)
    }

    @Test func `that the person adds come after those of the settings`() {
        let ways = Self.chosen(among: ["friends"], [("friends", true, true)])
        #expect(ways.channels.map(\.text) == ["mqtt", "family", "friends"])
        #expect(ways.carers.map(\.text) == ["family", "friends"])
        #expect(ways.handoverLimit == Self.plan.handoverLimit)
    }

    @Test func `are never none in an emergency`() {
        let ways = Self.chosen(
            among: ["mqtt", "family"], [("mqtt", false, nil), ("family", false, nil)])
        #expect(ways.channels == Self.plan.channels)
    }
}
