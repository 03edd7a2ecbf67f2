import GatewayModel
import Settings
import SettingsSamples
import Testing

@Suite struct `The list of the settings` {
    private static func listing(_ text: String) -> SettingsListing {
        SettingsListing(of: SettingsCopy(file: "gateway.toml", settings: Array(text.utf8), devices: nil))
    }

    private static func entry(_ key: String, in title: String, of listing: SettingsListing)
        -> SettingsListing.Entry?
    {
        listing.parts.first { $0.title == title }?.entries.first { $0.key == key }
    }

    @Test func `has written values and defaults, and neither sections without defaults nor other types`() throws
    {
        var sample = SettingsSample(
            broker: """
                [broker]
                hosts = ["a.example", "b.example:8883"]
                ca_file = "/etc/homegateway/ca.pem"
                """)
        sample.more = """
            [[channel]]
            id = "centre"
            type = "https"
            url = "https://calls.example/alarms"
            addresses = ["118-milano"]
            """
        let listing = Self.listing(sample.text)
        #expect(listing.setAside.isEmpty, "\(listing.setAside)")
        let hosts = try #require(Self.entry("hosts", in: "[broker]", of: listing))
        #expect(hosts.value == #"["a.example", "b.example:8883"]"# && hosts.isWritten)
        let keepAlive = try #require(Self.entry("keep_alive_seconds", in: "[broker]", of: listing))
        #expect(keepAlive.value == "30" && !keepAlive.isWritten)
        #expect(Self.entry("sound", in: "[house]", of: listing)?.value == "true")
        #expect(!listing.parts.contains { $0.title.hasPrefix("[house.lamp]") })
        #expect(
            listing.parts.filter { $0.title.hasPrefix("[[channel]]") }.map(\.title) == [
                #"[[channel]] "centre""#
            ])
        #expect(
            Self.entry("url", in: #"[[channel]] "centre""#, of: listing)?.value
                == #""https://calls.example/alarms""#)
    }

    @Test func `tells personal values by their length, with the person that they belong to`() throws {
        var sample = SettingsSample(
            person: """
                [[person]]
                id = "maria"
                name = "Maria Rossi"
                screen_pin = "4821"
                """)
        sample.more = """
            [[person.contact]]
            name = "Anna"
            phone = "+393331234567"
            """
        // Contacts belong to the person before them.
        let text = sample.text.replacing(sample.more, with: "").replacing(
            sample.person, with: sample.person + "\n" + sample.more)
        let listing = Self.listing(text)
        #expect(listing.setAside.isEmpty, "\(listing.setAside)")
        let shown = listing.parts.flatMap { [$0.title] + $0.entries.map(\.value) }.joined(separator: " ")
        for secret in ["Rossi", "4821", "Anna", "39333", "Dante"] { #expect(!shown.contains(secret)) }
        #expect(Self.entry("name", in: #"[[person]] "maria""#, of: listing)?.value == "a text of 11 characters")
        #expect(Self.entry("phone", in: #"[[person.contact]] "maria""#, of: listing)?.isWritten == true)
    }

    @Test func `has the default in place of a wrong value, and tells the mistake`() throws {
        let listing = Self.listing(SettingsSample(more: "[house]\nvoice_speed = 9000\nvoice = true").text)
        let speed = try #require(Self.entry("voice_speed", in: "[house]", of: listing))
        #expect(speed.value == "140" && !speed.isWritten)
        #expect(Self.entry("voice", in: "[house]", of: listing)?.isWritten == true)
        #expect(listing.setAside.count == 1)
        #expect(listing.setAside.first?.contains("house.voice_speed: saw 9000") == true, "\(listing.setAside)")
    }

    @Test func `leaves out a wearable that is set aside, and tells it`() throws {
        let listing = Self.listing(
            SettingsSample(more: "[[wearable]]\nid = \"band\"\naddress = \"nonsense\"\nperson = \"maria\"").text
        )
        #expect(listing.parts.contains { $0.title == #"[[wearable]] "strap""# })
        #expect(!listing.parts.contains { $0.title == #"[[wearable]] "band""# })
        #expect(listing.setAside.first?.hasPrefix(#"[[wearable]] "band": "#) == true, "\(listing.setAside)")
    }

    @Test func `is empty for a text that is no TOML, and tells why`() {
        let listing = Self.listing("[broker")
        #expect(listing.parts.isEmpty && listing.setAside.first?.hasPrefix("the whole file: ") == true)
    }
}
