import Foundation
import TestSupport
import Testing

@testable import CareCentre
@testable import GatewayModel

@Suite struct `The settings of a SCAIP channel` {
    private func refusal(_ change: (inout SCAIPChannel.Settings) -> Void) -> String? {
        var settings = SCAIPChannel.Settings(
            id: ChannelID(checked: "centre"), centreName: "the centre", host: "centre.example", transport: .udp,
            fromURI: "sip:26317@centre.example", controllerID: "26317")
        change(&settings)
        do throws(SCAIPError) {
            _ = try settings.checked()
            return nil
        } catch { return error.description }
    }

    @Test func `are usable with the least that has to be said`() {
        #expect(refusal { _ in } == nil)
        #expect(refusal { $0.callBack = "+390311234567" } == nil)
    }

    @Test func `have the ports that IANA gave SIP`() {
        #expect(SCAIPChannel.Settings.Transport.tcp.port == 5060)
        #expect(SCAIPChannel.Settings.Transport.tls(caFile: nil).port == 5061)
    }

    @Test func `stop the start where they could only fail later, and say what is expected`() throws {
        #expect(refusal { $0.host = "centre example" }?.contains("a name or an address") == true)
        #expect(refusal { $0.port = 0 }?.contains("1 to 65535") == true)
        #expect(refusal { $0.controllerID = "12x" }?.contains("1 to 16 digits") == true)
        #expect(refusal { $0.callBack = "call me" }?.contains("without blanks") == true)
        #expect(refusal { $0.fromURI = "26317@centre.example" }?.contains("sip:user@host") == true)
        #expect(refusal { $0.attemptLimit = .seconds(31) }?.contains("1 s to 30 s") == true)
        #expect(refusal { $0.heartbeatInterval = .seconds(9) }?.contains("10 s or more") == true)
        #expect(refusal { $0.heartbeatSteps = [1: .zero] }?.contains("10 s or more") == true)
        #expect(refusal { $0.transport = .tls(caFile: "/nonexistent") }?.contains("PEM") == true)
        #expect(
            refusal { $0.account = .init(user: "a", passwordFile: "/nonexistent") }?.contains("cannot be read")
                == true)
        #expect(
            refusal { $0.account = .init(user: "a\"b", passwordFile: "/dev/null") }?.contains("visible ASCII")
                == true)
        let empty = try ScratchDirectory()
        let file = try empty.write("\nsecret", to: "password").path
        #expect(refusal { $0.account = .init(user: "a", passwordFile: file) }?.contains("first line") == true)
    }

    /// What stands in a header must not be able to begin another one.
    @Test(arguments: ["sip:a\r\nTo: x", "sip:a>;tag=x<", "sip:", "sip: a", "sip:ä@x"])
    func `let no text into a header that could break out of it`(uri: String) {
        #expect(refusal { $0.fromURI = uri }?.contains("sip:user@host") == true)
        #expect(refusal { $0.centreURI = uri }?.contains("sip:user@host") == true)
    }

    @Test func `hide the password`() {
        #expect(!"\(SIPCredentials(user: "a", password: "secret"))".contains("secret"))
    }
}
