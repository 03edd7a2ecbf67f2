import Consent
import ControlContract
import Foundation
import Hub
import Samples
import TestSupport
import Testing

extension Integration {
    /// `homegateway status --json`: the state of the gateway for pages and programs.
    @Suite struct Snapshot {
        private static func state(_ house: House) async throws -> HouseSnapshot {
            let answer = try await house.command("status", "--json")
            #expect(answer.code == 0, "\(answer)")
            return try SnakeCase.decode(HouseSnapshot.self, from: answer.output)
        }

        @Test func `tells a program that comes in the middle of an alarm how it stands`() async throws {
            var settings = HouseSettings()
            (settings.abortWindow, settings.calls) = (60, "early_notice = true")
            try await House.with(settings) { house in
                try Sharing.ask(house, ConsentSample.request("heart-1", purpose: "A study of the heart"))
                let gateway = try await house.start()
                try await house.rig.subscribed()
                try await house.rig.send(71)
                _ = try await gateway.feed.first("reading")
                let calm = try await Self.state(house)
                #expect(calm.alarms.isEmpty)
                #expect(calm.persons.map(\.name) == ["Maria Rossi"])
                #expect(calm.persons.first?.agreements.contains("automated-sos") == true)
                #expect(calm.devices.first?.kinds?.contains("heart-rate") == true, "\(calm.devices)")
                #expect(calm.readings.first { $0.kind == "heart-rate" }?.value == 71)
                #expect(calm.channels.map(\.id).contains("mqtt"))
                let limits = try #require(calm.limits.first { $0.kind == "heart-rate" })
                #expect(limits.person == "maria" && limits.high == 131, "\(limits)")
                #expect(calm.house?.wakingBegin == "07:00" && calm.house?.wakingEnd == "22:00")
                let device = try #require(calm.devices.first)
                #expect(device.lastHeardAgeMs.map { $0 >= 0 } == true, "\(device)")
                let list = try await house.command("devices", "list")
                let row = list.output.split(separator: "\n").first { $0.hasPrefix("\(device.id) ") }
                #expect(row?.contains(/20\d\d-\d\d-\d\d/) == true, "a streaming strap is heard: \(list)")
                #expect(calm.persons.first?.supervision?.isPaused == false, "\(calm.conditions)")
                #expect(calm.conditions.allSatisfy { $0.since.map { $0 <= calm.time } == true })
                #expect(calm.recentAlarms.isEmpty)
                let request = try #require(calm.requests.first { $0.id == "heart-1" })
                #expect(request.state == "pending" && request.purpose == "A study of the heart", "\(request)")

                for _ in 0..<4 { try await house.rig.send(150) }
                let alarm = try #require(try await gateway.alarm().alarm)
                let state = try await Self.state(house)
                let open = try #require(state.alarms.first)
                #expect(open.id == alarm && open.person == "maria" && open.rule == "heart-rate-high", "\(open)")
                #expect(open.value == 150 && open.limit == 131 && open.unit == "/min", "\(open)")
                let left = try #require(open.windowLeftMs)
                #expect((1...60_000).contains(left), "\(open)")
                #expect(open.mayEnd.contains("screen") && open.ending == nil, "\(open)")
                #expect(open.windowEndBootNs.map { $0 > state.bootNs } == true)

                #expect(try await house.command("abort", "--by", "Maria").code == 0)
                let after = try await Self.state(house)
                #expect(after.alarms.isEmpty)
                let ended = try #require(after.recentAlarms.first)
                #expect(ended.id == alarm && ended.ending?.how == "aborted", "\(ended)")
                #expect(ended.ending?.by == "Maria" && ended.ending?.means == "command-line", "\(ended)")
            }
        }

        @Test func `prints one document for each command that reads`() async throws {
            try await House.with(HouseSettings()) { house in
                try Sharing.ask(house, ConsentSample.request("heart-1", purpose: "A study of the heart"))
                _ = try await house.start()
                func document<Document: Decodable>(_ words: String...) async throws -> Document {
                    let answer = try await house.command(words + ["--json"])
                    #expect(answer.code == 0, "\(words): \(answer)")
                    return try SnakeCase.decode(Document.self, from: answer.output)
                }
                let consents: ConsentOverview = try await document("consent", "list")
                #expect(consents.policies.contains { $0.policy == "automated-sos" && $0.isAccepted })
                #expect(consents.requests.map(\.id) == ["heart-1"])
                let request: HouseSnapshot.Request = try await document("consent", "show", "heart-1")
                #expect(request.purpose == "A study of the heart")
                let history: DecisionHistory = try await document("consent", "history")
                #expect(
                    history.decisions.contains { $0.person == "maria" && $0.decision.about == "data-policy" })
                let profile: ProfileDocument = try await document("profile", "show", "--person", "maria")
                #expect(profile.items.first { $0.item == "name" }?.value == "Maria Rossi")
                let limits: [LimitRow] = try await document("limits", "show", "--person", "maria")
                #expect(limits.first { $0.kind == "heart-rate" && $0.limit == "high" }?.value == 131)
                let channels: [ChannelRow] = try await document("channels", "show", "--person", "maria")
                #expect(channels.contains { $0.channel == "mqtt" && $0.emergency })
                let questions: [HouseSnapshot.LimitQuestion] = try await document("limits", "list")
                #expect(questions.isEmpty)
                let runs: [RunRow] = try await document("runs", "list")
                #expect(runs.isEmpty)
            }
        }

        /// The first state of a follower, of those that it has printed or will print, for which the condition holds.
        private static func state(
            in output: URL, _ what: String, where isIt: @Sendable (HouseSnapshot) -> Bool
        ) async throws -> HouseSnapshot {
            let end = ContinuousClock.now.advanced(by: patience)
            while ContinuousClock.now < end {
                let lines = (try? String(contentsOf: output, encoding: .utf8))?.split(separator: "\n") ?? []
                let states = lines.compactMap { try? SnakeCase.decode(HouseSnapshot.self, from: String($0)) }
                if let found = states.first(where: isIt) { return found }
                try await Task.sleep(for: .milliseconds(20))
            }
            throw Missing(description: what)
        }

        @Test func `follows an alarm from its window to its end, each state whole`() async throws {
            try await House.with(HouseSettings()) { house in
                let gateway = try await house.start()
                try await house.rig.subscribed()
                let output = house.scratch.file("states")
                let follower = try ChildProcess(
                    BuiltProgram.homegateway, ["status", "--follow", "--socket", house.controlSocket],
                    output: output)
                let calm = try await Self.state(in: output, "a first state") { _ in true }
                #expect(calm.alarms.isEmpty && calm.persons.count == 1)
                for _ in 0..<2 { try await house.rig.send(150) }
                let alarm = try #require(try await gateway.alarm().alarm)
                _ = try await Self.state(in: output, "the window") { $0.alarms.first?.windowEndBootNs != nil }
                let called = try await Self.state(in: output, "the call") {
                    $0.alarms.first?.call == "handed-over"
                }
                #expect(called.alarms.first?.id == alarm && called.persons == calm.persons, "\(called)")
                let told = called.alarms.first?.told.first
                #expect(told?.channel == "mqtt" && told?.handedOverAfterMs != nil, "\(called)")
                #expect(try await house.command("resolve", "--by", "Anna").code == 0)
                _ = try await Self.state(in: output, "the end") {
                    $0.bootNs > called.bootNs && $0.alarms.isEmpty
                }
                follower.killAndWait()
            }
        }
    }
}
