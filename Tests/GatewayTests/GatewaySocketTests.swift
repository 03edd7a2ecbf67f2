import GatewayModel
import Settings
import Testing

@testable import ControlSocket
@testable import HomeGateway
@testable import Hub

@Suite struct `The control socket` {
    private static let standard = GatewaySettings.Gateway.standardControlSocket

    private static func candidates(
        named: String? = nil, environment: String? = nil, settings: String? = nil,
        hints: [String: String] = [:]
    ) -> [String] {
        GatewaySocket(named: named, environment: environment, settings: settings) { hints[$0] }.candidates
    }

    @Test func `that is named counts alone, then the environment's`() {
        let hints = ["/a.toml": "/a.sock", GatewaySettings.standardFile: "/own.sock"]
        #expect(
            Self.candidates(named: "/n.sock", environment: "/e.sock", settings: "/a.toml", hints: hints)
                == ["/n.sock"])
        #expect(Self.candidates(environment: "/e.sock", settings: "/a.toml", hints: hints) == ["/e.sock"])
        #expect(Self.candidates(environment: "", settings: "/a.toml", hints: hints) == ["/a.sock"])
    }

    @Test func `is the default one without any settings file`() {
        #expect(Self.candidates() == [Self.standard])
        #expect(Self.candidates(settings: "/not/there.toml") == [Self.standard])
    }

    @Test func `of the installed settings comes after the default one`() {
        let hints = [GatewaySettings.standardFile: "/own.sock"]
        #expect(Self.candidates(hints: hints) == [Self.standard, "/own.sock"])
        #expect(
            Self.candidates(settings: GatewaySettings.standardFile, hints: hints) == [
                Self.standard, "/own.sock",
            ])
    }

    @Test(arguments: [
        ("[gateway]\nid = \"a\"\ncontrol_socket = \"/run/x/c.sock\" # here\n", "/run/x/c.sock"),
        ("[gateway\nid = \n  control_socket='/run/y.sock'\r\n[[[", "/run/y.sock"),
        ("gateway.control_socket = \"/run/z.sock\"", "/run/z.sock"),
        ("# control_socket = \"/run/x.sock\"", nil), ("control_socket = \"relative.sock\"", nil),
        ("control_socket = \"/run/unfinished", nil), ("control_socket = 7", nil), ("", nil),
    ])
    func `is found in a file that is half written`(text: String, expected: String?) {
        #expect(ControlSocketHint.path(inText: text) == expected)
    }

    @Test func `in a path that is no file is none`() throws {
        #expect(ControlSocketHint.path(in: "/dev/zero") == nil)
        #expect(ControlSocketHint.path(in: "/") == nil)
        #expect(ControlSocketHint.path(in: "/nonexistent/gateway.toml") == nil)
    }
}

@Suite struct `The name in the record` {
    private static func entry(_ user: UInt32) -> AccountName.Entry? {
        [
            0: AccountName.Entry(account: "root", comment: "root"),
            1000: AccountName.Entry(account: "anna", comment: "Anna Rossi,2nd floor,,"),
            1001: AccountName.Entry(account: "guest", comment: ""),
        ][user]
    }

    private static func name(_ user: UInt32, sudo caller: String? = nil) -> String {
        AccountName.name(user: user, caller: caller, byID: entry) { account in
            [0, 1000, 1001].compactMap(entry).first { $0.account == account }
        }
    }

    @Test func `is the full name of the user who is logged in, else of the account`() {
        #expect(Self.name(1000) == "Anna Rossi")
        #expect(Self.name(1001) == "guest")
        #expect(Self.name(4711) == "user 4711")
        #expect(Self.name(0) == "root")
    }

    @Test func `is that of the user who called sudo`() {
        #expect(Self.name(0, sudo: "anna") == "Anna Rossi")
        #expect(Self.name(0, sudo: "guest") == "guest")
        #expect(Self.name(0, sudo: "away") == "away")
        #expect(Self.name(0, sudo: "") == "root")
        #expect(Self.name(1001, sudo: "anna") == "guest", "only sudo itself makes somebody root")
    }
}
