import Consent
import Foundation
import GatewayModel
import Samples
import SeededRandom
import TestSupport
import Testing

extension Integration {
    @Suite struct SharingAtRandom {
        /// Seen from the broker: a subscriber recorded exactly the granted messages.
        @Test(arguments: [1, 2] as [UInt64])
        func `a party gets what was granted while it was, through outages and restarts`(seed: UInt64)
            async throws
        {
            try await House.with { house in
                try Sharing.ask(house, ConsentSample.request("heart-1"))
                var run = try await RandomSharing(house, seed: seed)
                for _ in 0..<25 { try await run.step() }
                try await run.end()
            }
        }
    }
}

/// A house in which one grant comes and goes, with a record of the messages that the party is to get.
private struct RandomSharing {
    private let house: House
    private var gateway: House.Gateway
    private var witness: Witness
    private var random: SeededGenerator
    /// Messages seen by the witnesses before the broker went away.
    private var seen: [WireMessage] = []
    private var isUp = true
    private var epoch: Int?
    private var value = 60.0
    /// The expected grant of each reading, by the reading's value.
    private var expected: [Double: Int] = [:]
    /// Sent while there was no broker: deleted with a withdrawal.
    private var waiting: [Double: Int] = [:]
    private var sent: [Double] = []

    init(_ house: House, seed: UInt64) async throws {
        (self.house, random) = (house, SeededGenerator(seed: seed))
        gateway = try await house.start()
        witness = try await house.witness()
        try await house.rig.subscribed()
    }

    mutating func step() async throws {
        switch Int.random(in: 0..<10, using: &random) {
        case ..<5: try await read()
        case ..<8: try await decide()
        case 8: try await isUp ? stopBroker() : startBroker()
        default: try await restart()
        }
    }

    private mutating func read() async throws {
        value += 1
        sent.append(value)
        let now = value
        try await house.rig.send(Int(value))
        try await gateway.feed.first("reading") { $0.value == now }
        if isUp { try await witness.sample(value) }
        guard let epoch else { return }
        if isUp {
            // Otherwise a withdrawal could overtake it.
            try await witness.first("the copy of \(now)") {
                $0.topic.contains("/parties/") && $0.payload.value == now
            }
        }
        if isUp { expected[value] = epoch } else { waiting[value] = epoch }
    }

    private mutating func decide() async throws {
        let answer = try await house.command("consent", epoch == nil ? "accept" : "withdraw", "heart-1")
        #expect(answer.code == 0, "\(answer)")
        guard epoch == nil else {
            (epoch, waiting) = (nil, [:])
            return
        }
        let history = try await house.command("consent", "history").output.split(separator: "\n")
        epoch = history.last.flatMap { Int($0.prefix { $0.isNumber }) }
        #expect(epoch != nil, "\(history)")
    }

    private mutating func stopBroker() async throws {
        // All offered messages have arrived: later ones waited.
        try await house.status(showing: "unsent messages: 0")
        let mark = gateway.feed.mark
        seen += witness.messages
        try await house.rig.perform("broker", "stop")
        try await gateway.feed.first("health", after: mark) {
            $0.code == "broker-unreachable" && $0.raised == true
        }
        isUp = false
    }

    private mutating func startBroker() async throws {
        try await house.rig.perform("broker", "start")
        witness = try await house.witness()
        isUp = true
        try await house.status(showing: "unsent messages: 0")
        expected.merge(waiting) { first, _ in first }
        waiting = [:]
    }

    private mutating func restart() async throws {
        let mark = house.rig.mark
        let stop = try await gateway.daemon.terminate()
        #expect(stop.code == 0)
        gateway = try await house.start()
        try await house.rig.subscribed(after: mark)
    }

    mutating func end() async throws {
        if !isUp { try await startBroker() }
        try await read()
        try await house.status(showing: "unsent messages: 0")
        seen += witness.messages
        let shared = seen.filter { $0.topic.contains("/parties/") }
        var got: [Double: Int] = [:]
        for message in shared {
            #expect(message.topic.hasSuffix("/parties/clinic/maria/heart-rate"), "\(message)")
            let value = try #require(message.payload.value)
            got[value] = message.text.firstMatch(of: /"grant":(\d+)/).flatMap { Int($0.1) }
        }
        #expect(got == expected, "sent \(sent)")
        #expect(!expected.isEmpty && expected.count < sent.count, "nothing was tried")
    }
}
