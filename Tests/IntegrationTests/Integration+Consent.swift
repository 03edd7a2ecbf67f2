import TestSupport
import Testing

extension Integration {
    @Suite struct Consent {
        @Test func `nobody connects to the broker before a data policy is accepted`() async throws {
            let broker = try BarePort()
            var settings = HouseSettings()
            settings.residents[0].dataPolicy = false
            settings.residents[0].automatedSOS = false
            try await House.with(settings, brokerPort: broker.port) { house in
                let gateway = try await house.start()
                try await house.rig.subscribed()
                // An emergency, too: its terms are not accepted either.
                for rate in [72, 150] { try await house.rig.send(rate) }
                try await gateway.feed.first("reading") { $0.value == 150 }
                try await gateway.feed.first("not-called")
                let status = try await house.command("status")
                #expect(status.output.contains("No data policy is accepted: nothing is sent"), "\(status)")
                #expect(status.output.contains("maria: data-policy not accepted"))
                try await house.status(showing: "unsent messages: 0")
                #expect(await !broker.isVisited())

                let accepted = try await house.command("consent", "accept", "data-policy", "--person", "maria")
                #expect(accepted.code == 0, "\(accepted)")
                try await gateway.feed.health("nothing-accepted", false)
                // The same check sees the first visit.
                #expect(await broker.isVisited(within: patience))
            }
        }

        @Test func `each person's readings leave from their acceptance on and until their withdrawal`()
            async throws
        {
            var settings = HouseSettings(residents: [HouseSettings.maria, HouseSettings.paolo])
            for index in settings.residents.indices {
                settings.residents[index].dataPolicy = false
                settings.residents[index].automatedSOS = false
            }
            try await House.with(settings) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                for strap in ["strap", "belt"] { try await house.rig.subscribed(strap) }
                func seen(_ value: Int, from strap: String) async throws {
                    try await house.rig.send(value, from: strap)
                    try await gateway.feed.first("reading") { $0.value == Double(value) && $0.device == strap }
                }
                try await seen(61, from: "strap")
                try await seen(81, from: "belt")

                var answer = try await house.command("consent", "accept", "data-policy", "--person", "maria")
                #expect(answer.code == 0, "\(answer)")
                try await seen(82, from: "belt")
                try await seen(62, from: "strap")
                try await witness.sample(62)

                answer = try await house.command("consent", "withdraw", "data-policy", "--person", "maria")
                #expect(answer.code == 0, "\(answer)")
                // The house continues to see them.
                try await seen(63, from: "strap")
                try await seen(83, from: "belt")

                answer = try await house.command("consent", "accept", "data-policy", "--person", "maria")
                #expect(answer.code == 0, "\(answer)")
                try await seen(64, from: "strap")
                try await witness.sample(64)
                #expect(witness.distinctSamples.map(\.payload.value) == [62, 64])
                #expect(witness.samples.allSatisfy { $0.payload.person == "maria" })
                answer = try await house.command("consent", "list")
                #expect(answer.output.contains("maria: data-policy accepted"), "\(answer)")
                #expect(answer.output.contains("paolo: data-policy not accepted"))
            }
        }

        @Test func `unsent readings are deleted when their consent is withdrawn`() async throws {
            try await House.with(HouseSettings(residents: [HouseSettings.maria, HouseSettings.paolo])) {
                house in
                let gateway = try await house.start()
                for strap in ["strap", "belt"] { try await house.rig.subscribed(strap) }
                try await house.rig.perform("broker", "stop")
                try await gateway.feed.health("broker-unreachable", true)
                for rate in [61, 62] { try await house.rig.send(rate) }
                try await house.rig.send(81, from: "belt")
                for rate in [61.0, 62, 81] { try await gateway.feed.first("reading") { $0.value == rate } }
                let answer = try await house.command("consent", "withdraw", "data-policy", "--person", "maria")
                #expect(answer.output.contains("2 unsent messages were deleted"), "\(answer)")
                let stop = try await gateway.daemon.terminate()
                #expect(stop.code == 0)

                // The next run finds messages of Paolo alone.
                try await house.rig.perform("broker", "start")
                let witness = try await house.witness()
                _ = try await house.start()
                try await witness.sample(81)
                #expect(witness.samples.map(\.payload.value) == [81])
            }
        }

        @Test func `what is on its way when its consent is withdrawn is not kept for another try`() async throws
        {
            try await House.with { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                try await house.rig.send(71)
                try await witness.sample(71)
                // Offered, and never acknowledged.
                try await house.rig.perform("broker", "freeze")
                try await house.rig.send(72)
                try await gateway.feed.first("reading") { $0.value == 72 }
                let answer = try await house.command("consent", "withdraw", "data-policy", "--person", "maria")
                #expect(answer.code == 0, "\(answer)")
                // The receipts of the withdrawal wait; the reading does not.
                #expect(await eventually(within: patience) { house.keptReadings == 0 })
                try await house.rig.perform("broker", "thaw")
                try await house.status(showing: "unsent messages: 0")
            }
        }

        @Test func `without the AutomatedSOS terms an alarm sounds in the house and calls nobody`() async throws
        {
            var settings = HouseSettings()
            settings.residents[0].automatedSOS = false
            try await House.with(settings) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                try await house.rig.send(150)
                try await gateway.daemon.room.first("the alarm in the room") {
                    $0.contains("Alarm for Maria Rossi")
                }
                // In the window already, and again at its end.
                for line in gateway.daemon.room.values where line.contains("Alarm for Maria Rossi") {
                    #expect(line.contains("Nobody is called") && line.contains("112"), "\(line)")
                }
                try await gateway.daemon.room.first("that nobody was called") {
                    $0 == "*** Alarm for Maria Rossi. Nobody is called: calls for help are not agreed to. "
                        + "If you need help, dial 112."
                }
                try await gateway.feed.first("not-called")
                // The readings are agreed to: this one arrives after all messages of the alarm.
                try await house.rig.send(72)
                try await witness.sample(72)
                #expect(witness.calls.isEmpty)
                #expect(!gateway.feed.lines.values.contains { $0.event == "dispatch" })
            }
        }

        @Test func `whoever was called hears that it is over after everything is withdrawn, and nothing else`()
            async throws
        {
            try await House.with { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                try await house.rig.send(150)
                let call = try await witness.call("confirmed")
                try await gateway.feed.first("handed-over") { $0.alarm == call.payload.alarm }
                let withdrawn = try await house.command(
                    "consent", "withdraw", "data-policy", "--person", "maria")
                #expect(withdrawn.code == 0, "\(withdrawn)")
                try await gateway.feed.health("nothing-accepted", true)
                let mark = witness.mark
                let abort = try await house.command("abort", "--by", "Maria")
                #expect(abort.code == 0, "\(abort)")
                let word = try await witness.call("cancelled", after: mark)
                #expect(word.payload.alarm == call.payload.alarm)
                try await house.status(showing: "unsent messages: 0")
                #expect(
                    witness.messages.last { !$0.topic.hasSuffix("/receipts") }?.payload.state == "cancelled")
            }
        }

        @Test func `AutomatedSOS cannot be accepted before the data policy`() async throws {
            var settings = HouseSettings()
            settings.residents[0].dataPolicy = false
            settings.residents[0].automatedSOS = false
            try await House.with(settings) { house in
                _ = try await house.start()
                let refused = try await house.command("consent", "accept", "automated-sos", "--person", "maria")
                #expect(refused.code == 1 && refused.errors.contains("accept data-policy first"), "\(refused)")
                let stranger = try await house.command("consent", "accept", "data-policy", "--person", "anna")
                #expect(stranger.code == 1 && stranger.errors.contains("no person 'anna'"), "\(stranger)")
            }
        }
    }
}
