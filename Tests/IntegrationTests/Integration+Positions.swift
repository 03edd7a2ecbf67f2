import Foundation
import GatewayModel
import RunBeacon
import SettingsSamples
import TestSupport
import Testing

extension Integration {
    /// Runners with tracking: reports of a real gpsd and of a watch, up to a subscriber of a real Mosquitto.
    @Suite(.enabled(if: GPSDProcess.isInstalled)) struct Positions {
        /// A message of `runs/<run>/positions` or `/passings`.
        private struct Told: Decodable, Sendable {
            var id: String
            var bib: Int
            var distanceM: Double?
            var paceSPerKm: Double?
            var nextCheckpoint: String?
            var predictedAt: String?
            var accuracyM: Double?
            var checkpoint: String?
            var method: String?
            var boundMs: Int64?
            var clock: String?
            var flags: [String]

            init?(_ message: WireMessage, _ what: String) {
                guard message.topic == "trackme/v1/\(HouseSettings.gateway)/runs/milan/\(what)" else {
                    return nil
                }
                guard let told = try? SnakeCase.decode(Told.self, from: message.text) else { return nil }
                self = told
            }
        }

        /// 4 km straight north from the cathedral.
        private static let course = [45.4642, 45.5002]
        private static let longitude = 9.19
        /// Length of a degree of latitude there, in metres.
        private static let degree = 111_144.0

        private static func latitude(_ metres: Double) -> Double { course[0] + metres / degree }

        private static func write(
            _ sample: RunSample, participants: String, start: Double = -600
        ) throws {
            let now = Date()
            func time(_ seconds: Double) -> String {
                now.addingTimeInterval(seconds).formatted(Date.ISO8601FormatStyle())
            }
            let points = course.map { "<trkpt lat=\"\($0)\" lon=\"\(longitude)\"/>" }.joined()
            try sample.write(
                "<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>\(points)"
                    + "</trkseg></trk></gpx>", to: "milan.gpx")
            let bridge = "[[checkpoints]]\nid = \"bridge\"\ndistances_m = [1060]\n"
            let finish = "[[checkpoints]]\nid = \"finish\"\ndistances_m = [4000]\nfinish = true\n"
            try sample.write(
                RunSample.text(
                    head: "course = \"milan.gpx\"", checkpoints: bridge + finish, participants: participants
                )
                .replacing("2026-05-10T09:00:00+02:00", with: time(start))
                .replacing("2026-05-10T12:00:00+02:00", with: time(7_200)), to: "milan.toml")
        }

        /// Calls `epoch` with the elapsed seconds and pauses, until `isDone`. A slow machine makes fewer calls, at the
        /// correct times.
        private static func carry(
            _ what: String, every pause: Duration = .milliseconds(400),
            epoch: (_ seconds: Double) async throws -> Void, until isDone: () async throws -> Bool
        ) async throws {
            let start = ContinuousClock.now
            while ContinuousClock.now < start.advanced(by: patience) {
                let seconds = start.duration(to: .now) / .seconds(1)
                try await epoch(seconds)
                if try await isDone() { return }
                try await Task.sleep(for: pause)
            }
            throw Missing(description: what)
        }

        @Test func `a box that a runner carries tells where they are, until they leave`() async throws {
            let (cloud, sample, gpsd) = (try Cloud(), try RunSample(), try GPSDProcess())
            try await gpsd.start()
            try Self.write(
                sample,
                participants: "[[participants]]\nbib = 17\ncarries = \"\(HouseSettings.gateway)\"\n"
                    + "[[participants]]\nbib = 5")
            var settings = HouseSettings(
                more: cloud.sections() + "\n[race]\nruns_directory = \"\(sample.folder.path)\"\n")
            settings.gpsdPort = UInt16(gpsd.port)
            try await House.with(settings) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.subscribedToCommands(gateway)
                func told(_ what: String = "positions") -> [Told] {
                    witness.messages.compactMap { Told($0, what) }
                }
                // 5 m/s from the thousandth metre on.
                func send(_ seconds: Double) {
                    gpsd.sendEpoch(
                        latitude: Self.latitude(1_000 + 5 * seconds), longitude: Self.longitude, at: Date())
                }
                var seconds = 0.0
                try await Self.carry("a passing by positions, and a time foreseen after it") {
                    seconds = $0
                    send($0)
                } until: {
                    !told("passings").isEmpty && told().contains { $0.nextCheckpoint == "finish" }
                }
                let position = try #require(told().last { $0.nextCheckpoint == "finish" })
                #expect(position.bib == 17 && position.flags.isEmpty)
                let distance = try #require(position.distanceM)
                #expect(distance > 1_055 && distance < 1_000 + 5 * seconds + 20)
                // Predicted from the position, with the reported pace.
                let pace = try #require(position.paceSPerKm)
                #expect(pace > 120 && pace < 600)
                #expect(position.predictedAt != nil)
                let passing = try #require(told("passings").first)
                #expect(passing.checkpoint == "bridge" && passing.method == "gps-line" && passing.bib == 17)
                #expect(passing.clock == "gps" && (1_000...30_000).contains(passing.boundMs ?? 0), "\(passing)")
                let list = try await house.command("passings", "list")
                #expect(list.code == 0 && list.output.contains("gps-line"), "\(list)")
                let standings = try await house.command("standings", "--run", "milan")
                #expect(
                    standings.output.contains("bridge") && standings.output.contains("by their positions:")
                        && standings.output.contains("min/km"), "\(standings)")
                let other = try await house.command("standings", "--run", "milan", "--bib", "5")
                #expect(other.code == 0 && !other.output.contains("by their positions:"), "\(other)")
                try await house.status(showing: "positions: of 1 runners")
                // A watcher is told of changes, and not that the age is a second longer.
                try await Self.carry("the last position is in") { _ in
                } until: {
                    try await house.command("standings", "--run", "milan").output.contains(/[3-9] s ago/)
                }
                let watching = try house.running("standings", "--run", "milan", "--watch")
                #expect(await watching.output.wait { $0.contains("by their positions:") })
                try await Task.sleep(for: .seconds(3))
                #expect(
                    watching.output.values.count { $0 == "by their positions:" } == 1,
                    "\(watching.output.values)")

                // A kilometre off for a moment: it is counted and not published.
                let before = told().count
                gpsd.sendEpoch(
                    latitude: Self.latitude(1_000 + 5 * seconds), longitude: Self.longitude + 0.02, at: Date())
                try await house.status(showing: "not used since the start: 1 leap")
                #expect(told().count == before)

                let left = try await cloud.ask(#"{"type":"run-leave","run":"milan","bibs":[17]}"#, of: witness)
                #expect(left.result == "done", "\(left)")
                #expect(await watching.output.wait { $0.contains { $0.contains("left") } })
                // The broker's present messages were sent before: from here on nothing follows.
                let last = told().count
                for step in 1...12 {
                    let mark = gateway.feed.mark
                    try await Self.carry("fix \(step)") { _ in
                        send(seconds + 4 * Double(step))
                    } until: {
                        gateway.feed.lines.values.dropFirst(mark).contains { $0.event == "position" }
                    }
                }
                let beat = try await cloud.ask(#"{"type":"run-leave","run":"milan","bibs":[17]}"#, of: witness)
                #expect(beat.result == "done", "\(beat)")
                #expect(told().count == last, "\(told().dropFirst(last))")
                let status = try await house.command("status")
                #expect(!status.output.contains("positions: of 1"), "\(status)")
            }
        }

        @Test func `a watch is asked where its runner is during the run, and not before`() async throws {
            let sample = try RunSample()
            try Self.write(
                sample, participants: "[[participants]]\nbib = 5\nperson = \"maria\"", start: 3_600)
            var settings = HouseSettings(more: "\n[race]\nruns_directory = \"\(sample.folder.path)\"\n")
            settings.residents[0].strap.kind = "sports_watch"
            try await House.with(settings) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed("strap", to: "2a37")
                #expect(!house.rig.hasTold { $0.event == "subscribed" && $0.characteristic == "2a67" })
                try Self.write(sample, participants: "[[participants]]\nbib = 5\nperson = \"maria\"")
                let reloaded = try await house.command("runs", "reload")
                #expect(reloaded.code == 0, "\(reloaded)")
                try await house.rig.subscribed("strap", to: "2a67")
                func told() -> [Told] { witness.messages.compactMap { Told($0, "positions") } }
                try await Self.carry("a position with a pace") { seconds in
                    let latitude = Self.latitude(800 + 3 * seconds)
                    try await house.rig.send(
                        #"{"latitude": \#(latitude), "longitude": \#(Self.longitude)}"#, from: "strap")
                } until: {
                    told().contains { $0.paceSPerKm != nil && $0.accuracyM == 4 }
                }
                #expect(told().allSatisfy { $0.bib == 5 })
                // It causes no reading: neither the feed nor the topic of samples contains a place.
                #expect(!witness.messages.contains { $0.isSample() })
                #expect(!gateway.daemon.log.contains("45.47"))
                let mark = house.rig.mark
                try Self.write(sample, participants: "[[participants]]\nbib = 5")
                _ = try await house.command("runs", "reload")
                try await house.rig.event("the end of the subscription", after: mark) {
                    $0.event == "unsubscribed" && $0.characteristic == "2a67"
                }
                try await house.rig.send(
                    #"{"bpm": 70}"#, from: "strap", characteristic: "2a37")
                try await witness.first("the pulse, as ever") { $0.isSample(70) }
            }
        }

        @Test
        func
            `help goes to the person: a watch is asked while an alarm is open, and the call says whose place it is`()
            async throws
        {
            var settings = HouseSettings()
            settings.beacons = [HouseSettings.Beacon()]
            settings.residents[0].strap.kind = "sports_watch"
            settings.repeatSeconds = 10
            settings.abortWindow = 3
            try await House.with(settings) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed("strap", to: "2a37")
                try await house.rig.hearsAdverts()
                #expect(!house.rig.hasTold { $0.event == "subscribed" && $0.characteristic == "2a67" })
                func press(_ packet: UInt8) async throws {
                    try await house.rig.advertise([0x44, 0x00, packet, 0x3A, 0x01], from: "button")
                }
                let place = #"{"latitude": 45.4711, "longitude": 9.2022}"#

                try await press(1)
                try await house.rig.subscribed("strap", to: "2a67")
                let first = try await witness.call("confirmed")
                #expect(first.payload.location?.source == "installed" && first.payload.round == 1)
                try await house.rig.send(place, from: "strap", characteristic: "2a67")
                let second = try await witness.first("a call with the wearable's position") {
                    $0.isConfirmed && $0.payload.location?.of == "wearable"
                }
                #expect((second.payload.round ?? 0) >= 2 && second.payload.alarm == first.payload.alarm)
                #expect(second.payload.location?.device == "strap")
                #expect(second.payload.location?.error == 4)
                #expect(abs((second.payload.location?.latitude ?? 0) - 45.4711) < 1e-6)
                // In the repetition, some seconds later: the position's age is given.
                #expect((0...60).contains(second.payload.location?.age ?? -1))
                let mark = house.rig.mark
                let abort = try await house.command("abort")
                #expect(abort.code == 0, "\(abort)")
                try await house.rig.event("the end of the subscription", after: mark) {
                    $0.event == "unsubscribed" && $0.characteristic == "2a67"
                }

                // In the window already: the first call contains it.
                let (calls, feed) = (witness.mark, gateway.feed.mark)
                try await press(2)
                try await house.rig.subscribed("strap", to: "2a67", after: mark)
                try await house.rig.send(place, from: "strap", characteristic: "2a67")
                let call = try await witness.first("the next call", after: calls) { $0.isConfirmed }
                #expect(call.payload.alarm != first.payload.alarm && call.payload.round == 1)
                #expect(call.payload.location?.source == "fix" && call.payload.location?.of == "wearable")
                let told = try await gateway.feed.first("dispatch", after: feed)
                #expect(told.location?.of == "wearable" && told.location?.errorM == 4, "\(told)")
                #expect(!gateway.daemon.log.contains("45.47"))
            }
        }

        @Test func `a command says who carries the box only where the settings allow it`() async throws {
            let (cloud, sample) = (try Cloud(), try RunSample())
            try Self.write(sample, participants: "[[participants]]\nbib = 5")
            let enrol =
                #"{"type":"run-enrol","run":"milan","participants":[{"bib":9,"carries":"\#(HouseSettings.gateway)"}]}"#
            for isAllowed in [false, true] {
                let race =
                    "\n[race]\nruns_directory = \"\(sample.folder.path)\"\ncarried_by_command = \(isAllowed)\n"
                try await House.with(HouseSettings(more: cloud.sections() + race)) { house in
                    let gateway = try await house.start()
                    let witness = try await house.witness()
                    try await house.subscribedToCommands(gateway)
                    let other = enrol.replacing(HouseSettings.gateway, with: "another-box")
                    #expect(try await cloud.ask(other, of: witness).result == "done")
                    let receipt = try await cloud.ask(enrol, of: witness)
                    #expect(receipt.result == (isAllowed ? "done" : "refused"), "\(receipt)")
                    #expect(receipt.reason == (isAllowed ? nil : "not-allowed"), "\(receipt)")
                    guard isAllowed else { return }
                    try await house.status(showing: "bib 9 carries this box")
                    await gateway.daemon.child.killed()
                    let settings = house.scratch.file("gateway.toml")
                    let text = try String(contentsOf: settings, encoding: .utf8)
                    try text.replacing("carried_by_command = true", with: "carried_by_command = false")
                        .write(to: settings, atomically: false, encoding: .utf8)
                    _ = try await house.start()
                    try await house.status(showing: "and this box stands at none of its checkpoints")
                }
            }
        }
    }
}
