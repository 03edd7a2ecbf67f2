import TestSupport
import Testing

extension Integration {
    @Suite struct Alarms {
        @Test func `a crossing that nobody cancels is dispatched to the broker`() async throws {
            var settings = HouseSettings()
            settings.confirmReadings = 3
            try await House.with(settings, without: []) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                try await gateway.feed.first("position")
                for rate in [150, 151, 152] { try await house.rig.send(rate) }

                let alarm = try await gateway.alarm()
                try await gateway.daemon.room.first("the alarm in the room") {
                    $0.hasPrefix("*** ") && $0.contains("Alarm for Maria Rossi") && $0.contains("150 bpm")
                }
                let call = try await witness.call("confirmed")
                #expect(call.topic == "trackme/v1/house-12/sos/maria")
                #expect(call.payload.alarm == alarm.alarm)
                #expect(call.payload.profile?.name == "Maria Rossi")
                #expect(call.payload.round == 1)
                #expect(call.payload.cause?.rule == "heart-rate-high")
                #expect(call.payload.cause?.value == 150)
                // The recorded walk is through Milan.
                #expect(call.payload.location?.source == "fix")
                #expect(abs((call.payload.location?.latitude ?? 0) - 45.46) < 0.1)
                #expect(abs((call.payload.location?.longitude ?? 0) - 9.19) < 0.1)
                try await gateway.feed.first("handed-over") { $0.alarm == alarm.alarm }
                let order = gateway.feed.lines.values.map(\.event).filter {
                    ["crossing", "alarm", "annunciated", "dispatch", "handed-over"].contains($0)
                }
                #expect(order == ["crossing", "alarm", "annunciated", "dispatch", "handed-over"])

                // A malformed acceptance, and one of another alarm, end nothing.
                try await witness.answer("taken", to: "maria")
                try await witness.accept("0190c3a2-0000-7000-8000-000000000000", of: "maria", by: "Operator 6")
                try await gateway.feed.first("refused") { $0.text?.contains("no alarm of this id") == true }
                try await witness.accept(alarm.alarm ?? "", of: "maria", by: "Operator 7")
                let accepted = try await gateway.feed.first("accepted")
                #expect(
                    accepted.alarm == alarm.alarm && accepted.by == "Operator 7" && accepted.channel == "mqtt")
                try await gateway.daemon.room.first("the end in the room") {
                    $0 == "*** Alarm for Maria Rossi. Operator 7 has taken the call."
                }
                // A second acceptance has no effect.
                try await witness.accept(alarm.alarm ?? "", of: "maria", by: "Operator 8")
                try await gateway.feed.first("refused") { $0.text?.contains("Operator 7") == true }

                let abort = try await house.command("abort", "--by", "Maria")
                #expect(abort.code == 0, "\(abort)")
                let cancellation = try await witness.call("cancelled")
                #expect(cancellation.payload.alarm == alarm.alarm)
                #expect(cancellation.payload.ending?.by == "Maria")
                let again = try await house.command("abort")
                #expect(again.code == 1 && again.errors.contains("told already"), "\(again)")
                #expect(witness.calls.map(\.payload.state) == ["confirmed", "cancelled"])
                #expect(gateway.feed.lines.values.count { $0.event == "accepted" } == 1)
            }
        }

        @Test func `an alarm cancelled inside its window calls nobody`() async throws {
            var settings = HouseSettings()
            // Long enough to start a command in it on a busy machine.
            settings.abortWindow = 4
            try await House.with(settings) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                try await house.rig.send(150)
                let first = try await gateway.alarm()
                let abort = try await house.command("abort", "--by", "Maria")
                #expect(abort.code == 0 && abort.output.contains("nobody was called"), "\(abort)")
                let aborted = try await gateway.feed.first("aborted")
                #expect(aborted.alarm == first.alarm && aborted.beforeDispatch == true)
                try await gateway.daemon.room.first("the end in the room") {
                    $0.hasPrefix("*** The alarm for Maria Rossi is over. It was cancelled by Maria")
                }

                // A second alarm without a cancellation: its window ends after the first's would have.
                let mark = gateway.feed.mark
                try await house.rig.send(72)
                try await house.rig.send(151)
                let second = try await gateway.alarm(after: mark)
                let call = try await witness.call("confirmed")
                #expect(call.payload.alarm == second.alarm)
                #expect(second.alarm != first.alarm)
                #expect(witness.calls.count == 1)
            }
        }

        @Test func `a crossing that is back inside before it is believed is no alarm`() async throws {
            var settings = HouseSettings()
            settings.confirmReadings = 2
            settings.confirmWithin = 4
            try await House.with(settings) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                for rate in [150, 72] { try await house.rig.send(rate) }
                try await gateway.feed.first("recovered") { $0.value == 150 && $0.device == "strap" }
                // Two in a row raise an alarm, which shows that the rule was armed and working.
                for rate in [35, 34] { try await house.rig.send(rate) }
                let alarm = try await gateway.alarm()
                #expect(alarm.rule == "heart-rate-low")
                let call = try await witness.call("confirmed")
                #expect(call.payload.cause?.rule == "heart-rate-low")
                #expect(gateway.feed.lines.values.count { $0.event == "alarm" } == 1)
            }
        }

        @Test func `without a position help is sent to the installed address`() async throws {
            try await House.with { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                try await house.rig.send(150)
                let call = try await witness.call("confirmed")
                #expect(call.payload.location?.source == "installed")
                #expect(call.payload.location?.address == HouseSettings.address)
                #expect(call.payload.location?.latitude == 45.4661)
                let dispatch = try await gateway.feed.first("dispatch")
                #expect(dispatch.location?.source == "installed")
                #expect(dispatch.location?.address == HouseSettings.address)
            }
        }

        @Test func `an alarm nobody accepts is repeated, in the house and to the service`() async throws {
            var settings = HouseSettings()
            settings.repeatSeconds = 10
            try await House.with(settings) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                try await house.rig.send(150)
                let call = try await witness.call("confirmed")
                try await gateway.feed.first("alarm") { $0.repetition == 1 }
                try await gateway.daemon.room.first("the repetition in the room") {
                    $0.contains("150 bpm") && $0.contains("Nobody has answered yet")
                }
                let again = try await witness.first("the second round") { $0.payload.round == 2 }
                #expect(again.payload.alarm == call.payload.alarm)
                #expect(again.payload.id != call.payload.id)
                #expect(witness.calls.map(\.payload.round) == [1, 2])
            }
        }

        @Test func `an abort that could mean two persons' alarms has to say whose`() async throws {
            try await House.with(HouseSettings(residents: [HouseSettings.maria, HouseSettings.paolo])) {
                house in
                let gateway = try await house.start()
                for strap in ["strap", "belt"] { try await house.rig.subscribed(strap) }
                try await house.rig.send(150)
                try await house.rig.send(151, from: "belt")
                for person in ["maria", "paolo"] {
                    try await gateway.feed.first("alarm") { $0.person == person }
                }
                let unclear = try await house.command("abort")
                #expect(unclear.code == 1 && unclear.errors.contains("--person"), "\(unclear)")
                let clear = try await house.command("abort", "--person", "paolo")
                #expect(clear.code == 0, "\(clear)")
                let aborted = try await gateway.feed.first("aborted")
                #expect(aborted.person == "paolo")
                let status = try await house.command("status")
                let open = status.output.split(separator: "\n").filter { $0.hasPrefix("OPEN ALARM") }
                #expect(open.count == 1 && open[0].contains("of maria"), "\(status)")
                #expect(status.output.contains("alarms of paolo cancelled in"), "\(status)")
            }
        }

        @Test func `an alarm resolved in the house tells everyone who was called`() async throws {
            try await House.with { house in
                _ = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                try await house.rig.send(150)
                let call = try await witness.call("confirmed")
                let status = try await house.command("status")
                #expect(status.output.contains("OPEN ALARM \(call.payload.alarm ?? "?") of maria"), "\(status)")
                let resolve = try await house.command("resolve", "--by", "Anna")
                #expect(resolve.code == 0, "\(resolve)")
                let word = try await witness.call("resolved")
                #expect(word.payload.alarm == call.payload.alarm && word.payload.ending?.by == "Anna")
            }
        }
    }
}
