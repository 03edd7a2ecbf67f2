import Settings
import SettingsSamples
import Testing

@Suite struct `The list of the settings` {
    private static func listing(_ text: String, setAside: [SettingsProblem] = []) -> SettingsListing {
        SettingsListing(
            of: SettingsCopy(file: "gateway.toml", settings: Array(text.utf8), devices: nil), setAside: setAside
        )
    }

    private static func entry(_ key: String, in title: String, of listing: SettingsListing)
        -> SettingsListing.Entry?
    {
        listing.parts.first { $0.title == title }?.entries.first { $0.key == key }
    }

    @Test func `has written values and defaults, and neither sections without defaults nor other types`() throws
    {
        let listing = Self.listing(
            """
            [broker]
            hosts = ["a.example", "b.example:8883"]
            [[channel]]
            id = "centre"
            type = "scaip"
            """)
        let hosts = try #require(Self.entry("hosts", in: "[broker]", of: listing))
        #expect(hosts.value == #"["a.example", "b.example:8883"]"#)
        #expect(hosts.isWritten && !hosts.isSetAside)
        let keepAlive = try #require(Self.entry("keep_alive_seconds", in: "[broker]", of: listing))
        #expect(keepAlive.value == "30" && !keepAlive.isWritten)
        #expect(Self.entry("sound", in: "[house]", of: listing)?.value == "true")
        #expect(!listing.parts.contains { $0.title.hasPrefix("[house.lamp]") })
        #expect(listing.parts.count { $0.title.hasPrefix("[[channel]]") } == 1)
    }

    @Test func `tells personal values by their length`() throws {
        let listing = Self.listing(
            """
            [[person]]
            id = "maria"
            name = "Maria Rossi"
            screen_pin = "4821"
            [[person.contact]]
            name = "Anna"
            phone = "+393331234567"
            """)
        let text = listing.parts.flatMap { [$0.title] + $0.entries.map(\.value) }.joined(separator: " ")
        for secret in ["Rossi", "4821", "Anna", "39333"] { #expect(!text.contains(secret)) }
        #expect(Self.entry("name", in: #"[[person]] "maria""#, of: listing)?.value == "a text of 11 characters")
        #expect(Self.entry("name", in: #"[[person.contact]] "maria""#, of: listing) != nil)
    }

    @Test func `marks a value that was set aside`() throws {
        let problem = SettingsProblem(
            file: "gateway.toml", line: 2, column: 1, key: "house.voice_speed", message: "too fast")
        let listing = Self.listing("[house]\nvoice_speed = 9000\nvoice = true", setAside: [problem])
        #expect(Self.entry("voice_speed", in: "[house]", of: listing)?.isSetAside == true)
        #expect(Self.entry("voice", in: "[house]", of: listing)?.isSetAside == false)
    }

    @Test func `is empty for a text that is no TOML`() {
        #expect(Self.listing("[broker").parts.isEmpty)
    }
}
