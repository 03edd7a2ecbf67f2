import Foundation
import TestSupport
import Testing

extension Integration {
    /// Two ways to help: the broker, and an ambulance service over HTTP that checks each call against CAP 1.2.
    @Suite struct Channels {
        private static func with(
            _ calls: String, path: String, abortWindow: Double = 0.5,
            _ body: @Sendable (House, AmbulanceProcess) async throws -> Void
        ) async throws {
            let service = try await AmbulanceProcess()
            var settings = HouseSettings()
            settings.abortWindow = abortWindow
            settings.calls = calls
            settings.more = service.channel("ambulance", path: path)
            do {
                try await House.with(settings) { try await body($0, service) }
            } catch {
                await service.end()
                throw error
            }
            await service.end()
        }

        @Test func `the first refuses, and the second is told at once`() async throws {
            // Well beyond this test's patience: it is the refusal that brings in the second.
            let calls = "channels = [\"ambulance\", \"mqtt\"]\nhandover_seconds = 60"
            try await Self.with(calls, path: "status/403") { house, service in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                try await house.rig.send(150)
                let alarm = try await gateway.alarm()
                let refused = try await service.first("Alert", of: alarm.alarm)
                #expect(refused.problem == nil && refused.status == "Actual")
                let call = try await witness.call("confirmed")
                #expect(call.payload.alarm == alarm.alarm)
                // The broker may deliver the call before the control socket delivers the event.
                try await gateway.feed.first("dispatch") { $0.channel == "mqtt" }
                let order = gateway.feed.lines.values.filter { $0.event == "dispatch" }.compactMap(\.channel)
                #expect(order == ["ambulance", "mqtt"])
            }
        }

        @Test func `the second is not called while the first has the call`() async throws {
            let calls = "channels = [\"ambulance\", \"mqtt\"]"
            try await Self.with(calls, path: "take") { house, service in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                try await house.rig.send(150)
                let alarm = try await gateway.alarm()
                try await gateway.feed.first("handed-over") { $0.channel == "ambulance" }
                let abort = try await house.command("abort", "--by", "Maria")
                #expect(abort.code == 0, "\(abort)")
                try await service.first("Cancel", of: alarm.alarm)
                #expect(witness.calls.isEmpty)
            }
        }

        @Test func `side by side both are told, and a cancellation reaches both`() async throws {
            let calls = "call = \"side-by-side\"\nchannels = [\"mqtt\", \"ambulance\"]"
            try await Self.with(calls, path: "take") { house, service in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                try await house.rig.send(150)
                let alarm = try await gateway.alarm()
                let call = try await witness.call("confirmed")
                let other = try await service.first("Alert", of: alarm.alarm)
                #expect(call.payload.alarm == alarm.alarm && other.problem == nil)

                let abort = try await house.command("abort", "--by", "Maria")
                #expect(abort.code == 0, "\(abort)")
                let cancelled = try await witness.call("cancelled")
                #expect(cancelled.payload.alarm == alarm.alarm)
                let taken = try await service.first("Cancel", of: alarm.alarm)
                #expect(taken.problem == nil)
            }
        }

        @Test func `an operator who takes the call over HTTPS ends the alarm, and the broker is told`()
            async throws
        {
            let calls = "call = \"side-by-side\"\nchannels = [\"mqtt\", \"ambulance\"]"
            try await Self.with(calls, path: "ack") { house, _ in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                try await house.rig.send(150)
                let alarm = try await gateway.alarm()
                let accepted = try await gateway.feed.first("accepted")
                #expect(accepted.alarm == alarm.alarm && accepted.channel == "ambulance")
                #expect(accepted.by?.contains("Operator & 7") == true, "\(accepted.by ?? "nobody")")
                let over = try await witness.first("the word that it is taken") {
                    $0.isSOS && $0.payload.alarm == alarm.alarm && $0.payload.ending != nil
                }
                #expect(over.payload.ending?.by.contains("Operator & 7") == true, "\(over)")
            }
        }

        private static let dead = """
            [[channel]]
            id = "ambulance"
            type = "https"
            url = "http://127.0.0.1:1/calls"
            addresses = ["118-milano"]

            """

        @Test func `a broker that is away costs no time: the next has the call at once`() async throws {
            // Well beyond this test's patience: nobody waits for the broker.
            let calls = "channels = [\"mqtt\", \"ambulance\"]\nhandover_seconds = 60"
            let service = try await AmbulanceProcess()
            var settings = HouseSettings()
            // The promise itself would bring in the second no sooner than 4.75 s after the crossing.
            settings.abortWindow = 0.5
            settings.calls = calls
            settings.more = service.channel("ambulance", path: "take")
            do {
                try await House.with(settings, without: ["gpsd", "broker"]) { house in
                    let gateway = try await house.start()
                    try await house.rig.subscribed()
                    try await house.rig.send(150)
                    let alarm = try await gateway.alarm()
                    let handedOver = try await gateway.feed.first("handed-over") { $0.channel == "ambulance" }
                    #expect(handedOver.alarm == alarm.alarm)
                    let order = gateway.feed.lines.values.filter { $0.event == "dispatch" }.compactMap(
                        \.channel)
                    #expect(order.prefix(2) == ["mqtt", "ambulance"], "it is told beside")
                    let record = try await house.record(
                        of: alarm.alarm ?? "", showing: "message given to mqtt",
                        "message handed over through ambulance")
                    #expect(record.contains("limit 5000 ms: held"), "\(record)")
                }
            } catch {
                await service.end()
                throw error
            }
            await service.end()
        }

        @Test func `with every channel dead the room hears it at once, and when one comes back`() async throws {
            let broker = try LastingBroker()
            var settings = HouseSettings()
            settings.residents[0].language = "it"
            settings.repeatSeconds = 300
            settings.calls = "channels = [\"mqtt\", \"ambulance\"]"
            settings.more = Self.dead
            try await House.with(settings, brokerPort: broker.port) { house in
                let gateway = try await house.start()
                let room = gateway.daemon.room
                try await house.rig.subscribed()
                try await house.rig.send(150)
                let alarm = try await gateway.alarm()
                try await gateway.feed.first("dispatch") { $0.channel == "ambulance" }
                let ordered = ContinuousClock.now
                // The line is known to be down, or no way has answered yet: both end so.
                try await room.first("that nobody is reached") {
                    $0.hasPrefix("*** Allarme per Maria Rossi. ")
                        && $0.hasSuffix("Continuo a provare. Chiama tu il 112.")
                }
                // 2 s are promised; the rest is for a busy machine.
                #expect(ContinuousClock.now - ordered < .seconds(10))
                let status = try await house.command("status")
                #expect(status.output.contains("no recipient has the call yet"), "\(status)")

                try await broker.start()
                try await room.first("that it has arrived") {
                    $0.hasPrefix("*** Allarme per Maria Rossi.") && $0.contains("ha ricevuto la chiamata")
                }
                let witness = try await house.witness()
                try await witness.accept(alarm.alarm ?? "", of: "maria", by: "Operatore 7")
                try await room.first("who has taken it") {
                    $0 == "*** Allarme per Maria Rossi. Operatore 7 ha preso in carico la chiamata."
                }
                for line in room.values {
                    for reason in ["ambulance", "mqtt", "refused", "errno", "CALL FAILED"] {
                        #expect(!line.contains(reason), "\(line)")
                    }
                }
                await broker.stop()
            }
        }

        @Test func `one whose file is missing is set aside, and comes with a reload`() async throws {
            var settings = HouseSettings()
            settings.calls = "channels = [\"ambulance\"]"
            settings.more = """
                [[channel]]
                id = "ambulance"
                type = "https"
                url = "https://127.0.0.1:1/calls"
                addresses = ["118-milano"]
                token_file = "/nonexistent/token"
                """
            try await House.with(settings) { house in
                let gateway = try await house.start()
                let status = try await house.command("status")
                #expect(status.output.contains("/nonexistent/token cannot be read"), "\(status)")
                #expect(status.output.contains("No way to call help is left for a person"), "\(status)")
                let check = try await house.command("check")
                #expect(check.code == 69)
                #expect(
                    check.output.contains("PROBLEM  channel ambulance")
                        && check.output.contains("/nonexistent/token"), "\(check)")
                let token = try house.scratch.write("secret\n", to: "token")
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: token.path)
                try house.edit("/nonexistent/token", token.path)
                let reload = try await house.command("reload")
                #expect(reload.code == 0, "\(reload)")
                try await gateway.feed.health("nobody-to-call", false)
                let mended = try await house.command("status")
                #expect(!mended.output.contains("settings: "), "\(mended)")
            }
        }
    }
}
