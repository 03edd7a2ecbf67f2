import GatewayModel
import Settings
import SettingsSamples
import Testing

@Suite struct `A source in the settings` {
    private func sample(_ lines: String, id: String = "app", person: String = "maria") -> SettingsSample {
        SettingsSample(more: "[[source]]\nid = \"\(id)\"\nperson = \"\(person)\"\n\(lines)")
    }

    @Test func `may hand over every kind, is not judged, and has an inbox in the state directory`() throws {
        let source = try #require(try sample("").load().sources.first)
        #expect(source.id.text == "app" && source.person.text == "maria")
        #expect(source.kinds == Set(QuantityKind.allCases) && !source.countsForSOS)
        #expect(source.inbox == "/var/lib/homegateway/inbox/app" && source.ownsInbox && source.socket == nil)
        #expect(try SettingsSample().load().sources.isEmpty)
    }

    @Test func `has every key that is written`() throws {
        let lines = "kinds = [\"glucose\"]\nsos = true\ninbox = \"/srv/app\"\nsocket = \"/run/app/s.sock\""
        let source = try #require(try sample(lines).load().sources.first)
        #expect(source.kinds == [.glucose] && source.countsForSOS)
        #expect(source.inbox == "/srv/app" && !source.ownsInbox && source.socket == "/run/app/s.sock")
    }

    @Test(arguments: [
        ("inbox = \"/var/lib/homegateway\"", "source.inbox: saw a directory that holds"),
        ("inbox = \"/var/lib/homegateway/\"", "source.inbox: saw a directory that holds"),
        ("inbox = \"/var/lib/homegateway/x\"", "source.inbox: saw a directory that holds"),
        ("inbox = \"/var/lib\"", "source.inbox: saw a directory that holds"),
        ("inbox = \"/\"", "source.inbox: saw a directory that holds"),
        ("socket = \"/run/homegateway/control.sock\"", "source.socket: saw the control socket"),
        ("kinds = []", "source.kinds: saw [], expected at least one kind"),
        ("kinds = [\"weight\"]", "source.kinds: saw"), ("soss = true", "source.soss"),
        ("[[source]]\nid = \"app\"\nperson = \"maria\"", "source.id: saw \"app\" again"),
    ])
    func `is refused where it contradicts itself or others`(_ lines: String, _ message: String) {
        let complaints = sample(lines).complaints
        #expect(complaints.contains { $0.contains(message) }, "\(complaints)")
    }

    @Test func `has an id that no wearable has, and a person of the house`() {
        #expect(sample("", id: "strap").complaints.contains { $0.contains("which is a wearable") })
        #expect(
            sample("", person: "mario").complaints.contains { $0.contains("expected the id of a [[person]]") })
        #expect(sample("inbox = \"/var/lib/homegateway-app\"").complaints.isEmpty)
    }

    @Test func `with a mistake is set aside alone`() throws {
        let text = sample("soss = true").text + "[[source]]\nid = \"other\"\nperson = \"maria\"\n"
        let salvaged = SalvagedSettings(
            SettingsCopy(file: "gateway.toml", settings: Array(text.utf8), devices: nil))
        #expect(salvaged.settings?.sources.map(\.id.text) == ["other"])
        #expect(!salvaged.isGrave)
    }
}
