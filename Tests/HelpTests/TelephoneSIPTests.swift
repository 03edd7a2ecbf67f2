import Foundation
import GatewayModel
import HelpLine
import ModelSamples
import SOSLocal
import TestSupport
import Testing

@testable import TelephoneCalls

/// A telephone channel under test, with all it told.
struct RunningTelephone: Sendable {
    let channel: TelephoneChannel
    let words = Recorder<ChannelEvent>()
    let tests = Recorder<ChannelTest>()
    let notes = Recorder<CallNote>()

    init(
        _ way: TelephoneChannel.Way, _ change: (inout TelephoneChannel.Settings) -> Void = { _ in }
    ) throws {
        let (words, tests, notes) = (words, tests, notes)
        var settings = TelephoneChannel.Settings(
            id: ChannelID(sample: "family"), recipients: [TextSample.anna.text, TextSample.carlo.text], way: way
        )
        settings.ringLimit = .seconds(10)
        settings.attemptLimit = .seconds(5)
        settings.repeatInterval = .seconds(5)
        change(&settings)
        channel = try TelephoneChannel(
            settings, reports: ChannelReports(about: words.add, tested: tests.add, noticed: { _, _ in }),
            onNote: notes.add)
    }

    init(
        _ server: SIPRig.Server, _ transport: TelephoneChannel.Account.Transport = .udp,
        host: String = "127.0.0.1",
        login: TelephoneChannel.Account.Login? = nil,
        _ change: (inout TelephoneChannel.Settings) -> Void = { _ in }
    ) throws {
        try self.init(
            .sip(
                TelephoneChannel.Account(
                    host: host, port: server.port, transport: transport, fromURI: "sip:26317@centre.example",
                    login: login)), change)
    }

    /// Runs the channel around `body`, and stops it whatever `body` does.
    func run(_ body: () async throws -> Void) async throws {
        async let running: Void = channel.run()
        do { try await body() } catch {
            channel.stop()
            try await running
            throw error
        }
        channel.stop()
        try await running
    }

    func send(_ message: HelpMessage) throws { channel.send(try TextSample.cleared(message)) }

    func wait(upTo bound: Duration = .seconds(40), _ isTold: @escaping @Sendable (ChannelEvent) -> Bool) async
        -> Bool
    {
        await words.wait(upTo: bound) { $0.contains(where: isTold) }
    }

    var isAccepted: Bool { words.values.contains { if case .accepted = $0 { true } else { false } } }

    func waitForAcceptance(upTo bound: Duration = .seconds(40)) async -> String? {
        _ = await wait(upTo: bound) { if case .accepted = $0 { true } else { false } }
        for case .accepted(_, _, let name, true) in words.values { return name }
        return nil
    }

    func failure(upTo bound: Duration = .seconds(40)) async -> String {
        _ = await wait(upTo: bound) { if case .failed = $0 { true } else { false } }
        for case .failed(_, _, let reason) in words.values { return reason }
        return ""
    }

    func test() async -> ChannelTest? {
        let before = tests.values.count
        channel.test()
        #expect(await tests.wait(upTo: .seconds(60)) { $0.count > before })
        return tests.values.last
    }
}

/// Against sipp, which is the telephones, with their ears and keys in the test.
@Suite(.serialized, .enabled(if: SIPRig.isInstalled)) struct `A telephone channel over SIP` {
    private let alarm = TextSample.order().alarm

    private func callee(
        _ peer: TelephonePeer, first: String = "answers", keys: String = "none", tcp: Bool = false
    )
        async throws -> SIPRig.Server
    {
        try await SIPRig.sipp(
            "callee", tcp: tcp, keys: ["voice_port": "\(peer.port)", "first": first, "keys": keys])
    }

    private func log(_ server: SIPRig.Server) -> String {
        (try? String(contentsOf: server.scratch.file("messages"), encoding: .utf8)) ?? ""
    }

    @Test(arguments: [false, true])
    func `speaks to the called person until a key accepts the call`(tcp: Bool) async throws {
        let peer = try TelephonePeer()
        let server = try await callee(peer, tcp: tcp)
        let line = try RunningTelephone(server, tcp ? .tcp : .udp)
        try await line.run {
            try line.send(TextSample.call())
            let handedOver = ChannelEvent.handedOver(alarm, .confirmed)
            #expect(await line.wait { $0 == handedOver }, "\(line.words.values) \(log(server))")
            #expect(await peer.hear(5))
            // Speech: a second that is loud, and not one tone on and on.
            let samples = peer.samples
            let levels = stride(from: 0, to: samples.count - 800, by: 800).map {
                TelephonePeer.level(samples[$0..<$0 + 800])
            }
            #expect(levels.count { $0 > 1_000 } > 8, "\(levels)")
            #expect((levels.max() ?? 0) > 3 * max(levels.min() ?? 0, 1), "\(levels)")
            let packets = peer.packets.values
            #expect(packets.allSatisfy { $0.type == 8 && $0.payload.count == 160 })
            for (one, next) in zip(packets, packets.dropFirst()) {
                #expect(next.sequence == one.sequence &+ 1 && next.timestamp == one.timestamp &+ 160)
            }
            #expect(!line.isAccepted)
            peer.press(5)
            peer.press(1)
            #expect(await line.waitForAcceptance() == "the phone ending in 567")
            // Thanks, and the end.
            #expect(await eventually(within: .seconds(30)) { log(server).contains("BYE sip:") })
        }
        #expect(line.words.values.count { if case .accepted = $0 { true } else { false } } == 1)
        #expect(log(server).contains("sip:+393331234567@centre.example"))
    }

    @Test func `takes a key from SIP INFO`() async throws {
        let peer = try TelephonePeer()
        let server = try await callee(peer, keys: "info")
        let line = try RunningTelephone(server)
        try await line.run {
            try line.send(TextSample.call())
            #expect(await line.waitForAcceptance() == "the phone ending in 567", "\(log(server))")
        }
    }

    @Test func `takes no key from an address that was not called`() async throws {
        let peer = try TelephonePeer()
        let server = try await callee(peer)
        let line = try RunningTelephone(server)
        try await line.run {
            try line.send(TextSample.call())
            #expect(await peer.hear(1))
            for _ in 0..<20 { peer.forge(1) }
            #expect(await peer.hear(1))
            #expect(!line.isAccepted)
            peer.press(1)
            #expect(await line.waitForAcceptance() != nil)
        }
    }

    @Test(arguments: ["busy", "silent"])
    func `calls the next one where the first is busy or does not answer`(first: String) async throws {
        let peer = try TelephonePeer()
        let server = try await callee(peer, first: first)
        let line = try RunningTelephone(server) { $0.ringLimit = .seconds(2) }
        try await line.run {
            try line.send(TextSample.call())
            #expect(await peer.hear(1), "\(log(server))")
            peer.press(1)
            #expect(await line.waitForAcceptance() == "the phone ending in 321")
        }
        #expect(log(server).contains("CANCEL sip:") == (first == "silent"))
    }

    @Test func `hangs up where the alarm is over, and reports it as told`() async throws {
        let peer = try TelephonePeer()
        let server = try await callee(peer, first: "silent")
        let line = try RunningTelephone(server)
        try await line.run {
            try line.send(TextSample.call())
            #expect(await eventually { log(server).contains("180 Ringing") }, "\(log(server))")
            try line.send(TextSample.retraction())
            let retracted = ChannelEvent.retracted(alarm)
            #expect(await line.wait { $0 == retracted })
            #expect(await eventually { log(server).contains("CANCEL sip:") })
        }
        #expect(peer.packets.values.isEmpty)
    }

    @Test func `tells the end to the person on the line`() async throws {
        let peer = try TelephonePeer()
        let server = try await callee(peer)
        let line = try RunningTelephone(server)
        try await line.run {
            try line.send(TextSample.call())
            #expect(await peer.hear(1))
            try line.send(TextSample.retraction())
            #expect(await peer.hear(2))
            peer.press(1)
            let retracted = ChannelEvent.retracted(alarm)
            #expect(await line.wait { $0 == retracted })
            #expect(!line.isAccepted, "an alarm that is over is not accepted")
        }
    }

    @Test func `fails soon where nobody is there, and works again with the server`() async throws {
        let peer = try TelephonePeer()
        let gone = try await callee(peer)
        gone.stop()
        let line = try RunningTelephone(gone, .tcp)
        try await line.run {
            try line.send(TextSample.call())
            #expect(await line.failure().contains("cannot be reached"), "\(line.words.values)")
            #expect(await line.test()?.failure?.contains("check address, port and transport") == true)
        }
    }

    private func login(_ scratch: ScratchDirectory, _ password: String = "secret\n") throws
        -> TelephoneChannel.Account.Login
    {
        .init(user: "26317", passwordFile: try scratch.write(password, to: "password").path)
    }

    @Test(arguments: [false, true])
    func `calls with its account, over TLS too`(isSecret: Bool) async throws {
        let peer = try TelephonePeer()
        let phones = try await callee(peer)
        let scratch = try ScratchDirectory()
        let server = try await SIPRig.kamailio(
            tls: isSecret ? try SIPRig.certificate(for: "DNS:localhost", in: scratch) : nil, callee: phones.port
        )
        let line = try RunningTelephone(
            server, isSecret ? .tls(caFile: scratch.file("ca.pem").path) : .tcp,
            host: isSecret ? "localhost" : "127.0.0.1", login: try login(scratch))
        try await line.run {
            #expect(await line.notes.wait { $0.contains(.registered) }, "\(line.notes.values)")
            #expect(await line.test() == .works(detail: "family knows the account"), "\(server.log)")
            try line.send(TextSample.call())
            #expect(await peer.hear(1), "\(line.words.values) \(server.log) \(log(phones))")
            peer.press(1)
            #expect(await line.waitForAcceptance() != nil)
            #expect(
                await eventually(within: .seconds(30)) { log(phones).contains("BYE sip:") }, "\(server.log)")
        }
        #expect(server.log.contains("AUTHENTICATED 26317 INVITE"))
    }

    @Test func `says in its test that it has no voice`() async throws {
        let server = try await SIPRig.kamailio()
        let line = try RunningTelephone(server, .tcp, login: try login(server.scratch)) {
            $0.voiceProgram = "espeak-of-nobody"
        }
        try await line.run {
            #expect(await line.test()?.failure?.contains("apt-get install espeak-ng") == true)
        }
    }

    @Test func `says what to do where the password is wrong`() async throws {
        let phones = try await callee(try TelephonePeer())
        let server = try await SIPRig.kamailio(callee: phones.port)
        let scratch = try ScratchDirectory()
        let line = try RunningTelephone(server, login: try login(scratch, "wrong\n"))
        try await line.run {
            #expect(await line.test()?.failure?.contains("check username, password_file") == true)
            try line.send(TextSample.call())
            #expect(await line.failure().contains("check username, password_file"), "\(line.words.values)")
        }
        #expect(!log(phones).contains("INVITE"))
    }

    @Test func `calls nobody over a server whose certificate is for another name`() async throws {
        let phones = try await callee(try TelephonePeer())
        let scratch = try ScratchDirectory()
        let server = try await SIPRig.kamailio(
            tls: try SIPRig.certificate(for: "DNS:other.example", in: scratch), callee: phones.port)
        let line = try RunningTelephone(server, .tls(caFile: scratch.file("ca.pem").path), host: "localhost")
        try await line.run {
            try line.send(TextSample.call())
            #expect(await line.failure().contains("hostname mismatch"), "\(line.words.values)")
        }
        #expect(!log(phones).contains("INVITE") && !server.log.contains("INVITE"))
    }

    @Test func `plays a tone where it has no voice, and takes the key all the same`() async throws {
        let peer = try TelephonePeer()
        let server = try await callee(peer)
        let line = try RunningTelephone(server) { $0.voiceProgram = "espeak-of-nobody" }
        try await line.run {
            try line.send(TextSample.call())
            #expect(await peer.hear(2))
            #expect(TelephonePeer.level(peer.samples[...]) > 1_000)
            peer.press(1)
            #expect(await line.waitForAcceptance() != nil)
        }
        #expect(line.notes.values.contains { if case .noVoice = $0 { true } else { false } })
    }

    @Test func `refuses settings that could only fail later`() throws {
        let account = TelephoneChannel.Account(
            host: "pbx.example", port: nil, transport: .udp, fromURI: "sip:pbx.example", login: nil)
        #expect(throws: TelephoneError.self) { try RunningTelephone(.sip(account)) }
        let missing = TelephoneChannel.Account(
            host: "pbx.example", port: nil, transport: .udp, fromURI: "sip:me@pbx.example",
            login: .init(user: "me", passwordFile: "/nonexistent"))
        #expect(throws: TelephoneError.self) { try RunningTelephone(.sip(missing)) }
    }
}
