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

        @Test func `one whose file is missing stops the start, and check names it`() async throws {
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
                let daemon = try house.launch()
                let code = try await daemon.child.exitCode()
                #expect(code == 78)
                #expect(daemon.log.contains("/nonexistent/token cannot be read"), "\(daemon.log)")
                let check = try await house.command("check")
                #expect(check.code == 69)
                #expect(
                    check.output.contains("PROBLEM  channel ambulance")
                        && check.output.contains("/nonexistent/token"), "\(check)")
            }
        }
    }
}
