import Foundation
import GatewayModel
import Glibc
import HelpLine
import ModelSamples
import SIP
import SOSLocal
import TestSupport
import Testing

@testable import CareCentre

/// Against sipp, which plays the centres of Tests/Rig/sip.
@Suite(.serialized, .enabled(if: SIPRig.isInstalled)) struct `A SCAIP channel` {
    private let order = SCAIPSample.order()
    private var alarm: AlarmID { order.alarm }
    private var accepted: ChannelEvent { .accepted(alarm, of: nil, by: "the centre") }
    private var reference: String { SCAIPReference(call: order).description }

    private func messages(_ server: SIPRig.Server) -> String {
        (try? String(contentsOfFile: server.scratch.file("messages").path, encoding: .utf8)) ?? ""
    }

    /// Whether the gateway answered the centre's MESSAGE: sipp heard a 200.
    private func hasOwnMessageAnswered(_ server: SIPRig.Server) -> Bool {
        messages(server).components("message received").dropFirst().contains { $0.contains("SIP/2.0 200 OK") }
    }

    @Test(arguments: [("own-message", false), ("body", false), ("own-message", true), ("body", true)])
    func `is accepted by the centre's own message and by the body of its 200, over UDP and TCP`(
        scenario: String, tcp: Bool
    ) async throws {
        let server = try await SIPRig.sipp(scenario, tcp: tcp)
        let line = try SIPRig.Line(server, tcp ? .tcp : .udp)
        try line.send(order)
        #expect(await line.wait { $0.words.contains(accepted) }, "\(line.all) \(messages(server))")
        #expect(line.words == [.dispatched(alarm), .handedOver(alarm, .confirmed), accepted])
        let heard = messages(server)
        #expect(heard.contains(SCAIPSample.call(order).xml.replacing("gsm:+390311234567", with: "no-voice:")))
        #expect(heard.contains("Content-Type: application/scaip+xml"))
        #expect(heard.contains("From: <sip:26317@centre.example>"))
        if scenario == "own-message" {
            #expect(await eventually { hasOwnMessageAnswered(server) }, "\(messages(server))")
        }
        try await line.stop()
    }

    @Test func `says that a call by doubtful values is possible, and why`() async throws {
        let server = try await SIPRig.sipp("body")
        let line = try SIPRig.Line(server)
        let cause = SCAIPSample.crossing(doubts: .poorSignal)
        try line.send(SCAIPSample.order(cause, certainty: .possible))
        #expect(await line.wait { $0.words.contains(accepted) }, "\(line.all) \(messages(server))")
        let heard = messages(server)
        #expect(heard.contains("<stt>POSSIBLE Heart rate high</stt>"), "\(heard)")
        #expect(
            heard.contains(
                "<ite>Heart rate 148 bpm (limit 131); sensor may be wrong, poor signal; Maria Rossi"),
            "\(heard)")
        try await line.stop()
    }

    @Test(.enabled(if: SIPRig.hasIPv6), arguments: [false, true])
    func `reaches a centre that has IPv6 only`(tcp: Bool) async throws {
        let server = try await SIPRig.sipp("body", tcp: tcp, address: "[::1]")
        let line = try SIPRig.Line(server, tcp ? .tcp : .udp) {
            $0.host = "::1"
            $0.centreURI = "sip:[::1]"
        }
        try line.send(order)
        #expect(await line.wait { $0.words.contains(accepted) }, "\(line.all) \(messages(server))")
        try await line.stop()
    }

    @Test func `is handed over, not accepted, where the centre only takes the message`() async throws {
        let server = try await SIPRig.sipp("only-202")
        let line = try SIPRig.Line(server)
        try line.send(order)
        #expect(await line.wait { $0.words.contains(.handedOver(alarm, .confirmed)) }, "\(line.all)")
        #expect(line.words == [.dispatched(alarm), .handedOver(alarm, .confirmed)])
        try await line.stop()
    }

    @Test func `fails while the centre is busy, and the second try has the same reference`() async throws {
        let server = try await SIPRig.sipp("busy-once")
        let line = try SIPRig.Line(server)
        try line.send(order)
        #expect(await line.wait { $0.failures.first?.contains("busy") == true }, "\(line.all)")
        try line.send(order)
        #expect(await line.wait { $0.words.contains(accepted) }, "\(line.all)")
        let heard = messages(server).components("<mrq>").dropFirst()
        #expect(heard.count == 2)
        #expect(heard.allSatisfy { $0.contains("<ref>\(reference)</ref>") })
        try await line.stop()
    }

    @Test func `fails at the limit where the centre is silent, after asking several times`() async throws {
        let server = try await SIPRig.sipp("silent")
        let line = try SIPRig.Line(server)
        try line.send(order)
        #expect(await line.wait { !$0.failures.isEmpty }, "\(line.all)")
        #expect(line.failures[0].contains("did not answer within 3 s"))
        // Sent at 0, 0.5, 1.5 and 3.5 s (RFC 3261, timer E): three times before the limit, more under load.
        #expect(messages(server).components("<mrq>").count > 2)
        try await line.stop()
    }

    @Test func `fails with the reason of a refusal`() async throws {
        let server = try await SIPRig.sipp("refused")
        let line = try SIPRig.Line(server)
        try line.send(order)
        #expect(await line.wait { $0.failures.first?.contains("403 Forbidden") == true }, "\(line.all)")
        try await line.stop()
    }

    @Test func `fails with the centre's words where it finds fault with the content`() async throws {
        let server = try await SIPRig.sipp("wrong-content")
        let line = try SIPRig.Line(server)
        try line.send(order)
        #expect(await line.wait { $0.failures.first?.contains("3 ('unknown cid')") == true }, "\(line.all)")
        try await line.stop()
    }

    @Test(arguments: ["wrong-reference", "garbage"])
    func `answers what it does not understand at SIP's level, and accepts nothing by it`(
        scenario: String
    ) async throws {
        let server = try await SIPRig.sipp(scenario)
        let line = try SIPRig.Line(server)
        try line.send(order)
        #expect(await line.wait { !$0.notes.isEmpty }, "\(line.all)")
        #expect(await line.wait { $0.words.contains(.handedOver(alarm, .confirmed)) }, "\(line.all)")
        #expect(line.words == [.dispatched(alarm), .handedOver(alarm, .confirmed)])
        #expect(await eventually { hasOwnMessageAnswered(server) }, "\(messages(server))")
        try await line.stop()
    }

    @Test(arguments: [false, true])
    func `fails where nobody listens, and works again when the server is back`(tcp: Bool) async throws {
        let server = try await SIPRig.sipp("body", tcp: tcp)
        let line = try SIPRig.Line(server, tcp ? .tcp : .udp)
        try line.send(order)
        #expect(await line.wait { $0.words.contains(accepted) }, "\(line.all)")
        server.stop()
        try line.send(SCAIPSample.order(round: 2))
        #expect(await line.wait { !$0.failures.isEmpty }, "\(line.all)")
        let back = try await SIPRig.sipp("body", tcp: tcp, port: server.port)
        try line.send(SCAIPSample.order(round: 2))
        #expect(await line.wait { $0.words.filter { $0 == accepted }.count == 2 }, "\(line.all)")
        back.stop()
        try await line.stop()
    }

    @Test func `takes a new way after a silent attempt`() async throws {
        let server = try await SIPRig.sipp("silent")
        let line = try SIPRig.Line(server) { $0.attemptLimit = .seconds(1) }
        for count in 1...2 {
            try line.send(order)
            #expect(await line.wait { $0.failures.count == count }, "\(line.all)")
        }
        let ways = messages(server).matches(of: /Via: SIP\/2.0\/UDP (127\.0\.0\.1:\d+)/).map { String($0.1) }
        #expect(Set(ways).count == 2, "\(ways)")
        try await line.stop()
    }

    /// The port is bound again for the new way, while the old one still has a message out.
    @Test func `keeps a port of its own over a failure`() async throws {
        let server = try await SIPRig.sipp("silent")
        let own = freePort()
        let line = try SIPRig.Line(server) {
            $0.localPort = own
            $0.attemptLimit = .seconds(1)
        }
        try line.send(order)
        #expect(await line.wait { $0.failures.count == 1 }, "\(line.all)")
        server.stop()
        let back = try await SIPRig.sipp("own-message", port: server.port)
        try line.send(order)
        #expect(await line.wait { $0.words.contains(accepted) }, "\(line.all)")
        #expect(messages(back).contains("Via: SIP/2.0/UDP 127.0.0.1:\(own)"))
        try await line.stop()
    }

    @Test func `takes a call back after it, in order`() async throws {
        let server = try await SIPRig.sipp("body")
        let line = try SIPRig.Line(server)
        try line.send(order)
        try line.send(SCAIPSample.retraction())
        #expect(await line.wait { $0.words.contains(.retracted(alarm)) }, "\(line.all)")
        #expect(
            line.words == [.dispatched(alarm), .handedOver(alarm, .confirmed), accepted, .retracted(alarm)])
        try await line.stop()
    }

    @Test func `tests itself with a heartbeat, and sends them unasked`() async throws {
        let server = try await SIPRig.sipp("own-message")
        let line = try SIPRig.Line(server) { $0.heartbeatInterval = .seconds(3_600) }
        let works = ChannelTest.works(detail: "the centre answers heartbeats")
        #expect(await line.wait { $0.all.contains(.test(works)) }, "\(line.all)")
        line.channel.test()
        #expect(await line.wait { $0.all.filter { $0 == .test(works) }.count == 2 }, "\(line.all)")
        #expect(messages(server).contains("<mty>PI</mty>"))
        try await line.stop()
    }

    @Test func `fails its test where the host has no address`() async throws {
        let server = try await SIPRig.sipp("body")
        let line = try SIPRig.Line(server) { $0.host = "no-such-host.invalid" }
        line.channel.test()
        let hasFailed = await line.wait { line in
            line.all.contains {
                if case .test(.fails(let reason)) = $0 { reason.contains("cannot be looked up") } else { false }
            }
        }
        #expect(hasFailed, "\(line.all)")
        try await line.stop()
    }

    @Test func `ends within its limit with a call on the way to nobody`() async throws {
        let server = try await SIPRig.sipp("silent")
        let line = try SIPRig.Line(server) { $0.attemptLimit = .seconds(30) }
        try line.send(order)
        #expect(await eventually { messages(server).contains("<mrq>") })
        let before = ContinuousClock.now
        try await line.stop()
        // The limit is 2 s; twice that for a machine under load.
        #expect(before.duration(to: .now) < HelpChannelLimits.stop * 2)
    }

    /// The thread, its sockets and libre's transactions come and go.
    @Test func `leaves nothing open behind it`() async throws {
        let server = try await SIPRig.sipp("body")
        let first = try SIPRig.Line(server)
        try first.send(order)
        #expect(await first.wait { $0.words.contains(accepted) })
        try await first.stop()
        let before = SIPRig.openSockets()
        for _ in 0..<5 {
            let line = try SIPRig.Line(server)
            try line.send(order)
            #expect(await line.wait { $0.words.contains(accepted) })
            try await line.stop()
        }
        #expect(SIPRig.openSockets() <= before)
    }
}

extension String {
    fileprivate func components(_ separator: String) -> [String] {
        split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }
}

@Suite struct `The settings of a SCAIP channel` {
    private func refusal(_ change: (inout SCAIPChannel.Settings) -> Void) -> String? {
        var settings = SCAIPChannel.Settings(
            id: ChannelID(sample: "centre"), centreName: "the centre", host: "centre.example", transport: .udp,
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
