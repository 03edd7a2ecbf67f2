import GatewayModel
import Testing

@testable import MQTTBridge

@Suite struct MQTTBridgePolicyTests {
    private func at(_ seconds: Int64) -> BootInstant { BootInstant(nanoseconds: seconds * 1_000_000_000) }
    private let lost = Ending.lost("test")

    @Test func `waits double from half a second to thirty`() {
        var policy = SessionPolicy()
        let waits = (0..<9).map { _ in policy.wait(after: lost, at: at(0), chance: 0.5) }
        #expect(waits == [0.5, 1, 2, 4, 8, 16, 30, 30, 30].map { .milliseconds(Int64($0 * 1000)) })
    }

    @Test func `chance spreads a wait by a quarter either way`() {
        var policy = SessionPolicy()
        #expect(policy.wait(after: lost, at: at(0), chance: 0) == .milliseconds(375))
        #expect(policy.wait(after: lost, at: at(0), chance: 1) == .milliseconds(1250))
    }

    @Test func `only a connection that lasted clears the back off`() {
        var policy = SessionPolicy()
        for _ in 0..<3 { _ = policy.wait(after: lost, at: at(0), chance: 0.5) }
        policy.connected(at: at(10))
        #expect(policy.wait(after: lost, at: at(19), chance: 0.5) == .seconds(4))
        policy.connected(at: at(30))
        #expect(policy.wait(after: lost, at: at(40), chance: 0.5) == .milliseconds(500))
    }

    @Test(arguments: [0x84, 0x85, 0x86, 0x87, 0x8A, 0x8C, 0x8E, 0x90, 0x95, 0x99, 0x9A, 0x9B] as [UInt8])
    func `a refusal that a person must mend is tried once a minute`(_ code: UInt8) {
        #expect(!ReasonCode(rawValue: code).retryHelps)
        var policy = SessionPolicy()
        let ending = Ending.refused(ReasonCode(rawValue: code), "test")
        // 0x84 first moves to 3.1.1, 0x9A to no retained messages; refused as well, it waits like the others.
        if code == 0x84 || code == 0x9A { #expect(policy.wait(after: ending, at: at(0), chance: 0.5) == .zero) }
        #expect(policy.wait(after: ending, at: at(0), chance: 0.5) == .seconds(60))
    }

    @Test(arguments: [0x80, 0x83, 0x88, 0x89, 0x8B, 0x8D, 0x96, 0x97, 0x9F, 0xA0] as [UInt8])
    func `a refusal that passes by itself is tried with back-off`(_ code: UInt8) {
        #expect(ReasonCode(rawValue: code).retryHelps)
        var policy = SessionPolicy()
        let ending = Ending.refused(ReasonCode(rawValue: code), "test")
        #expect(policy.wait(after: ending, at: at(0), chance: 0.5) == .milliseconds(500))
    }

    @Test
    func `only a refused version leads to version 3.1.1 and the next connection asks for version 5 again`() {
        var policy = SessionPolicy()
        _ = policy.wait(after: lost, at: at(0), chance: 0.5)
        #expect(policy.manner.version == .v5)
        _ = policy.wait(after: .refused(.unsupportedProtocolVersion, ""), at: at(1), chance: 0.5)
        #expect(policy.manner.version == .v311)
        _ = policy.wait(after: lost, at: at(2), chance: 0.5)
        #expect(policy.manner.version == .v311)
        policy.connected(at: at(3))
        _ = policy.wait(after: lost, at: at(100), chance: 0.5)
        #expect(policy.manner.version == .v5)
    }

    @Test func `an unanswered connect is asked in the old version and then without a will`() {
        var policy = SessionPolicy()
        #expect(policy.wait(after: .unanswered(""), at: at(0), chance: 0.5) == .zero)
        #expect(policy.manner.version == .v311 && policy.manner.mayWill)
        #expect(policy.wait(after: .unanswered(""), at: at(0), chance: 0.5) == .zero)
        #expect(policy.manner.version == .v5 && !policy.manner.mayWill)
        #expect(policy.wait(after: .unanswered(""), at: at(0), chance: 0.5) == .milliseconds(500))
        #expect(policy.manner == BrokerConnection.Manner())
    }

    @Test func `a broker that leaves version 5 unanswered is asked with 3.1.1 until an attempt fails`() {
        var policy = SessionPolicy()
        #expect(policy.wait(after: .silent(""), at: at(0), chance: 0.5) == .zero)
        #expect(policy.hasConceded)
        #expect(policy.manner.version == .v311)
        policy.connected(at: at(1))
        _ = policy.wait(after: lost, at: at(100), chance: 0.5)
        #expect(policy.manner.version == .v311, "the ten seconds are not spent again")
        policy.connected(at: at(101))
        _ = policy.wait(after: lost, at: at(200), chance: 0.5)
        #expect(policy.manner.version == .v311)
        _ = policy.wait(after: lost, at: at(201), chance: 0.5)
        #expect(policy.manner.version == .v5)
    }

    @Test func `a silence in both versions waits like any other failure`() {
        var policy = SessionPolicy()
        #expect(policy.wait(after: .silent(""), at: at(0), chance: 0.5) == .zero)
        #expect(policy.wait(after: .silent(""), at: at(10), chance: 0.5) == .milliseconds(500))
        #expect(policy.manner.version == .v5)
    }

    @Test func `processes that end wait with back off and lead to the old version in turn`() {
        var policy = SessionPolicy()
        let crashed = Ending.crashed("test")
        var versions: [ProtocolVersion] = []
        let waits = (0..<6).map { _ in
            versions.append(policy.manner.version)
            return policy.wait(after: crashed, at: at(0), chance: 0.5)
        }
        #expect(waits == [0.5, 1, 2, 4, 8, 16].map { .milliseconds(Int64($0 * 1000)) })
        #expect(versions == [.v5, .v5, .v311, .v5, .v311, .v5])
        #expect(policy.crashes == 6)
        policy.connected(at: at(100))
        _ = policy.wait(after: lost, at: at(200), chance: 0.5)
        #expect(policy.crashes == 0)
    }

    @Test func `a process that ends leads to the next broker`() {
        var policy = SessionPolicy(brokers: 2)
        #expect(policy.wait(after: .crashed(""), at: at(0), chance: 0.5) == .zero)
        #expect(policy.broker == 1)
    }

    @Test func `connections that are closed soon without a reason point at a second client`() {
        var policy = SessionPolicy()
        func close(after seconds: Int64, _ ending: Ending) -> Bool {
            policy.connected(at: at(0))
            _ = policy.wait(after: ending, at: at(seconds), chance: 0.5)
            return policy.isSessionContested
        }
        #expect(!close(after: 1, .closed("")))
        #expect(!close(after: 1, .closed("")))
        #expect(close(after: 1, .closed("")))
        #expect(!close(after: 1, .lost("")), "a network that broke")
        #expect(!close(after: 1, .closed("")))
        #expect(!close(after: 60, .closed("")))
        #expect(!close(after: 1, .closed("")))
    }

    @Test func `the window is the smaller of ours and the brokers`() {
        func room(_ receiveMaximum: Int) -> Int {
            var inFlight = InFlight(receiveMaximum: receiveMaximum)
            var packet: Int32 = 0
            while inFlight.hasRoom {
                packet += 1
                inFlight.sent(MessageID("00000000-0000-7000-8000-000000000000")!, as: packet, at: at(0))
            }
            return inFlight.count
        }
        #expect(room(65_535) == 20)
        #expect(room(7) == 7)
        #expect(room(1) == 1)
    }

    @Test func `an acknowledgement counts once and an unknown packet not at all`() {
        let id = MessageID("00000000-0000-7000-8000-000000000000")!
        var inFlight = InFlight(receiveMaximum: 20)
        inFlight.sent(id, as: 5, at: at(0))
        #expect(inFlight.answered(6) == nil)
        #expect(inFlight.answered(5) == id)
        #expect(inFlight.answered(5) == nil)
        #expect(inFlight.isEmpty)
    }

    @Test func `the oldest message in flight decides whether the connection is dead`() {
        var inFlight = InFlight(receiveMaximum: 20)
        #expect(!inFlight.isOverdue(at: at(100), limit: .seconds(10)))
        inFlight.sent(MessageID("00000000-0000-7000-8000-000000000000")!, as: 1, at: at(0))
        inFlight.sent(MessageID("00000000-0000-7000-8000-000000000001")!, as: 2, at: at(5))
        #expect(!inFlight.isOverdue(at: at(9), limit: .seconds(10)))
        #expect(inFlight.isOverdue(at: at(10), limit: .seconds(10)))
        _ = inFlight.answered(1)
        #expect(!inFlight.isOverdue(at: at(10), limit: .seconds(10)))
    }

    @Test func `a reason code is named and numbered`() {
        #expect("\(ReasonCode(rawValue: 0x87))" == "not authorized (0x87)")
        #expect("\(ReasonCode(rawValue: 0x00))" == "success (0x00)")
        #expect("\(ReasonCode(rawValue: 0xEE))" == "unknown reason (0xEE)")
        #expect(!ReasonCode(rawValue: 0x10).isFailure)
    }
}
