import ControlContract
import ControlLink
import GatewayModel
import TestSupport
import Testing

extension Integration {
    @Suite struct Doubts {
        private static let cuff = Rig.Wearable(
            id: "cuff", kind: "blood_pressure", address: "C0:FF:EE:00:00:0B")

        /// A house with a cuff of two users. The settings name the first.
        private static func settings(users: String) -> HouseSettings {
            var settings = HouseSettings()
            settings.strangers = [cuff]
            settings.more = """
                [[wearable]]
                id = "cuff"
                address = "\(cuff.address)"
                person = "maria"
                \(users)
                """
            return settings
        }

        private static func pressure(_ systolic: Int, user: Int, status: Int = 0) -> String {
            #"{"systolic": \#(systolic), "diastolic": 90, "map": 120, "user": \#(user), "status": \#(status)}"#
        }

        @Test(arguments: ["users = { 1 = \"maria\" }", ""])
        func `the value of a user without a name in the settings is nobody's`(users: String) async throws {
            try await House.with(Self.settings(users: users), without: []) { house in
                let gateway = try await house.start()
                try await house.rig.subscribed("cuff", to: "2a35")
                try await house.rig.send(Self.pressure(226, user: 2), from: "cuff")
                try await gateway.feed.first("health") {
                    $0.code == "wearable-user-unnamed" && $0.subject == "cuff" && $0.raised == true
                }
                // The next value of a named user comes after it, and ends the condition.
                try await house.rig.send(Self.pressure(121, user: 1), from: "cuff")
                try await gateway.feed.first("health") {
                    $0.code == "wearable-user-unnamed" && $0.raised == false
                }
                #expect(!gateway.feed.lines.values.contains { ["crossing", "alarm"].contains($0.event) })
            }
        }

        @Test func `a value of nobody is asked about, and is judged as the value of who says "I"`() async throws
        {
            try await House.with(Self.settings(users: ""), without: []) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed("cuff", to: "2a35")
                try await house.rig.send(Self.pressure(226, user: 2), from: "cuff")
                try await gateway.feed.first("health") { $0.code == "wearable-user-unnamed" }
                func ask<Request: ControlVerb>(
                    _ request: Request
                ) throws -> ControlReply<Request.Document> {
                    var client = try ControlClient(path: house.controlSocket)
                    return try client.ask(request)
                }
                guard let state = try ask(Verb.Status()).document else {
                    throw Missing(description: "the state of the house")
                }
                let waiting = try #require(state.unnamedMeasurements?.first)
                #expect(
                    waiting.device == "cuff" && state.seen(by: .family, of: nil).unnamedMeasurements?.count == 1
                )
                #expect(state.seen(by: .installer, of: nil).unnamedMeasurements == nil)
                func answer(_ person: String?) throws -> ControlReply<NoDocument> {
                    try ask(try Verb.NameMeasurer(measurement: waiting.id, person: person, by: "Maria"))
                }
                #expect(try answer("luigi").refusal == .unknownPerson)
                #expect(try answer("maria").isDone)
                let alarm = try await gateway.feed.first("alarm") { $0.rule == "systolic-pressure-high" }
                #expect(alarm.person == "maria")
                try await witness.call("confirmed")
                // One answer, once.
                #expect(try answer("maria").refusal == .measurementOver)
            }
        }

        @Test func `a cuff that was moved asks to measure again, and a good value calls nobody`() async throws {
            try await House.with(Self.settings(users: ""), without: []) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed("cuff", to: "2a35")
                try await house.rig.send(Self.pressure(226, user: 1, status: 1), from: "cuff")
                let alarm = try await gateway.feed.first("alarm") { $0.rule == "systolic-pressure-high" }
                try await gateway.daemon.room.first("the question in the room") {
                    $0.contains("it may be wrong. Sit down, rest for a minute and measure again.")
                }
                try await house.rig.send(Self.pressure(128, user: 1), from: "cuff")
                try await gateway.feed.first("aborted") { $0.alarm == alarm.alarm }
                #expect(!witness.calls.contains { $0.payload.state == "confirmed" })
            }
        }

        @Test func `two false beats cross a limit and call nobody`() async throws {
            try await House.with(HouseSettings(), without: []) { house in
                let gateway = try await house.start()
                try await house.rig.subscribed()
                for rate in [72, 200, 200, 74] {
                    try await house.rig.send(#"{"bpm": \#(rate), "contact": true, "rr_ms": []}"#, from: "strap")
                }
                try await gateway.feed.first("recovered") { $0.rule == "heart-rate-high" }
                #expect(!gateway.feed.lines.values.contains { $0.event == "alarm" })
            }
        }
    }
}
