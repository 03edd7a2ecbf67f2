import ControlContract
import GatewayModel
import Hub
import SOSLocal
import Settings
import SettingsSamples
import Testing

@testable import PersonalSettings

@Suite struct `A person's choice of a channel` {
    private static let author = OwnProfile.Author(by: "Anna", at: WallTime(millisecondsSince1970: 0))

    /// Called over mqtt and family, of which family and friends are the person's to switch.
    private static func maria() throws -> GatewaySettings.Person {
        let channels = ["family", "friends"].map {
            """
            [[channel]]
            id = "\($0)"
            type = "sms"
            recipients = ["+393331234567"]
            """
        }
        var sample = SettingsSample(more: channels.joined(separator: "\n"))
        sample.person += """

            own_channels = ["mqtt", "family", "friends"]
            [person.sos]
            channels = ["mqtt", "family"]
            """
        return try #require(try sample.load().persons.first)
    }

    /// - Returns: the channels that are called after the choice.
    private static func switching(
        _ channel: String, emergency: Bool?, usable: [String], after choices: PersonChoices = PersonChoices()
    ) throws -> (choices: PersonChoices, called: [String]) {
        let maria = try maria()
        var choices = choices
        let edit = try Verb.ChangeChannel(
            person: "maria", channel: channel, emergency: emergency, warnings: nil, by: "Anna")
        try OwnChannels(of: maria, usable: Set(usable.compactMap { ChannelID($0) })).apply(
            edit, to: &choices, by: author)
        return (choices, maria.with(choices).plan.ways.channels.map(\.text))
    }

    @Test func `holds, and goes back to the settings`() throws {
        let all = ["mqtt", "family", "friends"]
        let off = try Self.switching("mqtt", emergency: false, usable: all)
        #expect(off.called == ["family"])
        let on = try Self.switching("friends", emergency: true, usable: all, after: off.choices)
        #expect(on.called == ["family", "friends"])
        let back = try Self.switching("mqtt", emergency: nil, usable: all, after: on.choices)
        #expect(back.called == ["mqtt", "family", "friends"])
    }

    @Test func `is refused where nobody would be called`() throws {
        let off = try Self.switching("mqtt", emergency: false, usable: ["mqtt", "family"])
        let refusal = #expect(throws: OwnChangeRefusal.self) {
            try Self.switching("family", emergency: false, usable: ["mqtt", "family"], after: off.choices)
        }
        #expect(refusal?.text.contains("saw no usable channel left (none), expected one at least") == true)
    }

    @Test func `is refused where only a channel that cannot be used would be left`() throws {
        #expect(throws: OwnChangeRefusal.self) {
            try Self.switching("mqtt", emergency: false, usable: ["mqtt"])
        }
        // Nobody could be called before either: the choice takes nothing away.
        #expect(try Self.switching("mqtt", emergency: false, usable: []).called == ["family"])
    }

    @Test func `is refused for a channel of the installer`() {
        let refusal = #expect(throws: OwnChangeRefusal.self) {
            try Self.switching("centre", emergency: false, usable: ["mqtt"])
        }
        #expect(
            refusal?.text.contains("saw 'centre', expected one of own_channels") == true
                && refusal?.text.contains("mqtt, family, friends") == true)
    }
}

@Suite struct `The turn of a change` {
    private static func at(_ seconds: Int64) -> BootInstant {
        BootInstant(nanoseconds: seconds * 1_000_000_000)
    }

    @Test func `is given to one at a time`() throws {
        let turn = ChangeTurn()
        let first = try #require(turn.take(at: Self.at(1)))
        #expect(turn.take(at: Self.at(2)) == nil)
        turn.give(first)
        #expect(turn.take(at: Self.at(3)) != nil)
    }

    @Test func `is lost where its write is never answered, and not given back for another`() throws {
        let turn = ChangeTurn()
        let first = try #require(turn.take(at: Self.at(1)))
        #expect(turn.take(at: Self.at(11)) != nil)
        turn.give(first)
        #expect(turn.take(at: Self.at(12)) == nil, "the second has it")
    }
}
