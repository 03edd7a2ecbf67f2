import Foundation
import TestSupport
import Testing

extension Integration {
    @Suite struct Dashboard {
        /// A viewer of the home's own broker, of its retained and its new messages: `1` or `0` for retained, the topic
        /// and the payload, with tabs between.
        private final class Viewer: Sendable {
            private let child: TiedChild

            /// Listens when it returns: it hears all later messages.
            init(at broker: MosquittoProcess) async throws {
                try await Dashboard.publish("ready", "-r", to: Self.ready, broker)
                child = try TiedChild([
                    "/usr/bin/mosquitto_sub", "-p", "\(broker.port)", "-t", "homeassistant/#", "-t",
                    "homegateway/#",
                    "-t", "trackme/#", "-q", "1", "-F", "%r\t%t\t%p",
                ])
                try await first("that it listens") { $0.contains(Self.ready) }
            }

            private static let ready = "homegateway/ready"

            var lines: [String] { child.output.values }

            var mark: Int { child.output.mark }

            @discardableResult
            func first(
                _ what: String, after mark: Int = 0, where isIt: @escaping @Sendable (String) -> Bool
            ) async throws -> String {
                try await child.output.first("\(what) at the dashboard", after: mark, where: isIt)
            }

            func end() async { await child.killed() }
        }

        private static let config = "homeassistant/sensor/homegateway_house-12/maria_heart-rate/config"
        private static let state = "homegateway/house-12/maria/heart-rate"
        private static let presence = "homegateway/house-12/status"

        private static func settings(
            on broker: MosquittoProcess, isEnabled: Bool = true, showsStates: Bool = false
        ) -> HouseSettings {
            var settings = HouseSettings()
            settings.residents[0].dataPolicy = false
            settings.residents[0].automatedSOS = false
            settings.residents[0].homeDashboard = true
            settings.more = """
                [home_assistant]
                enabled = \(isEnabled)
                states = \(showsStates)
                host = "127.0.0.1"
                username = "homegateway"
                port = \(broker.port)
                tls = false
                """
            return settings
        }

        @Test func `shows what is measured, to the home alone, until that is withdrawn or switched off`()
            async throws
        {
            let broker = try MosquittoProcess()
            try await broker.start()
            let viewer = try await Viewer(at: broker)
            try await House.with(Self.settings(on: broker)) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                try await house.rig.send(72)
                try await viewer.first("its presence") { $0 == "0\t\(Self.presence)\tonline" }
                try await viewer.first("the entity") {
                    $0.contains(Self.config) && $0.contains(#""name":"Maria Rossi""#)
                }
                try await viewer.first("the value") {
                    $0.hasPrefix("0\t\(Self.state)") && $0.contains(#""value":72"#)
                }
                // A dashboard that starts gets the value again, without a new reading.
                let mark = viewer.mark
                try await Self.publish("online", to: "homeassistant/status", broker)
                try await viewer.first("the value again", after: mark) { $0.contains(Self.state) }
                // Nothing is for the cloud: its broker has never been asked.
                #expect(witness.messages.filter { $0.topic.contains("house-12") }.isEmpty)
                #expect(try await house.command("status").output.contains("maria: home-dashboard accepted"))
                await gateway.daemon.child.killed()
                try await viewer.first("its last will") { $0 == "0\t\(Self.presence)\toffline" }

                // The entity outlives the gateway at the broker; the next run removes it on a withdrawal.
                _ = try await house.start()
                let said = try await house.command("consent", "withdraw", "--person", "maria", "home-dashboard")
                #expect(said.code == 0, "\(said)")
                try await viewer.first("the end of the entity") { $0 == "0\t\(Self.config)\t" }
            }
            await viewer.end()
        }

        @Test
        func
            `shows alarm, supervision and requests by the rights of the guide, and takes them back`()
            async throws
        {
            let rights = try Self.rights()
            let broker = try MosquittoProcess(
                "allow_anonymous true\nacl_file \(rights.file("acl").path)")
            try await broker.start()
            let viewer = try await Viewer(at: broker)
            var settings = Self.settings(on: broker, showsStates: true)
            (settings.residents[0].dataPolicy, settings.residents[0].automatedSOS) = (true, true)
            let configs = "homeassistant/binary_sensor/homegateway_house-12/"
            let alarm = "homegateway/house-12/maria/alarm"
            try await House.with(settings) { house in
                _ = try await house.start()
                try await house.rig.subscribed()
                try await viewer.first("no alarm") { $0.hasPrefix("0\t\(alarm)") && $0.contains(#""OFF""#) }
                try await viewer.first("the box") { $0.hasPrefix("0\thomegateway/house-12/box") }
                try await viewer.first("the supervision") {
                    $0.hasPrefix("0\thomegateway/house-12/maria/supervision") && $0.contains("value")
                }
                try await viewer.first("no request") {
                    $0.contains("maria/request") && $0.contains(#""value":"OFF""#)
                }
                let help = "homegateway/house-12/maria/help"
                try await viewer.first("that help can be called") {
                    $0.hasPrefix("0\t\(help)") && $0.contains(#""value":"ready""#)
                }
                let mark = viewer.mark
                for _ in 0..<4 { try await house.rig.send(180) }
                try await viewer.first("the alarm", after: mark) {
                    $0.hasPrefix("0\t\(alarm)") && $0.contains(#""value":"ON""#) && $0.contains("since")
                }
                let called = try await viewer.first("the state of help", after: mark) {
                    $0.hasPrefix("0\t\(help)") && !$0.contains(#""value":"ready""#)
                }
                let states = ["will-be-called", "being-called", "reached"]
                #expect(
                    called.contains(#""sentence":"#) && states.contains { called.contains("\"\($0)\"") },
                    "\(called)")
                let open = viewer.mark
                let said = try await house.command("abort")
                #expect(said.code == 0, "\(said)")
                try await viewer.first("the end of the alarm", after: open) {
                    $0.hasPrefix("0\t\(alarm)") && $0.contains(#""OFF""#)
                }
            }
            // The next run shows readings alone, and takes the states of the earlier one back.
            settings = Self.settings(on: broker)
            (settings.residents[0].dataPolicy, settings.residents[0].automatedSOS) = (true, true)
            try await House.with(settings) { house in
                let mark = viewer.mark
                _ = try await house.start()
                try await house.rig.subscribed()
                try await house.rig.send(72)
                try await viewer.first("the value", after: mark) { $0.contains(#""value":72"#) }
                for object in ["maria_alarm", "maria_supervision", "maria_request", "box"] {
                    try await viewer.first("the end of \(object)", after: mark) {
                        $0 == "0\t\(configs)\(object)/config\t"
                    }
                }
                let config = "homeassistant/sensor/homegateway_house-12/maria_help/config"
                try await viewer.first("the end of the help", after: mark) { $0 == "0\t\(config)\t" }
                #expect(!viewer.lines[mark...].contains { $0.hasPrefix("0\t\(alarm)") })
            }
            await viewer.end()
        }

        @Test func `is emptied by a gateway that is told to show nothing`() async throws {
            let broker = try MosquittoProcess()
            try await broker.start()
            let viewer = try await Viewer(at: broker)
            try await House.with(Self.settings(on: broker)) { house in
                _ = try await house.start()
                try await house.rig.subscribed()
                try await house.rig.send(72)
                try await viewer.first("the entity") { $0.contains(Self.config) }
            }
            try await House.with(Self.settings(on: broker, isEnabled: false)) { house in
                let gateway = try await house.start()
                try await house.rig.subscribed()
                try await house.rig.send(73)
                try await gateway.feed.first("reading") { $0.value == 73 }
                try await viewer.first("the end of the entity") { $0 == "0\t\(Self.config)\t" }
                try await viewer.first("the end of its presence") { $0 == "0\t\(Self.presence)\t" }
                // Then it leaves.
                let isGone = await eventually { broker.log.contains("house-12-dashboard disconnected") }
                #expect(isGone, "\(broker.log)")
            }
            let later = try await Viewer(at: broker)
            try await Self.publish("end", to: "homegateway/end", broker)
            try await later.first("the last message") { $0.contains("homegateway/end") }
            #expect(later.lines.count == 2, "\(later.lines)")
            #expect(!viewer.lines.contains { $0.contains(#""value":73"#) })
            await viewer.end()
            await later.end()
        }

        /// The ACL of the guide. The viewer, which gives no name, may read and write everything.
        private static func rights() throws -> ScratchDirectory {
            let guide = try String(
                contentsOf: Repository.root.appending(path: "docs/installer/home-assistant.md"),
                encoding: .utf8)
            let lines = try #require(
                guide.firstMatch(of: /\n( {4}user homegateway\n(?: {4}topic .*\n)+)/)?.output.1)
            let scratch = try ScratchDirectory()
            _ = try scratch.write("topic readwrite #\n" + lines.replacing("    ", with: ""), to: "acl")
            return scratch
        }

        private static func publish(
            _ payload: String, _ options: String..., to topic: String, _ broker: MosquittoProcess
        ) async throws {
            let child = try TiedChild(
                ["/usr/bin/mosquitto_pub", "-p", "\(broker.port)", "-q", "1", "-t", topic, "-m", payload]
                    + options)
            #expect(try await child.exitCode() == 0)
        }
    }
}
