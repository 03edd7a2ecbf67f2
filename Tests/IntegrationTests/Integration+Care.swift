import Foundation
import TestSupport
import Testing

extension Integration {
    /// What the gateway looks after by itself, without a reading or an alarm.
    @Suite struct Care {
        @Test func `a heartbeat says how the box is, and names no wearable of who agreed to nothing`()
            async throws
        {
            var paolo = HouseSettings.paolo
            (paolo.dataPolicy, paolo.automatedSOS) = (false, false)
            var settings = HouseSettings(residents: [HouseSettings.maria, paolo])
            settings.gateway = "heartbeat_seconds = 10"
            try await House.with(settings) { house in
                let witness = try await house.witness()
                _ = try await house.start()
                for strap in ["strap", "belt"] { try await house.rig.subscribed(strap) }
                let first = try await witness.first("a heartbeat") { $0.topic.hasSuffix("/heartbeat") }
                #expect(first.topic == "trackme/v1/house-12/heartbeat")
                #expect(first.text.contains(#""interval_s":10"#), "\(first)")
                try await house.rig.send(72)
                let mark = witness.mark
                let next = try await witness.first("the next one", after: mark) {
                    $0.topic.hasSuffix("/heartbeat") && $0.text.contains(#""last_reading_s":"#)
                }
                #expect(next.text.contains(#""device":"strap""#), "\(next)")
                #expect(!next.text.contains("belt"), "\(next)")
                #expect(next.payload.id != first.payload.id)
            }
        }

        @Test func `alarms that the disk did not take are written when it does, without another alarm`()
            async throws
        {
            try await House.with { house in
                let gateway = try await house.start()
                try await house.rig.subscribed()
                // No file can take the name of a folder with content.
                let files = ["state/alarms.json", "state/alarms-copy.json"].map { house.scratch.file($0) }
                for file in files {
                    try FileManager.default.createDirectory(
                        at: file.appending(path: "folder"), withIntermediateDirectories: true)
                }
                try await house.rig.send(150)
                _ = try await gateway.alarm()
                #expect(try await house.command("abort", "--by", "Maria").code == 0)
                try await gateway.feed.health("storage-unavailable", true)
                for file in files { try FileManager.default.removeItem(at: file) }
                try await gateway.feed.health("storage-unavailable", false)
                let kept = try String(contentsOf: files[0], encoding: .utf8)
                #expect(!kept.isEmpty)
            }
        }

        @Test func `a way to help is tested after the start, and its result shown`() async throws {
            try await House.with { house in
                _ = try await house.start()
                try await house.status(showing: "way to help mqtt: last worked 2")
            }
        }

        @Test func `a way to help that does not work is a condition until it does`() async throws {
            try await House.with { house in
                try await house.rig.perform("broker", "stop")
                let gateway = try await house.start()
                #expect(try await gateway.feed.health("channel-failing", true).subject == "mqtt")
                try await house.status(showing: "way to help mqtt: FAILS: no session with the broker")
                try await house.rig.perform("broker", "start")
                try await house.rig.subscribed()
                // A call that arrives is as good as a test. A strap that was silent so long is subscribed anew.
                try await house.rig.sendWhenSubscribed(150)
                #expect(try await gateway.feed.health("channel-failing", false).subject == "mqtt")
            }
        }

        @Test func `a drill is held by itself at its time, and is on record as one`() async throws {
            var settings = HouseSettings()
            let now = Calendar.current.dateComponents([.hour, .minute], from: .now)
            let (hour, minute) = (now.hour ?? 0, now.minute ?? 0)
            let time = (hour < 10 ? "0" : "") + "\(hour):" + (minute < 10 ? "0" : "") + "\(minute)"
            settings.more = "[sos.drill]\nevery_days = 1\nat = \"\(time)\""
            try await House.with(settings) { house in
                let witness = try await house.witness()
                let first = try await house.start()
                try await first.daemon.room.first("the drill in the room") { $0.contains("This is a drill.") }
                let call = try await witness.call("confirmed")
                #expect(call.payload.drill == true, "\(call)")
                let alarm = try #require(call.payload.alarm)
                try await first.feed.first("handed-over") { $0.alarm == alarm }
                try await witness.accept(alarm, of: "maria", by: "Operator 7")
                _ = try await house.record(
                    of: alarm, showing: "a drill: nobody was in danger", "accepted by Operator 7")
                #expect(try await first.daemon.terminate().code == 0)

                // Held is held: the next run of the same day holds none.
                let second = try await house.start()
                try await house.status(showing: "way to help mqtt: last worked 2")
                #expect(!second.feed.lines.values.contains { $0.event == "alarm" })
                let list = try await house.command("alarms")
                #expect(list.output.split(separator: "\n").count == 2, "\(list)")
            }
        }
    }
}
