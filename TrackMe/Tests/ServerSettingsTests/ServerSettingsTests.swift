import Foundation
import GatewayModel
import ServerSettings
import SettingsReading
import TestSupport
import Testing
import WebPages

/// Rules of the settings file of the server.
struct ServerSettingsTests {
    private static let sound = """
        origin = "https://trackme.example"
        operator = "Clinic"
        issuer_key_file = "/etc/trackme/issuer.jwk"
        master_key_file = "/etc/trackme/master.key"
        [broker]
        host = "localhost"
        tls = false

        """

    private func load(_ text: String) throws -> ServerSettings {
        let scratch = try ScratchDirectory()
        return try ServerSettings(path: scratch.write(text, to: "trackme.toml").path)
    }

    @Test func `the example is sound, and its address is one of a server`() throws {
        let settings = try ServerSettings(
            path: Repository.root.appending(path: "TrackMe/systemd/trackme.example.toml").path)
        #expect(settings.warnings.isEmpty)
        #expect(WebOrigin(settings.origin)?.authority == "trackme.example")
        #expect(settings.listen == "127.0.0.1:8780")
        #expect(settings.broker.addresses.map(\.port) == [8883])
    }

    @Test(arguments: [
        ("listen = \"8780\"\n", ":1: listen: ", "an IP address, a colon and a port"),
        ("orign = \"x\"\n", ":1: orign: ", "did you mean \"origin\"?"),
        ("password = \"secret\"\n", ":1: password: ", "password_file of [broker]"),
        ("issuer = \"Track Me\"\n", ":1: issuer: ", "leave out every other character"),
        ("state_directory = \"here\"\n", ":1: state_directory: ", "begin it with /"),
        ("trusted_proxies = \"10.0.0.7\"\n", ":1: trusted_proxies: ", "write it in [ ]"),
        ("trusted_proxies = [\"proxy\"]\n", ":1: trusted_proxies: ", "an IP address, or one with /"),
        ("trusted_proxies = [\"10.0.0.7/24\"]\n", ":1: trusted_proxies: ", "behind which all bits are 0"),
        ("trusted_proxies = [\"10.0.0.0/33\"]\n", ":1: trusted_proxies: ", "an IP address, or one with /"),
    ])
    func `a mistake stops the start with its line and its remedy`(
        _ line: String, _ place: String, _ remedy: String
    ) throws {
        do {
            _ = try load(line + Self.sound)
            Issue.record("\(line) loads")
        } catch let error as SettingsError {
            #expect(error.description.contains(place), "\(error)")
            #expect(error.description.contains(remedy), "\(error)")
            #expect(!error.description.contains("secret"))
        }
    }

    @Test func `advice about a file names the account and the directory of the server`() throws {
        let scratch = try ScratchDirectory()
        let key = try scratch.write("{}", to: "issuer.jwk").path
        #expect(chmod(key, 0o644) == 0)
        let text = Self.sound.replacing("/etc/trackme/issuer.jwk", with: key)
        let file = try load(text).issuerKeyFile
        let error = #expect(throws: CredentialFile.Unusable.self) { try file.text() }
        #expect(
            error?.description.contains("chown root:trackme and chmod 640") == true,
            "\(String(describing: error))")
        let mistake = #expect(throws: SettingsError.self) {
            _ = try load(Self.sound.replacing("tls = false", with: ""))
        }
        #expect(mistake?.description.contains("/etc/trackme/ca.pem") == true, "\(String(describing: mistake))")
    }

    @Test func `the database is SQLite without a word about it, and a string with a password lies in a file`()
        throws
    {
        #expect(try load(Self.sound).databaseAddressFile == nil)
        let settings = try load(Self.sound + "[database]\nurl_file = \"/etc/trackme/database-url\"\n")
        #expect(settings.databaseAddressFile?.description == "/etc/trackme/database-url")
        do {
            _ = try load(Self.sound + "[database]\nurl = \"postgresql://u:secret@db/trackme\"\n")
            Issue.record("a string in the settings loads")
        } catch let error as SettingsError {
            #expect(error.description.contains("url_file"), "\(error)")
            #expect(!error.description.contains("secret"))
        }
    }

    @Test func `proxies on this machine tell the addresses of clients, and others only where they are named`()
        throws
    {
        func trusts(_ settings: ServerSettings, _ text: String) -> Bool {
            IPAddress(text).map { address in settings.trustedProxies.contains { $0.contains(address) } }
                ?? false
        }
        let usual = try load(Self.sound)
        #expect(trusts(usual, "127.0.0.1") && trusts(usual, "::1") && !trusts(usual, "10.0.0.7"))
        #expect(usual.warnings.isEmpty)
        let named = try load(
            "listen = \"0.0.0.0:8780\"\ntrusted_proxies = [\"10.0.0.0/29\", \"2001:db8::/33\"]\n" + Self.sound)
        #expect(
            trusts(named, "10.0.0.7") && trusts(named, "::ffff:10.0.0.7") && trusts(named, "2001:db8:7fff::1"))
        #expect(!trusts(named, "10.0.0.8") && !trusts(named, "127.0.0.1") && !trusts(named, "2001:db8:8000::1"))
        #expect(named.warnings.isEmpty)
        #expect(try load("trusted_proxies = []\n" + Self.sound).trustedProxies.isEmpty)
        let doubtful = try load("listen = \"0.0.0.0:8780\"\n" + Self.sound).warnings
        #expect(
            doubtful.count == 1 && doubtful.allSatisfy { "\($0)".contains("trusted_proxies") }, "\(doubtful)")
    }

    @Test func `data are kept for the usual times without a word about them`() throws {
        let retention = try load(Self.sound).retention
        #expect(retention.raw == .seconds(7 * 86_400))
        #expect(retention.minutes == .seconds(90 * 86_400))
        #expect(retention.hours == .seconds(400 * 86_400))
        #expect(retention.late == .seconds(100 * 86_400))
        #expect(retention.shared == .seconds(30 * 86_400))
        #expect(retention.calls == .seconds(3_650 * 86_400))
    }

    @Test(arguments: [
        ("raw_days = 0", "raw_days: saw 0, expected a whole number, 1...3650"),
        ("raw_days = 91", "minute_days: saw 90, expected at least raw_days, 91"),
        ("minute_days = 401", "hour_days: saw 400, expected at least minute_days, 401"),
        ("late_days = 6", "late_days: saw 6, expected at least raw_days, 7"),
        ("late_days = 500", "hour_days: saw 400, expected at least late_days, 500"),
        ("shared_days = 366", "shared_days: saw 366, expected a whole number, 1...365"),
        ("calls_days = 30", "calls_days: saw 30, expected a whole number, 31...3650"),
        ("weeks = 2", "weeks: "),
    ])
    func `times that contradict each other stop the start`(_ line: String, _ words: String) throws {
        do {
            _ = try load(Self.sound + "[retention]\n" + line + "\n")
            Issue.record("\(line) loads")
        } catch let error as SettingsError {
            #expect(error.description.contains(words), "\(error)")
        }
    }

    private static let forwarding = """
        [forwarding]
        url = "https://calls.example/alarms"
        addresses = ["118-milano"]
        token_file = "/etc/trackme/forwarding-token"

        """

    @Test func `no call is handed on without a word about it, and drills are not without one of their own`()
        throws
    {
        #expect(try load(Self.sound).forwarding == nil)
        let forwarding = try #require(try load(Self.sound + Self.forwarding).forwarding)
        #expect(forwarding.url == "https://calls.example/alarms")
        #expect(forwarding.wait == .zero)
        #expect(!forwarding.includesDrills)
        #expect(forwarding.sender == nil)
        let more = Self.forwarding + "after_seconds = 60\ndrills = true\nsender = \"desk\"\nlanguage = \"it\"\n"
        let other = try #require(try load(Self.sound + more).forwarding)
        #expect(other.wait == .seconds(60))
        #expect(other.includesDrills)
        #expect(other.language == .italian)
    }

    @Test(arguments: [
        ("https://calls", "http://calls", "forwarding.url: ", "begin it with https://"),
        ("[\"118-milano\"]", "[]", "forwarding.addresses: ", "write at least one"),
        ("token_file", "token", "forwarding.token: ", "give its path as token_file"),
        ("[forwarding]", "[forwarding]\nafter_seconds = 601", "forwarding.after_seconds: ", "0...600"),
    ])
    func `a mistake about the outside service stops the start`(
        _ text: String, _ other: String, _ place: String, _ remedy: String
    ) throws {
        do {
            _ = try load(Self.sound + Self.forwarding.replacing(text, with: other))
            Issue.record("\(other) loads")
        } catch let error as SettingsError {
            #expect(error.description.contains(place), "\(error)")
            #expect(error.description.contains(remedy), "\(error)")
        }
    }

    @Test func `there are no figures of groups without areas, and the margin is kept by default`() throws {
        let groups = try load(Self.sound).groups
        #expect(groups.areas.isEmpty && groups.margin && groups.wait == .seconds(3 * 86_400))
        let chosen = try load(
            Self.sound + "[groups]\nareas = [\"Milano <nord> & 'sud'\"]\nmargin = false\nrelease_days = 7\n"
        ).groups
        #expect(chosen.areas == ["Milano <nord> & 'sud'"] && !chosen.margin)
        #expect(chosen.wait == .seconds(7 * 86_400))
    }

    @Test(arguments: [
        ("areas = [\"Nord\", \"Sud\", \"Nord\"]", "areas: saw \"Nord\" again"),
        ("areas = [\" Nord\"]", "a space at an end, in number 1"),
        ("areas = [\"\\u202Edrow\"]", "hidden characters"), ("areas = [\"\"]", "fill it in"),
        ("areas = [\"\\u0000\"]", "control characters"), ("areas = \"Nord\"", "write it in [ ]"),
        ("areas = [\"\(String(repeating: "a", count: 61))\"]", "shorten it"),
        ("release_days = 0", "release_days: saw 0, expected a whole number, 1...14"),
        (
            "areas = [\"Nord\"]\n[retention]\nraw_days = 1\nminute_days = 1\nlate_days = 1\nhour_days = 10",
            "at least 11"
        ),
        ("epsilon = 2.0", "epsilon: "),
    ])
    func `hostile names of areas and other mistakes about groups stop the start`(
        _ line: String, _ words: String
    ) throws {
        do {
            _ = try load(Self.sound + "[groups]\n" + line + "\n")
            Issue.record("\(line) loads")
        } catch let error as SettingsError {
            #expect(error.description.contains(words), "\(error)")
        }
    }

    @Test(arguments: [
        "http://trackme.example", "https://", "https://trackme.example/", "https://TrackMe.example",
        "trackme.example",
        "https://a@b", "https://trackme.example:0", "https://trackme.example:99999", "ftp://trackme.example",
    ])
    func `an address that browsers do not write, or that is not encrypted, is refused`(_ text: String) {
        #expect(WebOrigin(text) == nil)
    }

    @Test func `plain HTTP is for this machine alone`() throws {
        #expect(WebOrigin("http://127.0.0.1:8780")?.isSecure == false)
        #expect(WebOrigin("http://localhost")?.authority == "localhost")
        #expect(WebOrigin("https://[::1]:8443")?.authority == "[::1]:8443")
    }
}
