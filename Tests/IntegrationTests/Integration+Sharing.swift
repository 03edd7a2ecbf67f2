import Consent
import Foundation
import GatewayModel
import ModelSamples
import Samples
import TestSupport
import Testing
import Vault

extension Integration {
    @Suite struct Sharing {
        /// As the cloud does, before the gateway starts.
        static func ask(_ house: House, _ requests: DataRequest...) throws {
            let path = house.scratch.file("state").path
            // A request of long ago would expire.
            let now = WallTime(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1_000))
            let (file, _) = try LedgerFile.open(
                in: path, of: GatewayID(sample: HouseSettings.gateway), at: now)
            var ledger = ConsentLedger(persons: [ConsentSample.maria])
            let acts: [ConsentAct] =
                [.policy(.dataPolicy, .accepted), .policy(.automatedSOS, .accepted)]
                + requests.map { .requested($0) }
            let entries = try acts.flatMap { act in
                try ledger.record(
                    ConsentDecision(
                        act, for: ConsentSample.maria, by: "TrackMe", means: .settings,
                        at: now))
            }
            try file.append(entries, at: now)
        }

        private func shared(_ witness: Witness) -> [WireMessage] {
            witness.messages.filter { $0.topic.contains("/parties/") }
        }

        @Test func `a request is shown, accepted, streamed and withdrawn, and the stream ends on that reading`()
            async throws
        {
            try await House.with { house in
                try Self.ask(house, ConsentSample.request("heart-1"))
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                try await house.rig.send(71)
                try await witness.sample(71)
                var answer = try await house.command("consent", "list")
                #expect(
                    answer.output.contains("request heart-1 of The clinic: waits for an answer"), "\(answer)")
                answer = try await house.command("consent", "show", "heart-1")
                for words in [
                    "for Maria Rossi (maria)", "The clinic (clinic)", "Watching over her heart", "Heart rate",
                ] {
                    #expect(answer.output.contains(words), "\(answer)")
                }
                answer = try await house.command("consent", "accept", "heart-1", "--by", "Maria Rossi")
                #expect(answer.code == 0 && answer.output.contains("request heart-1 granted"), "\(answer)")
                try await house.rig.send(72)
                let copy = try await witness.first("the copy") {
                    $0.topic.hasSuffix("/parties/clinic/maria/heart-rate") && $0.payload.value == 72
                }
                let original = try await witness.sample(72)
                #expect(copy.payload.id != original.payload.id)
                answer = try await house.command("consent", "withdraw", "heart-1", "--by", "Maria Rossi")
                #expect(answer.code == 0, "\(answer)")
                try await house.rig.send(73)
                try await witness.sample(73)
                try await house.rig.send(74)
                try await witness.sample(74)
                #expect(shared(witness).map(\.payload.value) == [72])

                answer = try await house.command("consent", "history")
                #expect(
                    answer.output.contains(
                        "request heart-1 of The clinic withdrawn, by Maria Rossi (command-line)"), "\(answer)")
                answer = try await house.command("consent", "verify")
                #expect(answer.code == 0 && answer.output.contains("5 entries"), "\(answer)")
                _ = try await gateway.daemon.terminate()
                try FileHandle(forWritingTo: house.scratch.file("state/ledger.jsonl")).truncate(atOffset: 300)
                answer = try await house.command("consent", "verify")
                #expect(answer.code == 1 && answer.errors.contains("the ledger ends after line"), "\(answer)")
            }
        }

        @Test
        func `what waits for a party is deleted at the withdrawal while the line is down, over a restart`()
            async throws
        {
            try await House.with { house in
                try Self.ask(house, ConsentSample.request("heart-1"))
                let gateway = try await house.start()
                try await house.rig.subscribed()
                let accepted = try await house.command("consent", "accept", "heart-1")
                #expect(accepted.code == 0, "\(accepted)")
                try await house.rig.perform("broker", "stop")
                try await gateway.feed.health("broker-unreachable", true)
                for rate in [61, 62] { try await house.rig.send(rate) }
                for rate in [61.0, 62] { try await gateway.feed.first("reading") { $0.value == rate } }
                let answer = try await house.command("consent", "withdraw", "heart-1")
                #expect(answer.output.contains("2 unsent messages were deleted"), "\(answer)")
                // Granted again: what waited stays deleted.
                let again = try await house.command("consent", "accept", "heart-1")
                #expect(again.code == 0, "\(again)")
                try await house.rig.send(63)
                try await gateway.feed.first("reading") { $0.value == 63 }
                let stop = try await gateway.daemon.terminate()
                #expect(stop.code == 0)
                try await house.rig.perform("broker", "start")
                let witness = try await house.witness()
                _ = try await house.start()
                for rate in [61.0, 62, 63] { try await witness.sample(rate) }
                try await witness.first("the copy") { $0.topic.contains("/parties/") }
                #expect(shared(witness).map(\.payload.value) == [63])
            }
        }

        @Test
        func `after damage to the ledger no reading leaves until somebody accepts anew, and help is called`()
            async throws
        {
            try await House.with { house in
                try Self.ask(house, ConsentSample.request("heart-1"))
                let ledger = house.scratch.file("state/ledger.jsonl")
                let text = try String(contentsOf: ledger, encoding: .utf8)
                try Data(text.replacing("Watching", with: "Selling!").utf8).write(to: ledger)
                let gateway = try await house.start()
                try await gateway.feed.health("consent-damaged", true)
                let witness = try await house.witness()
                try await house.rig.subscribed()
                try await house.rig.send(71)
                try await gateway.feed.first("reading") { $0.value == 71 }
                let listed = try await house.command("consent", "list")
                #expect(listed.output.contains("maria: data-policy not accepted"), "\(listed)")
                #expect(listed.output.contains("maria: automated-sos accepted"), "\(listed)")
                #expect(!listed.output.contains("heart-1"), "\(listed)")
                try await house.rig.send(150)
                try await witness.call("confirmed")
                let answer = try await house.command("consent", "accept", "data-policy", "--person", "maria")
                #expect(answer.code == 0, "\(answer)")
                try await gateway.feed.health("consent-damaged", false)
                try await house.rig.send(72)
                try await witness.sample(72)
                #expect(witness.samples.map(\.payload.value) == [72])
            }
        }

        @Test func `a grant ends by itself when its time is over, and that is written down`() async throws {
            var settings = HouseSettings()
            // The kernel of a test machine is seldom synchronised.
            settings.more = "[commands]\nclock = \"assumed-right\""
            try await House.with(settings) { house in
                let end = Date().timeIntervalSince1970 + 4
                let until = WallTime(millisecondsSince1970: Int64(end * 1_000))
                try Self.ask(
                    house,
                    DataRequest(
                        id: ConsentSample.id("heart-1"), party: ConsentSample.party(),
                        person: ConsentSample.maria,
                        purpose: "Care", kinds: [.quantity(.heartRate)], until: until))
                _ = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                let accepted = try await house.command("consent", "accept", "heart-1")
                #expect(accepted.code == 0, "\(accepted)")
                let limit = ContinuousClock.now.advanced(by: patience)
                while try await !house.command("consent", "show", "heart-1").output.contains("over since") {
                    guard ContinuousClock.now < limit else {
                        throw Missing(description: "the end of the grant")
                    }
                }
                try await house.rig.send(72)
                try await witness.sample(72)
                #expect(shared(witness).isEmpty)
                let history = try await house.command("consent", "history")
                #expect(history.output.contains("over, by homegateway (gateway)"), "\(history)")
                let again = try await house.command("consent", "accept", "heart-1")
                #expect(again.code == 1 && again.errors.contains("would have to be asked anew"), "\(again)")
            }
        }
    }
}
