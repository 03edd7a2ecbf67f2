import BrokerSupport
import Consent
import Contract
import Foundation
import GatewayModel
import HostileInput
import Samples
import SeededRandom
import Synchronization
import TestSupport
import Testing

@testable import MQTTBridge

@Suite(.serialized) struct `Hostile input of a broker` {
    /// Packets of a connection, the bytes of one after those of the other.
    private static let packets: [[UInt8]] = [
        // CONNACK with a receive maximum and an alias maximum, SUBACK, PUBACK with and without a reason.
        [0x20, 0x09, 0x00, 0x00, 0x06, 0x21, 0x00, 0x14, 0x22, 0x00, 0x0A],
        [0x90, 0x04, 0x00, 0x01, 0x00, 0x01],
        [0x40, 0x02, 0x00, 0x01], [0x40, 0x04, 0x00, 0x01, 0x10, 0x00],
        ScriptedBroker.publish("commands", Array("a.b.c".utf8), packet: 7),
        ScriptedBroker.publish("commands", Array("{\"alarm\":1}".utf8), packet: 8),
        // A PUBLISH with properties, PUBREL, PINGRESP, AUTH, DISCONNECT with a reason.
        [0x30, 0x09, 0x00, 0x01, 0x78, 0x04, 0x01, 0x01, 0x23, 0x00, 0x01, 0x79], [0x62, 0x02, 0x00, 0x01],
        [0xD0, 0x00], [0xF0, 0x02, 0x18, 0x00],
        [0xE0, 0x08, 0x8B, 0x06, 0x1F, 0x00, 0x03, 0x6F, 0x66, 0x66], [0x20, 0x03, 0x00, 0x87, 0x00],
    ]

    private static let words = [
        "\u{0}", "\u{0}\u{1}", "\u{1F}\u{0}\u{3}off", "\u{26}\u{0}\u{1}a\u{0}\u{1}b", "commands", "#", "+/",
        "$",
        "\u{7F}", "\u{20}\u{3}\u{0}\u{0}\u{0}",
    ]
    /// Inputs on one connection.
    private static let together = 8

    /// The library may end its own process. The daemon's side starts another one, and loses no message.
    @Test func `ends no parent of its process, and each message goes out once afterwards`() async throws {
        let answer = Mutex<[UInt8]>([])
        let hostile = ScriptedBroker(hangsUp: true) { $0[0] & 0xF0 == 0x10 ? answer.withLock(\.self) : [] }
        let source = QueueSource(Envelope.numbered(20, topic: "t"))
        var endings: [String: Int] = [:]
        let host = LocalHost(
            source: source,
            receive: { _ in .kept }, onEvent: { _ in }, control: try SessionControl())
        let session = SessionProcess(
            program: BuiltProgram.homegateway, settings: .local(hostile.port), subscriptions: ["commands"],
            host: host)
        var generator = SeededGenerator(seed: 11)
        var (bytes, count) = ([UInt8](), 0)
        Campaign("broker-packets").run(seeds: Self.packets, words: Self.words) { input in
            if count == 0 { bytes = Bool.random(using: &generator) ? ScriptedBroker.welcome : [] }
            bytes += input.prefix(4_000)
            count = (count + 1) % Self.together
            guard count == 0 else { return }
            answer.withLock { [bytes] in $0 = bytes }
            let ending = session.attempt(BrokerEndpoint(host: "127.0.0.1", port: hostile.port), .init()).ending
            if case .crashed(let how) = ending { endings[how, default: 0] += 1 }
        }
        session.finish()
        #expect(
            !endings.keys.contains { $0.contains("hung") || $0.contains("broke its protocol") }, "\(endings)")

        // Messages that the hostile broker has acknowledged are gone; all others go out to an honest one.
        let honest = ScriptedBroker { packet in
            switch packet[0] & 0xF0 {
            case 0x10: ScriptedBroker.welcome
            case 0x30: ScriptedBroker.acknowledge(packet)
            default: []
            }
        }
        let running = try RunningSession(.local(honest.port), source, isProcess: true)
        try await running.run(drain: .seconds(5)) {
            #expect(await source.answers.wait(upTo: .seconds(60)) { $0.count >= 20 })
        }
        let state = source.snapshot
        #expect(state.violations.isEmpty)
        #expect(state.acknowledged.count + state.refused.count == 20)
        #expect(state.acknowledged.values.allSatisfy { $0 == 1 })
    }
}
