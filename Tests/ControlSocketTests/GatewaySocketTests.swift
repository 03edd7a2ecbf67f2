import ControlSocket
import GatewayModel
import Settings
import Testing

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
