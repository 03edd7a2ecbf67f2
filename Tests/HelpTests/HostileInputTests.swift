import Foundation
import GatewayModel
import Glibc
import HelpLine
import HostileInput
import SOSLocal
import SeededRandom
import TestSupport
import Testing

@testable import CareCentre
@testable import SIP
@testable import TextMessages

@Suite(.serialized) struct `Hostile input of the ways to help` {
    // MARK: Texts

    private static let code = "CODE"

    private static let texts = [
        code, "ok \(code)!", "I go\n\(code)", "ho visto, \(code). 5 minuti", "4821 \(code) 1",
        "\u{FEFF}\(code)",
    ].map { Array($0.utf8) }

    private static func listening() throws -> (desk: SMSMachine, code: String) {
        var desk = SMSMachine(
            recipients: [TextSample.anna, TextSample.carlo], repeatInterval: .seconds(300), testText: nil,
            takesReplies: true, startingAt: TextSample.at(0))
        let call = TextSample.call()
        let code = desk.code(for: call)
        _ = desk.give(call, TextMessage([.init("HELP")]), at: TextSample.at(14))
        return (desk, try #require(code).digits)
    }

    /// A text of hostile content from a recipient. D-Bus hands over well-formed UTF-8 alone.
    @Test func `in a text accepts no call whose code it does not hold`() throws {
        var accepted = 0
        try Campaign("text").run(seeds: Self.texts, words: [Self.code, "0", "-", "\u{0}", "é", "٤"]) {
            input in
            var (desk, code) = try Self.listening()
            let bytes = input.split(separator: Array(Self.code.utf8), omittingEmptySubsequences: false)
                .joined(separator: code.utf8)
            let text = String(decoding: Array(bytes), as: UTF8.self)
            _ = desk.received(IncomingText(id: "/0", sender: text, text: text))
            let steps = desk.received(IncomingText(id: "/1", sender: TextSample.anna.text, text: text))
            guard steps.contains(where: { if case .report(.accepted) = $0 { true } else { false } }) else {
                return
            }
            accepted += 1
            let groups = text.unicodeScalars.split { !("0"..."9").contains($0) }.map { String($0) }
            #expect(groups.prefix(ReplyCode.mostWrong).contains(code), "\(text)")
        }
        #expect(accepted > 0, "the sound texts at least")
    }

    // MARK: SIP

    private static func message(_ start: String, _ body: String, _ more: String = "") -> [UInt8] {
        Array(
            """
            \(start)\r
            Via: SIP/2.0/UDP 127.0.0.1:5999;rport;branch=z9hG4bK1\r
            Max-Forwards: 70\r
            From: "The centre" <sip:centre@127.0.0.1:5999>;tag=a\r
            To: <sip:26317@centre.example>\r
            Call-ID: 1@127.0.0.1\r
            CSeq: 1 \(start.split(separator: " ")[0] == "SIP/2.0" ? "MESSAGE" : start.split(separator: " ")[0])\r
            Contact: <sip:centre@127.0.0.1:5999;transport=udp>\r
            \(more)Content-Length: \(body.utf8.count)\r
            \r
            \(body)
            """.utf8)
    }

    private static let messages = [
        message(
            "MESSAGE sip:26317@127.0.0.1 SIP/2.0", "<mrs><ref>0</ref><snu>0</snu></mrs>",
            "Content-Type: application/scaip+xml\r\n"),
        message("OPTIONS sip:26317@127.0.0.1 SIP/2.0", "", "Accept: application/sdp\r\n"),
        message(
            "INVITE sip:26317@127.0.0.1 SIP/2.0",
            "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 4000 RTP/AVP 0 101\r\n"
                + "a=rtpmap:101 telephone-event/8000\r\n",
            "Content-Type: application/sdp\r\nSupported: timer, 100rel\r\n"),
        message("INFO sip:26317@127.0.0.1 SIP/2.0", "Signal=1", "Content-Type: application/dtmf-relay\r\n"),
        message("BYE sip:26317@127.0.0.1 SIP/2.0", ""), message("SIP/2.0 200 OK", ""),
        message(
            "SIP/2.0 401 Unauthorized", "",
            "WWW-Authenticate: Digest realm=\"centre\", nonce=\"1\", qop=\"auth\"\r\n"),
        message("SIP/2.0 302 Moved", "", "Record-Route: <sip:127.0.0.1;lr>\r\n"), Array("\r\n\r\n".utf8),
    ]

    private static let sipWords = [
        "\r\n", "\r\n\r\n", "\r\n ", ":", ";", ",", "=", "\"", "<", ">", "sip:", "sips:", "tel:+1", "SIP/2.0 ",
        "@",
        "%00", "\u{0}", ";lr", ";maddr=127.0.0.1", ";received=", ";rport=99999", "[::1]", "z9hG4bK",
        "Content-Length: 4294967296\r\n", "Content-Length: -1\r\n", "CSeq: 4294967296 MESSAGE\r\n",
        "Expires: -1\r\n",
        "Via: ", "Route: <sip:127.0.0.1;lr>\r\n", "Max-Forwards: 0\r\n", "é",
    ]

    /// A socket of the centre's address, to a port of 127.0.0.1.
    private static func socket(_ kind: Int, to port: UInt16) -> Int32 {
        let descriptor = Glibc.socket(AF_INET, Int32(kind) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if result != 0 {
            close(descriptor)
            return -1
        }
        return descriptor
    }

    /// Waits until the port has read most of its queue, 20 s at most. The queue holds 200 kB, and an input has 64 kB at most.
    private static func drain(_ port: UInt16) {
        for _ in 0..<100_000 {
            guard SIPRig.queue(at: port).bytes > 50_000 else { return }
            usleep(200)
        }
    }

    /// Whether the port answers a sound request within 0.5 s.
    private static func isAnswered(_ kind: Int, at port: UInt16) -> Bool {
        let descriptor = socket(kind, to: port)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var limit = timeval(tv_sec: 0, tv_usec: 500_000)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let request = message("OPTIONS sip:26317@127.0.0.1 SIP/2.0", "")
        guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) > 0 else { return false }
        var answer = [UInt8](repeating: 0, count: 64)
        return recv(descriptor, &answer, answer.count, 0) > 0 && answer.starts(with: "SIP/2.0 200".utf8)
    }

    @Test(.enabled(if: SIPRig.isInstalled), arguments: [SCAIPChannel.Settings.Transport.udp, .tcp])
    func `at the port of a SCAIP channel stops no call`(transport: SCAIPChannel.Settings.Transport) async throws
    {
        let port = freePort()
        let centre = try await SIPRig.sipp("own-message", tcp: transport == .tcp)
        let line = try SIPRig.Line(centre, transport) { $0.localPort = port }
        #expect(await eventually { SIPRig.isBound(port) })
        var generator = SeededGenerator(seed: 3)
        var (descriptor, left, sent) = (Int32(-1), 0, 0)
        let kind = Int((transport == .udp ? SOCK_DGRAM : SOCK_STREAM).rawValue)
        let campaign = Campaign(transport == .udp ? "sip-udp" : "sip-tcp")
        campaign.run(seeds: Self.messages, words: Self.sipWords) {
            input in
            if left == 0 {
                if descriptor >= 0 { close(descriptor) }
                descriptor = Self.socket(kind, to: port)
                left = Int.random(in: 1...40, using: &generator)
            }
            left -= 1
            if transport == .udp { Self.drain(port) }
            if send(descriptor, input, input.count, Int32(MSG_NOSIGNAL)) > 0 {
                sent += 1
            } else {
                left = 0
            }
        }
        if descriptor >= 0 { close(descriptor) }
        #expect(sent > campaign.inputs / 4)
        // The port reads in the order of arrival: its answer to this request comes after all inputs.
        #expect(await eventually { Self.isAnswered(kind, at: port) })
        #expect(SIPRig.queue(at: port).dropped == 0)
        // The port reads 50 requests in a second, also of the centre. The next second begins before the call.
        try await Task.sleep(for: .seconds(1))
        let order = SCAIPSample.order()
        try line.send(order)
        let accepted = ChannelEvent.accepted(order.alarm, of: nil, by: "the centre")
        #expect(await line.wait { $0.words.contains(accepted) }, "\(line.all) \(centre.log)")
        try await line.stop()
    }
}
